#include "bodies_now.h"

namespace elasto::flow {

void BodiesNow::read(const FlowNetwork& network) {
    motions.clear();
    inverses.clear();
    for (const FlowBody& body : network.bodies) {
        motions.push_back(Motion::of(body));
        inverses.push_back(body.isImmovable() ? Eigen::Matrix3d::Zero() : inverseInertiaWorld(body, body.orientation));
    }
}

BodiesNow BodiesNow::of(const FlowNetwork& network) {
    BodiesNow now;
    now.read(network);
    return now;
}

}  // namespace elasto::flow
