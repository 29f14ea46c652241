#pragma once
/// @file plots_panel.h
/// Panel: the selected element's signals over time, one plot under the other with a common time axis, and the energy.

#include "context.h"
#include "plot_widget.h"
#include "signals.h"

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace elasto::panels {

/// Curves of a quantity that were computed elsewhere.
using ForeignCurves = std::function<std::vector<ForeignCurve>(int element, play::Quantity quantity)>;

/// A table of curves that somebody wants as a file.
struct CurveTable {
    std::string name;  ///< for the file, e.g. "elastoGap1_f"
    std::vector<std::pair<std::string, const Curve*>> columns;
};

/// A quantity of an element as the column of a table: its name in recordings, and its unit.
std::string columnOf(const play::PlayedElement& element, play::Quantity quantity);

/// Writes curves as CSV that `elasto compare` and `elasto plot` read: the first column is "time [s]", then one per
/// curve, "stop.s_rel [m]"; a cell where a curve has no sample at that time is "nan".
/// @throws FileError
void writeCurves(const std::filesystem::path& file, const CurveTable& table);

class PlotsPanel {
public:
    /// @param window time that is seen while following [s]
    explicit PlotsPanel(double window = 10);

    /// @param foreign references and baselines; may be empty
    /// @return the table that was asked for in this frame; its curves are valid until the next one
    std::optional<CurveTable> draw(const Context& context, Signals& signals, const ForeignCurves& foreign);
    double window() const { return m_window; }
    void setWindow(double window);

private:
    static constexpr std::size_t kPlots = 10;
    /// What an element must have for a row to be there.
    enum class Needs { Nothing, Flanges, HeatPort, Joint };
    struct Row {
        const char* title;
        std::vector<play::Quantity> quantities;  ///< empty: the energy
        bool isShown;
        PlotWidget plot;
        Needs needs = Needs::Nothing;
    };
    static bool has(Needs needs, const Context& context);
    static bool isSeen(const Row& row, const Context& context);
    /// What is plotted in a row: "s_rel" of a slider, "phi_rel" of a hinge.
    static std::string nameOf(const Row& row, const Context& context);

    /// Names what is compared in all plots of the element.
    void addCompared(const Context& context, const ForeignCurves& foreign, play::Quantity quantity);
    void drawComparedNames(const Context& context, const ForeignCurves& foreign);
    void drawChips(const Context& context);
    std::optional<CurveTable> drawRow(const Context& context, Signals& signals, const ForeignCurves& foreign, Row& row,
                                      float height, bool isLast);
    /// Curves and axis of a row of the element.
    void fill(const Context& context, Signals& signals, const ForeignCurves& foreign, const Row& row,
              PlotContent& content);
    /// Curves and axis of a row of the selected joint.
    void fillJoint(const Context& context, Signals& signals, const Row& row, PlotContent& content);
    /// Where the element touches, in the part of the time axis that a plot shows.
    void findContact(const Context& context, Signals& signals, const Interval& seen);
    void share(const PlotView& changed);

    double m_window;
    std::array<Row, kPlots> m_rows;
    std::vector<PlotCurve> m_curves;  ///< of the plot that is drawn; kept for its storage
    std::vector<Interval> m_contact;  ///< in sight [s]
};

}  // namespace elasto::panels
