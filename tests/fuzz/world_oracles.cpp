#include "world_oracles.h"

#include "recipe_world.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

namespace elasto::fuzz {

namespace {

constexpr bool kIsDouble = sizeof(btScalar) == sizeof(double);
/// Largest rise of a tick, as a share of the energy in play. Bullet's single precision rounds poses of metres to 1e-7
/// m, on which stiff springs stand.
constexpr double kLargestRise = kIsDouble ? 1e-6 : 1e-3;

/// Rounding of a sum, as a share of its largest part.
constexpr double kRounding = 1e-14;
/// The same of heat and stored energy where something works on the world or spins whatever pulls at it.
constexpr double kMostMade = 100;

/// Energy in play in a tick: what moves and is stored, and what gravity gives within it.
double inPlay(const WorldRecipe& recipe, const WorldEnergy& before, const WorldEnergy& after) {
    double fall = 0;
    for (const BodyRecipe& body : recipe.bodies) fall += body.mass;
    const double way = recipe.gravity / recipe.hz / recipe.hz;
    return before.kinetic + before.stored + std::abs(after.potential - before.potential) + fall * recipe.gravity * way;
}

/// @param pressed see RecipeWorld::couldBePressed, at the start
void lookAtEnergy(const WorldRecipe& recipe, const WorldEnergy& before, const WorldEnergy& after, double pressed,
                  bool isClosed, bool isPassive, WorldFindings& findings) {
    const double scale = inPlay(recipe, before, after);
    const char* const how = isPassive ? " passively" : "";
    if (isClosed) {
        // What has come to rest is compared with all that it has turned into heat.
        const double rounding = kRounding * (after.heat + std::abs(after.potential));
        const double rise = (after.sum() - before.sum() - rounding) / scale;
        findings.rise = std::max(findings.rise, rise);
        if (rise > kLargestRise) {
            findings.say(
                Failure::Energy,
                fmt::format("tick {}{}: energy rises by {:.3g} J, {:.2g} of the {:.3g} J in play: kinetic {:.3g} "
                            "to {:.3g}, stored {:.3g} to {:.3g}, heat {:.3g} to {:.3g}",
                            findings.tick, how, rise * scale, rise, scale, before.kinetic, after.kinetic, before.stored,
                            after.stored, before.heat, after.heat));
        }
        return;
    }
    const double made = (after.stored - before.stored + after.heat - before.heat) / (scale + pressed);
    if (made > findings.made) {
        findings.made = made;
        if (made > kMostMade) {
            findings.say(Failure::Made,
                         fmt::format("tick {}{}: {:.3g} J in play made kinetic {:.3g} of {:.3g}, stored {:.3g} of "
                                     "{:.3g}, heat {:.3g} of {:.3g}",
                                     findings.tick, how, scale, after.kinetic, before.kinetic, after.stored,
                                     before.stored, after.heat, before.heat));
        }
    }
}

/// Bullet turns a body by no more than pi/4 per tick.
constexpr double kSlowSpin = 0.7;
/// Rounding of a velocity, as a share of it, and what integration may get wrong of an orientation over the whole run.
constexpr double kSameVelocity = kIsDouble ? 1e-12 : 1e-5;
constexpr double kSameTurn = kIsDouble ? 1e-6 : 1e-3;

/// What nothing can accelerate moves as in a world without elements. (Bullet lets gyroscopic moments turn locked axes:
/// only of bodies that have none.)
void lookAtLocked(const WorldRecipe& recipe, const RecipeWorld& world, const RecipeWorld& plain,
                  WorldFindings& findings) {
    for (std::size_t i = 0; i < recipe.bodies.size(); ++i) {
        const BodyRecipe& body = recipe.bodies[i];
        if (body.isKinematic) continue;
        const btRigidBody& now = *world.bodies()[i];
        for (int k = 0; k < 3; ++k) {
            if (body.linearFactor[k] != 0) continue;
            const auto v = static_cast<double>(now.getLinearVelocity()[k]);
            if (std::abs(v - body.velocity[k]) <= kSameVelocity * body.velocity.norm()) continue;
            findings.say(Failure::Locked,
                         fmt::format("tick {}: body {} has {:.9g} m/s along its locked axis {}, and had "
                                     "{:.9g}",
                                     findings.tick, i, v, k, body.velocity[k]));
        }
        if (!body.angularFactor.isZero(0) || body.shape == BodyShape::Capsule) continue;
        const btVector3 change = now.getAngularVelocity() - plain.bodies()[i]->getAngularVelocity();
        if (static_cast<double>(change.length()) > kSameVelocity * body.angularVelocity.norm()) {
            findings.say(Failure::Locked, fmt::format("tick {}: body {}, which nothing turns, spins faster by {:.3g}",
                                                      findings.tick, i, static_cast<double>(change.length())));
        }
        if (body.angularVelocity.norm() > kSlowSpin * recipe.hz) continue;
        const btMatrix3x3& turned = plain.bodies()[i]->getWorldTransform().getBasis();
        btScalar apart = 0;
        for (int k = 0; k < 3; ++k) {
            apart = std::max(apart, (now.getWorldTransform().getBasis().getColumn(k) - turned.getColumn(k)).length());
        }
        if (static_cast<double>(apart) > kSameTurn) {
            findings.say(Failure::Locked,
                         fmt::format("tick {}: body {}, which nothing turns, is {:.3g} rad from where it "
                                     "would turn",
                                     findings.tick, i, static_cast<double>(apart)));
        }
    }
}

/// What joints made, as the plugin's books have it: Bullet does not tell how fast the links of multibodies are.
void lookAtBooks(const EnergyBook& before, const EnergyBook& after, WorldFindings& findings) {
    const auto sum = [](const EnergyBook& book) {
        return book.kinetic + book.stored + book.dissipated - book.work - book.pushed + book.carried;
    };
    const double scale = before.kinetic + before.stored + std::abs(after.work - before.work);
    const double rise = (sum(after) - sum(before)) / scale;
    findings.rise = std::max(findings.rise, rise);
    if (!(rise > kLargestRise)) return;
    findings.say(Failure::Energy,
                 fmt::format("tick {}: with multibodies the books rise by {:.2g} of the {:.3g} J in play",
                             findings.tick, rise, scale));
}

/// @param hashes of each tick
void runOnce(const WorldRecipe& recipe, WorldFindings& findings, std::vector<std::uint64_t>& hashes) {
    findings.isClosed = recipe.isClosed();
    RecipeWorld world(recipe, {});
    RecipeWorld plain(recipe, {.withPlugin = false});
    WorldEnergy before = world.energy();
    EnergyBook bookBefore = world.plugin().energy();
    findings.isCoupled = true;
    for (findings.tick = 1; findings.tick <= recipe.ticks; ++findings.tick) {
        plain.tick();
        // Ball joints of multibodies may be too much for Bullet's single precision, whatever elements there are.
        if (!plain.notFinite().empty()) return;
        const double pressed = world.couldBePressed();
        const auto start = std::chrono::steady_clock::now();
        try {
            world.tick();
        } catch (const std::exception& error) {
            findings.say(Failure::Refused, fmt::format("tick {}: {}", findings.tick, error.what()));
            return;
        }
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        findings.slowest = std::max(findings.slowest, took.count());
        if (const std::string what = world.notFinite(); !what.empty()) {
            findings.say(Failure::NotFinite, fmt::format("tick {}: {} is not finite", findings.tick, what));
            return;
        }
        findings.isCoupled = findings.isCoupled && world.isAllCoupled();
        const bool canTell = findings.isClosed && findings.isCoupled && !recipe.hasFloor;
        const WorldEnergy after = world.energy();
        const EnergyBook book = world.plugin().energy();
        const bool hasMultiBodies = !recipe.multiBodies.empty();
        if (canTell && hasMultiBodies) lookAtBooks(bookBefore, book, findings);
        lookAtEnergy(recipe, before, after, pressed, canTell && !hasMultiBodies,
                     world.plugin().statistics().fallbacks > 0, findings);
        bookBefore = book;
        if (recipe.hasLockedSpin()) lookAtLocked(recipe, world, plain, findings);
        before = after;
        hashes.push_back(world.hash());
    }
}

}  // namespace

void WorldFindings::say(Failure what, const std::string& how) {
    if (failure != Failure::None) return;
    failure = what;
    std::strncpy(text, how.c_str(), sizeof text - 1);
}

void lookAtOnce(const WorldRecipe& recipe, WorldFindings& findings) {
    std::vector<std::uint64_t> hashes;
    runOnce(recipe, findings, hashes);
}

void lookAt(const WorldRecipe& recipe, WorldFindings& findings) {
    std::vector<std::uint64_t> hashes;
    runOnce(recipe, findings, hashes);
    if (hashes.size() < static_cast<std::size_t>(recipe.ticks)) return;
    const auto repeat = [&](const WorldOptions& options, const char* how) {
        RecipeWorld world(recipe, options);
        for (findings.tick = 1; findings.tick <= recipe.ticks; ++findings.tick) {
            world.tick();
            if (world.hash() != hashes[static_cast<std::size_t>(findings.tick - 1)]) {
                findings.say(Failure::Bits, fmt::format("tick {}: other bits {}", findings.tick, how));
                return;
            }
        }
    };
    repeat({}, "when it is repeated");
    repeat({.threads = 2}, "with two threads");
    const std::vector<bool> areOurs = recipe.bodiesWithElements();
    const bool isOurs = findings.isCoupled && !recipe.hasFloor && recipe.multiBodies.empty() &&
                        std::all_of(areOurs.begin(), areOurs.end(), [](bool isOurBody) { return isOurBody; });
    if (isOurs) repeat({.iterations = 1}, "with one iteration");
    {
        RecipeWorld world(recipe, {});
        const int half = recipe.ticks / 2;
        for (int i = 0; i < half; ++i) world.tick();
        const WorldSnapshot snapshot = world.plugin().saveWorld();
        for (int i = 0; i < 5; ++i) world.tick();
        world.plugin().restoreWorld(snapshot);
        world.setTick(half);
        for (findings.tick = half + 1; findings.tick <= recipe.ticks; ++findings.tick) {
            world.tick();
            if (world.hash() != hashes[static_cast<std::size_t>(findings.tick - 1)]) {
                findings.say(Failure::Bits, fmt::format("tick {}: other bits after a restore", findings.tick));
                return;
            }
        }
    }
}

void WorldSummary::add(const WorldFindings& findings, unsigned long seed) {
    ++m_worlds;
    m_closed += findings.isClosed ? 1 : 0;
    m_rise.see(findings.rise, seed);
    m_made.see(findings.made, seed);
    m_slowest.see(findings.slowest, seed);
}

std::string WorldSummary::text() const {
    return fmt::format(
        "{} worlds, {} of them closed\n"
        "largest rise of energy in a tick, in that in play: {:.2g} (seed {})\n"
        "largest heat and stored energy of a tick of the others, in that in play: {:.2g} (seed {})\n"
        "slowest tick: {:.3g} s (seed {})\n",
        m_worlds, m_closed, m_rise.value, m_rise.seed, m_made.value, m_made.seed, m_slowest.value, m_slowest.seed);
}

}  // namespace elasto::fuzz
