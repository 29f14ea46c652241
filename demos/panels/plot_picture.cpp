#include "plot_picture.h"

#include "plot_drawing.h"
#include "widgets.h"

#include <algorithm>
#include <cmath>

namespace elasto::panels {

namespace {

const ImVec2 kSize = {1200, 500};  ///< at scale 1 [pixels]
constexpr float kRow = 1.6f;       ///< of the legend [lines]

/// Names all curves that are shown, in as many rows as it takes. @return lower edge of the last one [pixels]
float drawNames(const PlotContent& content, const PlotWidget& plot, const Palette& palette, float left, float right,
                float top, ImDrawList& list) {
    const float line = ImGui::GetTextLineHeight();
    float x = left;
    for (const PlotCurve& curve : content.curves) {
        if (plot.isHidden(curve.name)) continue;
        const float width = ImGui::CalcTextSize(curve.name.c_str()).x;
        if (x > left && x + 1.8f * line + width > right) {
            x = left;
            top += kRow * line;
        }
        PlotDrawing({}, palette, list).swatch({x, top + line / 2}, 1.4f * line, curve, false);
        list.AddText({x + 1.8f * line, top}, palette.text, curve.name.c_str());
        x += width + 3.4f * line;
    }
    return top + kRow * line;
}

}  // namespace

PlotPicture pictureOf(const std::string& name, const std::string& title, const PlotContent& content,
                      const PlotWidget& plot, const Palette& palette) {
    const float line = ImGui::GetTextLineHeight();
    PlotPicture picture{name, {std::round(kSize.x * scaleNow()), std::round(kSize.y * scaleNow())}, nullptr};
    picture.list = std::make_shared<ImDrawList>(ImGui::GetDrawListSharedData());
    ImDrawList& list = *picture.list;
    list._ResetForNewFrame();
    list.PushClipRect({0, 0}, picture.size);
    list.PushTextureID(ImGui::GetIO().Fonts->TexID);
    list.AddRectFilled({0, 0}, picture.size, palette.panel);

    const float left = 4.5f * line, right = picture.size.x - line;
    ImFont* bold = boldFont();
    list.AddText(bold, bold->FontSize, {left, 0.6f * line}, palette.text, title.c_str());
    const float top = drawNames(content, plot, palette, left, right, 2.2f * line, list);
    const PlotFrame frame{plot.view().x(),
                          plot.view().y(),
                          left,
                          std::round(top + 0.4f * line),
                          right - left,
                          std::round(picture.size.y - top - 2.4f * line)};
    const Ticks xTicks(frame.x, static_cast<int>(frame.width / (line * 4.5f)));
    const Ticks yTicks(frame.y, std::max(3, static_cast<int>(frame.height / (line * 1.8f))));
    const AxisScale xScale(content.x, frame.x, xTicks.step());
    const AxisScale yScale(content.y, frame.y, yTicks.step());
    PlotContent shown = content;
    shown.hasLabelsX = true;
    PlotDrawing drawing(frame, palette, list);
    drawing.axes(shown, xScale, yScale, xTicks, yTicks);
    std::vector<std::size_t> indices;
    std::vector<ImVec2> points;
    for (auto curve = content.curves.rbegin(); curve != content.curves.rend(); ++curve) {
        if (!curve->curve || curve->curve->empty() || plot.isHidden(curve->name)) continue;
        curve->curve->visible(frame.x, static_cast<int>(frame.width), indices);
        drawing.curve(*curve, indices, points);
    }
    drawing.unit(yScale);
    return picture;
}

}  // namespace elasto::panels
