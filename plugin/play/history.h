#pragma once
/// @file history.h
/// What was seen of a run, tick by tick: for plots, ghosts and the timeline. It never flows back into the physics.

#include <elasto/grade.h>
#include <elasto/scene/scene_world.h>
#include <elasto/statistics.h>

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <map>
#include <optional>
#include <vector>

namespace elasto::play {

/// Pose of a body (centre of mass, Bullet's frame) as it is drawn.
struct Pose {
    Eigen::Vector3f position = Eigen::Vector3f::Zero();               ///< [m]
    Eigen::Quaternionf orientation = Eigen::Quaternionf::Identity();  ///< body -> world
};

/// One number of an element that can be plotted.
enum class Quantity {
    S,                     ///< s_rel, s or phi_rel [m, rad]
    V,                     ///< v_rel, w_rel [m/s, rad/s]
    Force,                 ///< f, tau [N, N.m]
    SpringForce,           ///< f_c
    DamperForce,           ///< f_d, that acts
    UnlimitedDamperForce,  ///< f_d2
    MeanForce,             ///< f over the tick that ends now
    LossPower,             ///< lossPower [W]
    DissipatedPower,       ///< [W]
    Heat,                  ///< since the start [J]
    StoredEnergy,          ///< [J]
    DamperLength,          ///< s_damper [m]
    Contact,               ///< 0 or 1
    FlangeA,               ///< drives and gear pairs: the motor, or the second joint, on flange_b's side of the gear
    FlangeB,               ///< its joint, or the first one [rad, m]
};
inline constexpr int kQuantities = 15;
/// Modelica's name of a quantity, e.g. "f_c".
const char* quantityName(Quantity quantity, Geometry geometry);
/// Its unit, e.g. "N".
const char* quantityUnit(Quantity quantity, Geometry geometry);

/// Value of a quantity.
double valueOf(const ElementSample& sample, Quantity quantity);

/// A joint of a robot at one time.
struct JointSample {
    double q = 0;       ///< [rad, m]
    double v = 0;       ///< [rad/s, m/s]
    double target = 0;  ///< of its servo [rad, m; Velocity rad/s, m/s; Effort N.m, N]; NaN: nothing drives it to one
};

/// Ticks one after the other that are not exact, and equally good.
struct GradeSpan {
    long first = 0;  ///< the tick that ends with this row
    long last = 0;
    Grade grade = Grade::Approximate;
};

inline namespace ELASTO_BULLET_NAMESPACE {

/// Rows for the ticks firstTick() .. lastTick() of one run. Row 0 of a run is its start.
class History {
public:
    /// @param joints of robots @param firstTick tick of the first row that will be added
    History(std::size_t bodies, std::size_t elements, std::size_t joints = 0, long firstTick = 0);

    long firstTick() const { return m_first; }
    long lastTick() const { return m_first + static_cast<long>(m_energy.size()) - 1; }  ///< < firstTick(): no rows
    bool has(long tick) const { return tick >= m_first && tick <= lastTick(); }
    std::size_t bodies() const { return m_bodies; }
    std::size_t elements() const { return m_elements; }
    std::size_t joints() const { return m_joints; }
    std::size_t bytes() const;  ///< memory of the rows

    // @throws std::out_of_range if there is no such row, body, element or joint
    const Pose& pose(long tick, std::size_t body) const;
    const ElementSample& element(long tick, std::size_t element) const;
    double value(long tick, std::size_t element, Quantity quantity) const;
    const JointSample& joint(long tick, std::size_t joint) const;
    const EnergyBook& energy(long tick) const;  ///< of elements and their bodies
    /// Energy that the elements and their bodies have, less what was put into them by loads, motors and the user, and
    /// what came with bodies and elements that joined them: it rises by the numerical error of the solution, and where
    /// joints and contacts make energy, as Bullet's do when they push apart what overlaps [J].
    double energyGauge(long tick) const;
    /// Values of a quantity from one tick to another, both included.
    std::vector<double> column(std::size_t element, Quantity quantity, long from, long to) const;

    /// How good the tick was that ended with a row; exact at a run's start.
    const TickGrade& grade(long tick) const;
    /// All ticks that were not exact, in the order of time.
    const std::vector<GradeSpan>& inexact() const { return m_inexact; }
    /// The worst of them: of those that failed, if there are any, the one with the largest error, and the first of
    /// equal ones. Nothing where all are exact.
    std::optional<long> worstTick() const;

    /// A row. @param grade of the tick that ended with it; where none is known (baselines, references) exact
    /// @param joints as many as the history has
    void add(const SceneSample& sample, const EnergyBook& energy, const TickGrade& grade = {},
             const std::vector<JointSample>& joints = {});
    /// Elements were switched, or joints placed, after the row of a tick: energy goes with them, or comes. In the tick
    /// after it the gauge holds still, for nobody can tell the one from the other there.
    void noteSwitch(long tick);
    /// Takes the rows after a tick out and returns them.
    History cutAfter(long tick);
    /// Forgets rows before a tick.
    void forgetBefore(long tick);

private:
    std::size_t rowOf(long tick) const;
    void noteGrade(long tick);
    void findInexact();

    std::size_t m_bodies;
    std::size_t m_elements;
    std::size_t m_joints;
    long m_first;
    std::vector<Pose> m_poses;                ///< row by row
    std::vector<ElementSample> m_samples;     ///< row by row
    std::vector<JointSample> m_jointSamples;  ///< row by row
    std::vector<EnergyBook> m_energy;
    std::vector<TickGrade> m_grades;   ///< row by row
    std::vector<GradeSpan> m_inexact;  ///< of them
    /// Energy that came with elements when they were switched, by tick [J]; nothing: its next row is not there yet.
    std::map<long, std::optional<double>> m_switched;
};

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
