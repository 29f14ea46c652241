#pragma once
// Bodies that move and turn under their elements within the tick: the general case, for the adaptive integrators.

#include "geometry.h"
#include "held_rows.h"
#include "hybrid_system.h"
#include "row_law.h"

#include <vector>

namespace elasto::flow {

/// Share of the tolerance that an explicit step may use up. Bodies that swing on a stiff line ring for thousands of
/// radians, and what a step gets wrong adds up in the phase; at order 8 a hundredth costs half as many steps again.
inline constexpr double kTurningShare = 0.01;

/// State vector: per movable body x (3), q (4), v (3), w (3); per element s_damper; then the quadratures: per element
/// impulse and heat, and the work of everything but the elements and constant forces.
class TurningSystem : public HybridSystem {
public:
    /// @param h the whole tick [s], for scales
    TurningSystem(const FlowNetwork& network, double h, const FlowSettings& settings);

    Eigen::VectorXd startState() const;
    Motion motionOf(int body, double t, const Eigen::VectorXd& y) const;
    Row rowOf(std::size_t element, double t, const Eigen::VectorXd& y) const;
    double damperLength(std::size_t element, const Eigen::VectorXd& y) const { return y[zIndex(element)]; }
    double impulse(std::size_t element, const Eigen::VectorXd& y) const { return y[pIndex(element)]; }
    double heat(std::size_t element, const Eigen::VectorXd& y) const { return y[heatIndex(element)]; }
    double work(const Eigen::VectorXd& y) const { return y[workIndex()]; }
    const std::vector<ContactEvent>& events() const { return m_events; }
    const FlowNetwork& network() const { return m_network; }
    /// True if an element that acts now is too strongly damped, or oscillates too fast, for explicit steps.
    bool isStiff(double t, const Eigen::VectorXd& y) const;
    /// Error allowed per step, relative to the largest speed.
    void setTolerance(double tolerance) { m_tolerance = tolerance; }
    /// Whether to end the integration when a contact begins that is stiff.
    void returnAtStiffness(bool on) { m_returnAtStiffness = on; }

    Eigen::Index size() const override { return workIndex() + 1; }
    void derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) override;
    // In turning_linearised.cpp: poses, damper lengths and quadratures are eliminated, 6 unknowns per body remain.
    void linearise(double t, const Eigen::VectorXd& y) override;
    bool factor(double g) override;
    void solve(Eigen::VectorXd& r) const override;
    void timeDerivative(Eigen::VectorXd& dfdt) const override { dfdt = m_linear.byTime; }
    double errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double dt) const override;
    double firstStep(double t, const Eigen::VectorXd& y) const override;
    int eventCount() const override { return static_cast<int>(m_exits.size()); }
    Eigen::Index eventStateSize() const override { return pIndex(0); }
    double eventValue(int i, double t, const Eigen::VectorXd& y) const override;
    void crossEvent(int i, double t, Eigen::VectorXd& y) override;
    bool shouldReturn() const override { return m_stiffContactBegan; }
    bool stepAccepted(double t, Eigen::VectorXd& y) override;

private:
    struct PendingExit {
        std::size_t element;
        Exit exit;
    };

    struct BodyRates {  // of a movable body by itself
        Vector6 acceleration;
        double work = 0;
    };
    struct ElementRates {
        Vector6 accelerationA = Vector6::Zero();
        Vector6 accelerationB = Vector6::Zero();
        double f = 0;
        double damper = 0;
        double heat = 0;
        double work = 0;  // of a driven body
    };
    // (g I - df/dy) x = r, block by block. Columns of bodies: 3 translations and 3 rotations, or velocities. The rows
    // "rest" are the quadratures.
    struct Linearised {
        Eigen::VectorXd byTime;
        Eigen::MatrixXd accelerationByPose, accelerationByVelocity, accelerationByDamper;
        Eigen::MatrixXd damperByPose;  // of z'
        Eigen::VectorXd damperByDamper;
        Eigen::MatrixXd restByPose, restByVelocity, restByDamper;
        std::vector<Eigen::Matrix4d> quaternionByItself;
        std::vector<Eigen::Matrix<double, 4, 3>> quaternionBySpin;
        std::vector<Eigen::Matrix<double, 3, 4>> rotationByQuaternion;
        // For one g:
        double g = 0;
        std::vector<Eigen::Matrix4d> quaternionInverse;
        Eigen::VectorXd damperInverse;
        Eigen::PartialPivLU<Eigen::MatrixXd> lu;
    };

    void addJointForces(Eigen::VectorXd& dydt);
    void readBody(std::size_t body, double t, const Eigen::VectorXd& y, BodiesNow& bodies) const;
    BodyRates bodyRates(std::size_t body, double t, const BodiesNow& bodies) const;
    ElementRates elementRates(std::size_t element, double z, const BodiesNow& bodies) const;
    void differentiateBody(std::size_t body, double t, const Eigen::VectorXd& y, const BodiesNow& bodies);
    void differentiateDamper(std::size_t element, double z, const BodiesNow& bodies);
    void holdColumn(std::size_t body, const BodiesNow& moved, double step, Eigen::Ref<Eigen::VectorXd> column) const;
    Eigen::VectorXd posesOf(const Eigen::VectorXd& r) const;

    std::size_t elementCount() const { return m_network.elements.size(); }
    Eigen::Index bodyIndex(int body) const { return 13 * m_slots[static_cast<std::size_t>(body)]; }
    bool isMovable(int body) const { return body != kWorld && m_slots[static_cast<std::size_t>(body)] >= 0; }
    Eigen::Index zIndex(std::size_t element) const { return 13 * m_movable + static_cast<Eigen::Index>(element); }
    Eigen::Index pIndex(std::size_t element) const { return zIndex(elementCount() + element); }
    Eigen::Index heatIndex(std::size_t element) const { return zIndex(2 * elementCount() + element); }
    Eigen::Index workIndex() const { return zIndex(3 * elementCount()); }
    double ownInverseMass(std::size_t element, const Row& row, double t, const Eigen::VectorXd& y) const;
    void listExits();

    const FlowNetwork& m_network;
    const FlowSettings& m_settings;
    double m_h;
    double m_tolerance;
    double m_poseStep = 1e-9;           // of forward differences [m, -]
    std::vector<Eigen::Index> m_slots;  // place among the movable bodies, -1 for immovable ones
    Eigen::Index m_movable = 0;
    std::vector<RowLaw> m_laws;
    std::vector<Phase> m_phases;
    std::vector<double> m_phi;  // last accepted angle: keeps the count of turns
    std::vector<PendingExit> m_exits;
    std::vector<ContactEvent> m_events;
    BodiesNow m_bodies;  // of the last derivative, here so that it allocates nothing
    HeldRows m_held;
    std::vector<Vector6> m_accelerations;
    Eigen::VectorXd m_jointForces;
    Linearised m_linear;
    bool m_returnAtStiffness = false;
    bool m_stiffContactBegan = false;
};

/// Steps for a body that tumbles by itself: enough for about 2000 rad.
inline constexpr int kFreeSteps = 4000;
/// Orientation and angular velocity after h of a body that only its own torque load turns.
Motion freeRotation(const FlowBody& body, double h, int maxSteps = kFreeSteps);
/// State after h of a body that only its own loads move.
BodyState freeMotion(const FlowBody& body, double h, int maxSteps = kFreeSteps);

}  // namespace elasto::flow
