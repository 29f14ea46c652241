#pragma once
// CVODE's C interface behind one class: create, restart, step, interpolate, clean up.

#include <elasto/reference/reference.h>

#include <Eigen/Core>

#include <functional>
#include <memory>
#include <vector>

namespace elasto::reference {

/// One integrator of one family of methods for a system of fixed size.
class CvodeSession {
public:
    struct System {
        std::function<void(double t, const double* y, double* dy)> derivative;
        std::function<void(double t, const double* y, double* g)> boundaries;  ///< a fall through zero is an event
        int size = 0;
        int boundaryCount = 0;
    };
    enum class Outcome { Stepped, Root };

    /// @param method Adams or Bdf; the system must outlive the session
    CvodeSession(const System& system, ReferenceMethod method, double rtol, const Eigen::VectorXd& atol);
    ~CvodeSession();
    CvodeSession(const CvodeSession&) = delete;
    CvodeSession& operator=(const CvodeSession&) = delete;

    /// Starts anew at (t, y), with no memory of what was before. It will not step beyond `stop`.
    void restart(double t, const Eigen::VectorXd& y, double stop);
    /// One step, or up to the first root in it. @throws ReferenceError
    Outcome step();
    /// End of the last step, or the root.
    double time() const;
    /// Boundary functions (by index) that fell through zero at the root.
    std::vector<int> roots() const;
    /// The solution at a time within the last step.
    void interpolate(double t, Eigen::VectorXd& y) const;

    long steps() const;
    long evaluations() const;

private:
    struct Handles;
    std::unique_ptr<Handles> m_handles;
};

}  // namespace elasto::reference
