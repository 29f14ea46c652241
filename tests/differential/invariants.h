#pragma once
// What must hold for any run of a scene, whatever the reference says.

#include <elasto/scene/description.h>
#include <elasto/scene/sample.h>

#include <string>
#include <vector>

#include "bounds.h"

namespace elasto::differential {

/// Breach::what of a body that moved and stands for two rows or more.
inline constexpr const char* kStandsStill = "stands still";

/// Something that must hold and does not.
struct Breach {
    std::string what;  ///< e.g. "momentum"
    double share = 0;  ///< by how much, as a share of what it is compared with, or in m and rad
    double bound = 0;  ///< what is allowed of it
    double time = 0;   ///< when it was first beyond the bound [s]
};

/// Looks at a run row by row.
class Invariants {
public:
    Invariants(const Scene& scene, const Bounds& bounds);

    void see(const SceneSample& sample);
    /// Of all that is beyond its bound, the worst of each kind.
    std::vector<Breach> breaches() const;
    double energyInPlay() const { return m_energyInPlay; }        ///< the most so far [J]
    bool hasMotorGivenWay() const { return m_hasMotorGivenWay; }  ///< one that had its speed has lost it

private:
    struct Watch {
        std::string what;
        double bound = 0;
        double share = 0;
        double time = -1;  // first beyond the bound; never: < 0
    };
    void note(std::size_t watch, double share, double time);
    void seeMomentum(const SceneSample& sample);
    void seeEnergy(const SceneSample& sample);
    void seeJoints(const SceneSample& sample);
    void seeSpin(const SceneSample& sample);
    void seeStanding(const SceneSample& sample);
    void seeMotors(const SceneSample& sample);

    const Scene& m_scene;
    bool m_isFloating, m_isClosed, m_isLossless, m_canRest;
    std::vector<int> m_coasting;
    std::vector<Watch> m_watches;
    SceneSample m_start, m_last;
    bool m_hasStarted = false, m_hasMotorGivenWay = false;
    double m_momentum = 0, m_angularMomentum = 0;  // the largest sums of absolute values so far
    double m_energyInPlay = 0;
    std::vector<int> m_stood;  // by body: rows in a row in which it stood still
};

}  // namespace elasto::differential
