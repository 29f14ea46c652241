#pragma once
/// @file plot_picture.h
/// A plot as a picture of its own, to be saved: larger than on the screen, with a title, a whole legend and both axes.

#include <imgui.h>

#include <memory>
#include <string>

namespace elasto::panels {

struct PlotContent;
class PlotWidget;
struct Palette;

/// Drawn with Dear ImGui's fonts of the present frame: it is to be painted before the next one.
struct PlotPicture {
    std::string name;  ///< of its file, without ending
    ImVec2 size;       ///< [pixels]
    std::shared_ptr<ImDrawList> list;
};

/// The part of the plot that is seen now, of the curves that are shown; without cursor and buttons.
/// @param title what stands above the legend, e.g. "stop: f [N]"
PlotPicture pictureOf(const std::string& name, const std::string& title, const PlotContent& content,
                      const PlotWidget& plot, const Palette& palette);

}  // namespace elasto::panels
