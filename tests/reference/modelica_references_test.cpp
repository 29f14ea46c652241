// The reference against data that others made: Dymola's results of Modelica's examples, and those of a separate
// integrator, at the times of their CSV files.

#include <elasto/reference/reference.h>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

#include "reference_data.h"

using namespace elasto;
using namespace elasto::test;

namespace {

/// Both tables without the rows at which a contact begins or ends: there either side of a jump of the force is right.
void dropRowsAtContactChanges(const ReferenceCase& data, Trajectory& first, Trajectory& second) {
    const std::vector<double> ends = {0, data.own.time.back()};
    const std::vector<ReferenceEvent> events = solveReference(referenceProblem(data.scene), ends).events;
    const auto atEvent = [&](double time) {
        return std::any_of(events.begin(), events.end(),
                           [&](const ReferenceEvent& event) { return std::abs(event.time - time) < 1e-9; });
    };
    Trajectory* tables[] = {&first, &second};
    for (std::size_t k = first.time.size(); k-- > 0;) {
        if (!atEvent(first.time[k])) continue;
        for (Trajectory* table : tables) {
            table->time.erase(table->time.begin() + static_cast<std::ptrdiff_t>(k));
            for (auto& column : table->columns) column.erase(column.begin() + static_cast<std::ptrdiff_t>(k));
        }
    }
}

/// @param thinning by how much the rows that the CSV kept may weigh heavier than all rows of Dymola's file, over which
///                 the stated NRMSE was taken
void checkCase(const std::string& name, double thinning) {
    const ReferenceCase data = loadReferenceCase(name);
    ReferenceStatistics statistics;
    Trajectory solved = recordedColumns(data.scene, solveReference(data.scene, data.own.time, {}, &statistics));

    double worstRatio = 0; // to what is stated
    std::string worstDymola = "-";
    if (!data.dymola.signals.empty()) {
        const std::vector<SignalError> errors = compareSignals(data.dymola, solved);
        REQUIRE(errors.size() == data.dymola.signals.size());
        for (const SignalError& error : errors) {
            INFO(error.signal);
            const StatedDifference stated = data.stated.at(error.signal);
            // Stated with two or three digits.
            CHECK(error.largest <= 1.05 * stated.largest);
            if (stated.nrmse < 0) continue;
            CHECK(error.nrmse <= thinning * stated.nrmse);
            if (error.nrmse / stated.nrmse > worstRatio) {
                worstRatio = error.nrmse / stated.nrmse;
                worstDymola = error.signal;
            }
        }
    }

    Trajectory own = data.own;
    dropRowsAtContactChanges(data, own, solved);
    CHECK(own.time.size() + 20 > data.own.time.size());
    const std::vector<SignalError> errors = compareSignals(own, solved);
    REQUIRE(errors.size() == own.signals.size());
    for (const SignalError& error : errors) {
        INFO(error.signal);
        CHECK(error.nrmse <= 1e-6);
    }
    const SignalError& worst = *worstSignal(errors);
    std::printf("%-17s %3zu signals, worst NRMSE %.1e %-26s | Dymola: %.2f of the stated, %-22s | %5ld steps\n",
                name.c_str(), errors.size(), worst.nrmse, worst.signal.c_str(), worstRatio, worstDymola.c_str(),
                statistics.steps);
}

} // namespace

TEST_CASE("elasto_gap is as Dymola and a separate integrator have it") { checkCase("elasto_gap", 1.05); }
TEST_CASE("backlash is as Dymola and a separate integrator have it") { checkCase("backlash", 1.05); }
TEST_CASE("heat_losses_3d is as Dymola and a separate integrator have it") { checkCase("heat_losses_3d", 1.05); }
// Of PreLoad's rows those in its short impacts were kept and most of the long rests were not.
TEST_CASE("preload is as Dymola and a separate integrator have it") { checkCase("preload", 1.5); }
TEST_CASE("gap_laws is as a separate integrator has it") { checkCase("gap_laws", 1); }
TEST_CASE("armature_stopper is as a separate integrator has it") { checkCase("armature_stopper", 1); }
