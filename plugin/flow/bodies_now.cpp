#include "bodies_now.h"

namespace elasto::flow {

BodiesNow BodiesNow::of(const FlowNetwork& network) {
    BodiesNow now;
    for (const FlowBody& body : network.bodies) {
        now.motions.push_back(Motion::of(body));
        now.inverses.push_back(body.isImmovable() ? Eigen::Matrix3d::Zero()
                                                  : inverseInertiaWorld(body, body.orientation));
    }
    return now;
}

}  // namespace elasto::flow
