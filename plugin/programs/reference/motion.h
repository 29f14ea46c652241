#pragma once
// What the integrator needs to know of one independent group of bodies and elements.

#include "characteristic.h"

#include <elasto/reference/reference.h>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace elasto::reference {

class Motion {
public:
    using Vector = Eigen::VectorXd;
    using Branches = std::vector<Branch>;

    virtual ~Motion() = default;

    /// Of the state vector: first what the motion depends on, last integrals on which nothing depends.
    virtual int size() const = 0;
    /// Leading part of the state that the motion depends on.
    virtual int dynamicSize() const = 0;
    /// Indices in the problem.
    virtual const std::vector<int>& elements() const = 0;

    virtual Vector startState() const = 0;
    virtual Branches startBranches() const = 0;
    /// Typical sizes of the state's components, for absolute tolerances. @param times at which loads are sampled
    virtual Vector scales(std::span<const double> times) const = 0;

    /// Share of the tolerances that the state needs: more of its components than the motion has freedoms add up errors.
    virtual double toleranceShare() const { return 1; }
    /// Share of their scales below which components are no more than rounding of what balances in them.
    virtual double leastFloor() const { return 0; }

    /// Drives are taken from within this interval, so that a jump at its ends is not seen.
    virtual void setInterval(double from, double to) = 0;

    virtual void derivative(double t, const double* y, const Branches& branches, double* dy) const = 0;

    /// What has branches, named by its place: the elements first, then what else sticks and lets go, such as motors.
    virtual int placeCount() const { return static_cast<int>(elements().size()); }
    int boundaryCount() const { return placeCount() * Characteristic::kMaxBoundaries; }
    /// Boundary functions of all places, >= 0 while the branches hold.
    virtual void boundaries(double t, const double* y, const Branches& branches, double* g) const = 0;
    /// How many of a place's first boundary functions are distances to edges of the free range.
    virtual int distanceCount(int local, Branch branch) const = 0;
    /// Whether anything has more than one branch.
    virtual bool hasBranches() const = 0;
    /// Values below which a negative boundary function is rounding or integration error.
    virtual void boundaryNoise(double t, const double* y, const Branches& branches, const Vector& errors,
                               double* noise) const = 0;
    /// Per place: a bound of how fast its s can change if the bodies keep their velocities, whatever its direction.
    virtual void speedBounds(double t, const double* y, double* speeds) const = 0;
    /// The branch of what is at place `local` beyond one of its boundaries.
    virtual Branch beyond(double t, const double* y, const Branches& branches, int local, int boundary) const = 0;
    /// Puts the state of what is at place `local` where its new branch begins, to the last bit: what is left of it by
    /// errors would end the branch at once.
    virtual void settle(int local, Branch branch, double* y) const = 0;
    /// Rate of what is at place `local`.
    virtual double rate(double t, const double* y, int local) const = 0;

    /// Writes the group's bodies and elements into a state of the whole problem.
    virtual void report(double t, const double* y, const Branches& branches, ReferenceState& state) const = 0;

    /// Takes up what a jump of what is driven changes at once, at the start of an interval.
    virtual void meet(double, Vector&) const {}

    /// Whether what was chosen for the present state has come to an end of its usefulness.
    virtual bool isWornOut(double t, const double* y) const = 0;
    /// Chooses anew.
    virtual void renew(double t, const double* y) = 0;
};

}  // namespace elasto::reference
