#include "bodies/body_kinematics.h"

namespace elasto::flow {

void BodiesNow::read(const FlowNetwork& network) {
    resize(network.bodies.size());
    for (std::size_t i = 0; i < network.bodies.size(); ++i) set(network.bodies[i], i, Motion::of(network.bodies[i]));
}

void BodiesNow::resize(std::size_t count) {
    motions.resize(count);
    turns.resize(count);
    inverses.resize(count);
}

void BodiesNow::turn(const FlowBody& body, std::size_t i) {
    turns[i] = motions[i].q.toRotationMatrix();
    inverses[i] = body.isImmovable() ? Eigen::Matrix3d(Eigen::Matrix3d::Zero()) : inverseInertiaWorld(body, turns[i]);
}

BodiesNow BodiesNow::of(const FlowNetwork& network) {
    BodiesNow now;
    now.read(network);
    return now;
}

}  // namespace elasto::flow
