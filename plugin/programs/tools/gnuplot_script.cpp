#include "gnuplot_script.h"

#include <elasto/scene/printable.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

namespace elasto::tools {

namespace {

constexpr int kPanelHeight = 260;
constexpr int kTitleHeight = 60;
constexpr int kKeyLine = 16;  // of a name in the key
// Colour-blind safe (Okabe and Ito), dark ones first.
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

/// Colour and dash pattern of a curve: no two of a panel are alike. After all colours they come once more, dashed; each
/// round has longer dashes, every second one with dots between them.
std::string lineStyle(std::size_t curve) {
    const std::size_t round = curve / std::size(kColors);
    std::string style = fmt::format("lc rgb '{}'", kColors[curve % std::size(kColors)]);
    if (round == 0) return style;
    const std::size_t dash = 15 * ((round + 1) / 2);
    return style + (round % 2 == 1 ? fmt::format(" dt ({},6)", dash) : fmt::format(" dt ({},6,3,6)", dash));
}

const char* strokeWords(Stroke stroke) {
    return stroke == Stroke::Line     ? "lines"
           : stroke == Stroke::Points ? "points pt 7 ps 0.6"
                                      : "linespoints pt 7 ps 0.5";
}

/// Where a few curves lie upon each other, the lower ones are wider and stay visible.
double lineWidth(std::size_t curve, const std::vector<Curve>& all) {
    constexpr std::size_t kFew = 4;
    const std::size_t curves = all.size();
    if (std::any_of(all.begin(), all.end(), [](const Curve& one) { return one.isMain; })) {
        return all[curve].isMain ? 3.5 : 1.5;
    }
    return curves > kFew ? 1.5 : 1.5 + 1.5 * static_cast<double>(curves - 1 - curve);
}

void appendData(std::string& script, const std::string& name, const Curve& curve) {
    script += name + " << EOD\n";
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
        // gnuplot breaks a line at a blank record, which is what a value that is not finite should look like.
        if (std::isfinite(curve.x[k]) && std::isfinite(curve.y[k])) {
            fmt::format_to(std::back_inserter(script), "{:.9g} {:.9g}\n", curve.x[k], curve.y[k]);
        } else {
            script += "\n";
        }
    }
    script += "EOD\n";
}

/// Room for the longest name in a key, in characters: the same beside all panels, so that their time axes agree.
std::size_t keyWidth(const Picture& picture) {
    std::size_t longest = 0;
    for (const Panel& panel : picture.panels) {
        for (const Curve& curve : panel.curves) longest = std::max(longest, curve.title.size());
    }
    return longest + 10;
}

/// All panels are as high as the longest key needs, which would otherwise spread over the curves.
int panelHeight(const Picture& picture) {
    std::size_t most = 0;
    for (const Panel& panel : picture.panels) most = std::max(most, panel.curves.size());
    return std::max(kPanelHeight, kKeyLine * (static_cast<int>(most) + 4));
}

/// The x axis reaches a little beyond the points: gnuplot's own ends on them, or a decade away where it is logarithmic.
std::string roomForPoints(const Panel& panel) {
    constexpr double kRoom = 0.03;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const Curve& curve : panel.curves) {
        for (std::size_t k = 0; k < curve.x.size(); ++k) {
            if (!std::isfinite(curve.x[k])) continue;  // panels agree, whatever their y
            low = std::min(low, curve.x[k]);
            high = std::max(high, curve.x[k]);
        }
    }
    if (!panel.showsPoints || !(low < high)) return "set autoscale x\n";
    const double room = panel.xIsLog ? std::pow(high / low, kRoom) : kRoom * (high - low);
    return panel.xIsLog ? fmt::format("set xrange [{:.9g}:{:.9g}]\n", low / room, high * room)
                        : fmt::format("set xrange [{:.9g}:{:.9g}]\n", low - room, high + room);
}

/// A string for gnuplot. Within '...' it takes two quotes in a row for an end; within "..." it would run `...` and
/// replace @..., but not what is written by its number.
std::string gnuplotString(const std::string& text) {
    std::string result = "\"";
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || std::string_view("\"\\`@").find(character) != std::string_view::npos) {
            result += fmt::format("\\{:03o}", byte);
        } else {
            result += character;
        }
    }
    return result + "\"";
}

}  // namespace

std::string gnuplotText(const std::string& text) {
    std::string line = text;
    std::replace(line.begin(), line.end(), '\n', ' ');
    return gnuplotString(printableLine(line));
}

std::string gnuplotOutput(const std::string& file) {
    // gnuplot would start a program for |, and look for somebody's home for ~.
    const bool isFile = !file.starts_with('|') && !file.starts_with('~');
    return "set output " + gnuplotString(isFile ? file : "./" + file) + "\n";
}

std::string gnuplotTerminal(bool png, int width, int height) {
    return png ? fmt::format("set terminal pngcairo noenhanced font 'sans,10' size {},{} background '#ffffff'\n", width,
                             height)
               : fmt::format("set terminal svg noenhanced font 'sans,12' size {},{} background '#ffffff'\n", width,
                             height);
}

Curve thinned(const Curve& curve, int buckets) {
    const std::size_t count = curve.x.size();
    if (count <= 4 * static_cast<std::size_t>(buckets) || !std::is_sorted(curve.x.begin(), curve.x.end())) return curve;
    Curve result{curve.title, {}, {}, curve.stroke, curve.isMain};
    for (int bucket = 0; bucket < buckets; ++bucket) {
        const std::size_t begin = count * static_cast<std::size_t>(bucket) / static_cast<std::size_t>(buckets);
        const std::size_t end = count * (static_cast<std::size_t>(bucket) + 1) / static_cast<std::size_t>(buckets);
        const auto first = curve.y.begin();
        const auto range =
            std::minmax_element(first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(end));
        std::size_t picks[] = {begin, static_cast<std::size_t>(range.first - first),
                               static_cast<std::size_t>(range.second - first), end - 1};
        std::sort(std::begin(picks), std::end(picks));
        const auto last = std::unique(std::begin(picks), std::end(picks));
        for (auto pick = std::begin(picks); pick != last; ++pick) {
            result.x.push_back(curve.x[*pick]);
            result.y.push_back(curve.y[*pick]);
        }
    }
    return result;
}

std::string gnuplotScript(const Picture& picture, bool png, const std::string& output) {
    const int panels = static_cast<int>(picture.panels.size());
    const int height = picture.height > 0 ? picture.height : kTitleHeight + panels * panelHeight(picture);
    std::string script = gnuplotTerminal(png, picture.width, height);
    if (!output.empty()) script += gnuplotOutput(output);
    script += "set encoding utf8\nset grid lc rgb '#cccccc'\nset key outside right top\nset lmargin 11\n";
    script += fmt::format("set rmargin {}\n", keyWidth(picture));
    for (int p = 0; p < panels; ++p) {
        const std::vector<Curve>& curves = picture.panels[static_cast<std::size_t>(p)].curves;
        for (std::size_t i = 0; i < curves.size(); ++i) {
            appendData(script, fmt::format("$panel{}_{}", p, i), thinned(curves[i], picture.width));
        }
    }
    script += fmt::format("set multiplot layout {},1{}\n", std::max(panels, 1),
                          picture.title.empty() ? std::string() : " title " + gnuplotText(picture.title));
    const bool hasLog = std::any_of(picture.panels.begin(), picture.panels.end(),
                                    [](const Panel& panel) { return panel.xIsLog || panel.yIsLog; });
    const bool hasPoints =
        std::any_of(picture.panels.begin(), picture.panels.end(), [](const Panel& panel) { return panel.showsPoints; });
    for (int p = 0; p < panels; ++p) {
        const Panel& panel = picture.panels[static_cast<std::size_t>(p)];
        if (hasLog) {
            script += panel.xIsLog ? "set logscale x\n" : "unset logscale x\n";
            script += panel.yIsLog ? "set logscale y\nset format y '%.0e'\n" : "unset logscale y\nset format y\n";
        }
        if (hasPoints) script += roomForPoints(panel);
        script += "set title " + gnuplotText(panel.title) + "\n";
        script += "set xlabel " + gnuplotText(panel.xLabel) + "\nset ylabel " + gnuplotText(panel.yLabel) + "\nplot ";
        for (std::size_t i = 0; i < panel.curves.size(); ++i) {
            if (i > 0) script += ", \\\n     ";
            script += fmt::format("$panel{}_{} using 1:2 with {} lw {:g} {} title {}", p, i,
                                  strokeWords(panel.curves[i].stroke), lineWidth(i, panel.curves), lineStyle(i),
                                  gnuplotText(panel.curves[i].title));
        }
        script += "\n";
    }
    script += "unset multiplot\n";
    return script;
}

}  // namespace elasto::tools
