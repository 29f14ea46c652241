#include "bodies/body_kinematics.h"

namespace elasto::flow {

void BodyKinematics::read(const FlowNetwork& network) {
    resize(network.bodies.size());
    for (std::size_t i = 0; i < network.bodies.size(); ++i) set(network.bodies[i], i, Motion::of(network.bodies[i]));
}

void BodyKinematics::resize(std::size_t count) {
    motions.resize(count);
    turns.resize(count);
    inverses.resize(count);
}

void BodyKinematics::turn(const FlowBody& body, std::size_t i) {
    turns[i] = motions[i].q.toRotationMatrix();
    inverses[i] = body.isImmovable() ? Eigen::Matrix3d(Eigen::Matrix3d::Zero()) : inverseInertiaWorld(body, turns[i]);
}

BodyKinematics BodyKinematics::of(const FlowNetwork& network) {
    BodyKinematics now;
    now.read(network);
    return now;
}

}  // namespace elasto::flow
