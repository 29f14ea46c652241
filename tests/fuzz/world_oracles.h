#pragma once
// What must hold for any world.

#include <cstddef>
#include <string>

#include "../sanitizers.h"
#include "world_recipe.h"

namespace elasto::fuzz {

enum class Failure { None, Crash, NotFinite, Energy, Made, Bits, Locked, Refused };

/// Time after which a world hangs [s].
inline constexpr int kSlowestWorld = test::kIsSanitized ? 600 : 60;

/// What one world has shown. Plain data: it is read after its process has ended.
struct WorldFindings {
    Failure failure = Failure::None;
    char text[240] = {};
    int tick = 0;
    double rise = 0;     ///< the largest of a tick, as a share of the energy in play; of worlds on which nothing works
    double slowest = 0;  ///< tick [s]
    double made = 0;     ///< largest heat and stored energy of a tick, in that in play; of worlds with locked axes
    bool isClosed = false;  ///< nothing but gravity works on it
    bool isCoupled = true;  ///< no tick has left an element uncoupled or a network to Bullet

    /// The first failure counts.
    void say(Failure what, const std::string& how);
};

/// Runs a world and looks. What is known when it crashes is in the findings.
void lookAtOnce(const WorldRecipe& recipe, WorldFindings& findings);
/// The same, and runs it again, with two threads, where Bullet solves nothing with one iteration, and after a restore,
/// for the same bits.
void lookAt(const WorldRecipe& recipe, WorldFindings& findings);

/// The worst of many worlds.
class WorldSummary {
public:
    void add(const WorldFindings& findings, unsigned long seed);
    std::string text() const;

private:
    struct Worst {
        double value = 0;
        unsigned long seed = 0;
        void see(double other, unsigned long of) {
            if (other > value) {
                value = other;
                seed = of;
            }
        }
    };
    Worst m_rise, m_made, m_slowest;
    unsigned long m_worlds = 0, m_closed = 0;
};

}  // namespace elasto::fuzz
