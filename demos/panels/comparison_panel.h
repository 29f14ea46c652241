#pragma once
/// @file comparison_panel.h
/// Panel: how far each way of computing the scene is from the reference.

#include "context.h"
#include "number_field.h"

namespace elasto::panels {

class ComparisonPanel {
public:
    /// @param rows        Elasto first, then its baselines
    /// @param explanation a line: which signal is compared, with what
    void draw(const Context& context, std::span<const ComparisonRow> rows, const std::string& explanation);

private:
    double m_rate = 0;  ///< of the field while it is held [Hz]
    NumberField m_field;
};

/// Share of the bar for an error: a logarithmic scale from 1e-6 to 1; everything beyond 1 is full.
float errorShare(double error);
/// "0.012 %", "blew up" for NaN or infinity, ">1000 %".
std::string errorText(double error);

}  // namespace elasto::panels
