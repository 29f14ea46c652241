#pragma once
/// @file held_joints.h
/// What the joints of a scene hold while a rest is looked for.

#include <elasto/scene/description.h>

#include <Eigen/Core>

#include <string>
#include <vector>

#include "statics.h"

namespace elasto::tools {

/// Joints hold; a motor holds its joint's coordinate where it starts; an end of a joint's range holds as long as
/// something presses against it. A row's value is 0 where it is held, and grows with the joint's coordinate.
class HeldJoints {
public:
    /// @param scene must outlive it @throws InvalidParameter for a motor that wants to move: nothing can rest then
    HeldJoints(const Scene& scene, const FlowNetwork& start);

    bool isEmpty() const { return m_rows.empty(); }

    /// What is left to the bodies, and what holds them, where these forces act.
    struct Hold {
        /// Displacements of the bodies that keep all that is held, by coordinates in which mass is 1: with F it
        /// accelerations are F F^T forces.
        Eigen::MatrixXd free;
        Eigen::VectorXd forces;  ///< of rows that hold: their least squares [N, N.m]
        Eigen::VectorXd left;    ///< on the bodies, with these
    };
    Hold hold(const Statics& statics, const Eigen::VectorXd& forces) const;
    /// The same, after ends of ranges that would pull have let go.
    Hold letGo(const Statics& statics, const Eigen::VectorXd& forces);
    /// What these forces of rows add to the stiffness: their directions turn with the bodies.
    Eigen::MatrixXd stiffness(const Statics& statics, const Eigen::VectorXd& forces) const;
    /// Moves the bodies to where all that is held is closed; ends of ranges that were passed hold from here on.
    void close(Statics& statics);

    /// Largest value of what is held [m, rad].
    double opening(const Statics& statics) const;
    /// The motor that would have to do more than it can, as a sentence; empty: there is none.
    std::string weakMotor(const Statics& statics, const Eigen::VectorXd& forces) const;

private:
    enum class End { None, Lower, Upper };
    struct Row {
        HeldRow row;
        std::size_t joint = 0;  ///< of a motor or an end
        double largest = 0;     ///< of a motor; 0: it is none
        End end = End::None;
        double limit = 0;  ///< of an end: the coordinate there
        bool holds = true;
    };

    void project(Statics& statics) const;
    std::vector<const Row*> holding() const;

    const Scene* m_scene;
    std::vector<Row> m_rows;
};

}  // namespace elasto::tools
