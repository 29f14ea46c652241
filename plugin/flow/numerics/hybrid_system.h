#pragma once
// What an adaptive integrator needs to know of a problem that is smooth in phases: y' = f(t, y) in the present phase,
// and event functions whose fall through zero changes the phase.

#include <Eigen/Core>
#include <Eigen/LU>

#include <limits>

namespace elasto::flow {

/// A system of ordinary differential equations whose right-hand side changes at events.
///
/// Within a phase f must be smooth and must stay defined a little beyond the phase's end, because a step is tried
/// before anyone knows that an event lies in it.
class HybridSystem {
public:
    virtual ~HybridSystem() = default;

    virtual Eigen::Index size() const = 0;
    /// f(t, y) of the present phase. @param dydt has size(); every entry is written
    virtual void derivative(double t, const Eigen::VectorXd& y, Eigen::VectorXd& dydt) = 0;

    /// @name Linearly implicit steps (RODAS4)
    /// The defaults take df/dy and df/dt by forward differences and factor the dense matrix. A system that knows its
    /// structure overrides all of linearise, factor and solve.
    ///@{
    /// Fixes df/dy and df/dt at (t, y) for the following calls.
    virtual void linearise(double t, const Eigen::VectorXd& y);
    /// Prepares g I - df/dy, g > 0. @return false if the matrix is singular or not finite
    virtual bool factor(double g);
    /// Solves (g I - df/dy) x = r in place.
    virtual void solve(Eigen::VectorXd& r) const;
    /// df/dt at the point of linearisation. @param dfdt has size(); every entry is written
    virtual void timeDerivative(Eigen::VectorXd& dfdt) const;
    ///@}

    /// Size of a step's error estimate in units of what is allowed: <= 1 accepts the step. May be NaN (rejects).
    /// @param y the state at the step's start
    virtual double errorNorm(const Eigen::VectorXd& error, const Eigen::VectorXd& y, double dt) const = 0;
    /// A step that is not much too long at the beginning of a phase, where nothing is known from earlier steps [s]. The
    /// derivative at (t, y) was the last to be asked for, unless none is.
    virtual double firstStep(double /*t*/, const Eigen::VectorXd& /*y*/) const {
        return std::numeric_limits<double>::infinity();
    }

    /// Longest step of the present phase between whose ends all events can be found [s].
    virtual double longestStep() const { return std::numeric_limits<double>::infinity(); }

    /// Number of event functions in the present phase.
    virtual int eventCount() const = 0;
    /// Event functions depend only on t and on the first eventStateSize() entries of y; only those are interpolated
    /// between the ends of a step.
    virtual Eigen::Index eventStateSize() const { return size(); }
    /// Event function i: >= 0 while the phase lasts (up to rounding at its beginning); its fall through 0 ends the
    /// phase. Must be smooth along a solution of the phase.
    virtual double eventValue(int i, double t, const Eigen::VectorXd& y) const = 0;
    /// Whether all event functions are so far from zero at both ends of a step that none falls through it in between.
    virtual bool isFarFromEvents(double /*t*/, const Eigen::VectorXd& /*y*/, double /*dt*/,
                                 const Eigen::VectorXd& /*end*/) const {
        return false;
    }
    /// Whether an event function is linear in t and y.
    virtual bool isEventLinear(int /*i*/) const { return false; }
    /// Value of event function i up to which a step that ends near the event ends on it.
    virtual double eventSlack(int /*i*/) const { return 0; }
    /// The event function i has fallen through zero at (t, y): changes the phase, and may take out of y what rounding
    /// left to the boundary. Where phases chatter, y may lie beyond the boundary by more than that.
    virtual void crossEvent(int i, double t, Eigen::VectorXd& y) = 0;
    /// Asked after each crossed event: true ends the integration there.
    virtual bool shouldReturn() const { return false; }

    /// Called with each accepted state, before events are crossed; may project y (normalise quaternions, ...).
    /// @return true if y was changed
    virtual bool stepAccepted(double /*t*/, Eigen::VectorXd& /*y*/) { return false; }

protected:
    /// True if the factors of a matrix (PartialPivLU::matrixLU) are finite and have no zero pivot.
    static bool isRegular(const Eigen::MatrixXd& factors);

private:
    Eigen::MatrixXd m_jacobian;
    Eigen::VectorXd m_timeDerivative;
    Eigen::PartialPivLU<Eigen::MatrixXd> m_lu;
};

}  // namespace elasto::flow
