#include <panels/law_branch.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

using namespace elasto;
using namespace elasto::panels;

namespace {

/// The force that a branch says there is, from its own formula.
double forceOf(const Law& law, LawBranch branch, double s, double v) {
    const ForceTerms force = evaluate(law, s, v, 0);
    switch (branch) {
        case LawBranch::Free:
        case LawBranch::Released:
            return 0;
        case LawBranch::DamperAtLimit:
            return 2 * force.f_c;
        case LawBranch::Linear:
        case LawBranch::Slips:  // not told apart by the spring's and the damper's share
            break;
    }
    return force.f_c + force.f_d2;
}

}  // namespace

TEST_CASE("the branch that is named is the one that acts") {
    const Law laws[] = {
        ElastoGapLaw({.c = 100, .d = 7, .s_rel0 = 0.2}),
        ElastoGapLaw({.c = 100, .d = 7, .n = 1.5}),
        ElastoGapLaw({.c = 100, .d = 7, .characteristic = GapCharacteristic::NoPull}),
        ElastoGapLaw({.c = 100, .d = 7, .characteristic = GapCharacteristic::Linear}),
        ElastoBacklashLaw({.c = 50, .d = 3, .b = 0.4, .phi_rel0 = 0.1}),
        ElastoBacklashLaw({.c = 50, .d = 3, .b = 0.4, .characteristic = BacklashCharacteristic::NoPull}),
        ElastoBacklashLaw({.c = 50, .d = 3, .b = 0.4, .characteristic = BacklashCharacteristic::Linear}),
        ElastoBacklashLaw({.c = 50, .d = 3, .b = 0}),
        SpringDamperLaw({.c = 50, .d = 3})};
    for (std::size_t i = 0; i < std::size(laws); ++i) {
        for (double s = -1; s <= 1; s += 0.0371) {
            for (double v = -20; v <= 20; v += 0.613) {
                INFO("law " << i << " s " << s << " v " << v);
                const LawBranch branch = branchOf(laws[i], s, v);
                CHECK(evaluate(laws[i], s, v, 0).f == Approx(forceOf(laws[i], branch, s, v)).margin(1e-9));
                const bool isContact = evaluate(laws[i], s, v, 0).contact;
                CHECK((branch == LawBranch::Free) == !isContact);
            }
        }
    }
}

TEST_CASE("a bounded gap has all four branches") {
    const Law law = ElastoGapLaw({.c = 100, .d = 10});
    CHECK(branchOf(law, 0.1, -1) == LawBranch::Free);
    CHECK(branchOf(law, -0.1, 0) == LawBranch::Linear);
    CHECK(branchOf(law, -0.1, -2) == LawBranch::DamperAtLimit);
    CHECK(branchOf(law, -0.1, 2) == LawBranch::Released);
    CHECK(branchFormula(law, LawBranch::DamperAtLimit, false) == "f = 2 f_c");
    CHECK(branchFormula(law, LawBranch::Linear, true) == "tau = tau_c + tau_d");
}

TEST_CASE("the map of a law shows where contact begins") {
    const Law gap = ElastoGapLaw({.c = 1e6, .d = 5, .s_rel0 = 0.1});
    const LawWindow inContact = lawWindow(gap, 0.0999, 3, 2);
    CHECK(inContact.sLow < 0.0999);
    CHECK(inContact.sHigh > 0.1);
    CHECK(inContact.sHigh < 0.11);  // the flight does not squeeze the contact
    CHECK(inContact.vHigh >= 2);
    const LawWindow away = lawWindow(gap, 1, 3, 2);
    CHECK(away.sLow < 0.1);
    CHECK(away.sHigh >= 3);
    const LawWindow still = lawWindow(gap, 0.1, 0.1, 0);
    CHECK(still.sLow < still.sHigh);
    CHECK(still.vHigh > 0);
    const Law backlash = ElastoBacklashLaw({.c = 50, .d = 3, .b = 0.4, .phi_rel0 = 1});
    const LawWindow play = lawWindow(backlash, 1, 1.1, 1);
    CHECK(play.sLow < 0.8);
    CHECK(play.sHigh > 1.2);
}
