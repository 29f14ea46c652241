#include <elasto/errors.h>
#include <elasto/joint_load.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include "multibody_state.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

JointLoad::JointLoad(btMultiBody& body, int link, Function value)
    : m_body(&body), m_link(link), m_value(std::move(value)) {
    requireJoint("JointLoad", body, link);
    if (!m_value) throw InvalidParameter("JointLoad", "value is an empty function; give one that returns a number");
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
