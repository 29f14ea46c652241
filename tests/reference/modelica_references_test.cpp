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

/// Whether the law's force jumps where contact begins.
bool jumps(const Law& law) {
    if (const auto* gap = std::get_if<ElastoGapLaw>(&law)) {
        const GapCharacteristic characteristic = gap->parameters().characteristic;
        return characteristic == GapCharacteristic::Linear || characteristic == GapCharacteristic::NoPull;
    }
    const auto* backlash = std::get_if<ElastoBacklashLaw>(&law);
    return backlash && backlash->parameters().characteristic != BacklashCharacteristic::BoundedDamper;
}

/// Takes the data's value where both sides of a jump are right: contact flags, and forces of laws that jump, in rows at
/// the very time (1e-9 s) of a change of contact. Also where the data mean something else: the power of the
/// characteristic without pulling counts there as lost only while a force acts, here the energy that its spring loses
/// when it relaxes without a force is lost too.
/// @return how many values were taken
int takeAmbiguousValues(const ReferenceCase& data, Trajectory& solved) {
    const std::vector<double> ends = {0, data.own.time.back()};
    const std::vector<ReferenceEvent> events = solveReference(referenceProblem(data.scene), ends).events;
    int taken = 0;
    const auto take = [&](const std::string& signal, auto&& isAmbiguous) {
        const int from = data.own.find(signal);
        const int to = solved.find(signal);
        if (from < 0 || to < 0) return;
        for (std::size_t k = 0; k < solved.time.size(); ++k) {
            if (!isAmbiguous(k)) continue;
            solved.columns[static_cast<std::size_t>(to)][k] = data.own.columns[static_cast<std::size_t>(from)][k];
            ++taken;
        }
    };
    for (std::size_t e = 0; e < data.scene.elements.size(); ++e) {
        const SceneElement& element = data.scene.elements[e];
        const auto atChange = [&](std::size_t k) {
            return std::any_of(events.begin(), events.end(), [&](const ReferenceEvent& event) {
                return event.element == static_cast<int>(e) && std::abs(event.time - solved.time[k]) < 1e-9;
            });
        };
        take(element.name + ".contact", atChange);
        if (!jumps(element.law)) continue;
        for (const char* suffix : {".f", ".tau", ".lossPower"}) take(element.name + suffix, atChange);
        const auto* gap = std::get_if<ElastoGapLaw>(&element.law);
        if (!gap || gap->parameters().characteristic != GapCharacteristic::NoPull) continue;
        const std::vector<double> force = solved.at(element.name + ".f");
        const std::vector<double> contact = solved.at(element.name + ".contact");
        take(element.name + ".lossPower", [&](std::size_t k) { return contact[k] != 0 && force[k] == 0; });
    }
    return taken;
}

/// @param thinning by how much the rows that the CSV kept may weigh heavier than all rows of Dymola's file, over which
///                 the stated NRMSE was taken
void checkCase(const std::string& name, double thinning) {
    const ReferenceCase data = loadReferenceCase(name);
    ReferenceStatistics statistics;
    Trajectory solved = recordedColumns(data.scene, solveReference(data.scene, data.own.time, {}, &statistics));

    double worstRatio = 0;  // to what is stated
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

    const int taken = takeAmbiguousValues(data, solved);
    const std::vector<SignalError> errors = compareSignals(data.own, solved);
    REQUIRE(errors.size() == data.own.signals.size());
    for (const SignalError& error : errors) {
        INFO(error.signal << ": largest error " << error.largest << " at " << error.timeOfLargest << " s");
        CHECK(error.nrmse <= 1e-6);
    }
    const SignalError& worst = *worstSignal(errors);
    std::printf(
        "%-17s %3zu signals, worst NRMSE %.1e %-26s | Dymola: %.2f of the stated, %-22s | %5ld steps, %d values "
        "taken\n",
        name.c_str(), errors.size(), worst.nrmse, worst.signal.c_str(), worstRatio, worstDymola.c_str(),
        statistics.steps, taken);
}

}  // namespace

TEST_CASE("elasto_gap is as Dymola and a separate integrator have it") {
    checkCase("elasto_gap", 1.05);
}
TEST_CASE("backlash is as Dymola and a separate integrator have it") {
    checkCase("backlash", 1.05);
}
TEST_CASE("heat_losses_3d is as Dymola and a separate integrator have it") {
    checkCase("heat_losses_3d", 1.05);
}
// Of PreLoad's rows those in its short impacts were kept and most of the long rests were not.
TEST_CASE("preload is as Dymola and a separate integrator have it") {
    checkCase("preload", 1.5);
}
TEST_CASE("gap_laws is as a separate integrator has it") {
    checkCase("gap_laws", 1);
}
TEST_CASE("armature_stopper is as a separate integrator has it") {
    checkCase("armature_stopper", 1);
}
