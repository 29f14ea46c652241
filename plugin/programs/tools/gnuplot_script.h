#pragma once
/// @file gnuplot_script.h
/// Diagrams as gnuplot scripts with their data inline.

#include <string>
#include <vector>

namespace elasto::tools {

/// How a curve is drawn.
enum class Stroke { Line, LineWithPoints, Points };

/// One line in a diagram.
struct Curve {
    std::string title;
    std::vector<double> x;
    std::vector<double> y;
    Stroke stroke = Stroke::Line;
    bool isMain = false;  ///< the strongest line of its panel
};

/// One pair of axes.
struct Panel {
    std::string title;
    std::string xLabel;
    std::string yLabel;
    std::vector<Curve> curves;
    bool showsPoints = false;  ///< the x axis leaves room for those at both ends
    bool xIsLog = false;
    bool yIsLog = false;
};

/// A picture of one or more panels, stacked.
struct Picture {
    std::string title;
    int width = 900;  ///< [px]
    int height = 0;   ///< [px]; 0: by the number of panels
    std::vector<Panel> panels;
};

/// The script; its picture goes to `output`, or to the standard output if that is empty. Fonts and sizes are fixed, so
/// that the same data gives the same SVG text. @param png false: SVG
std::string gnuplotScript(const Picture& picture, bool png, const std::string& output = {});

/// A text as gnuplot reads it, on one line, printable.
std::string gnuplotText(const std::string& text);
/// The line that sends the picture to a file of that name, whatever gnuplot would make of the name.
std::string gnuplotOutput(const std::string& file);
/// The line that says where a picture goes and how large it is.
std::string gnuplotTerminal(bool png, int width, int height);

/// A curve with at most about 4 `buckets` points that looks the same when it is drawn `buckets` pixels wide: first,
/// lowest, highest and last point of every bucket. x must not fall; other curves are returned as they are.
Curve thinned(const Curve& curve, int buckets);

}  // namespace elasto::tools
