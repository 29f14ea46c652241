#include <elasto/errors.h>
#include <elasto/joint_load.h>

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <limits>

#include "multibody/multibody_state.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

JointLoad::JointLoad(btMultiBody& body, int link, Function value, NextBreak nextBreak)
    : m_body(&body), m_link(link), m_value(std::move(value)), m_nextBreak(std::move(nextBreak)) {
    requireJoint("JointLoad", body, link);
    if (!m_value) throw InvalidParameter("JointLoad", "value is an empty function; give one that returns a number");
}

double JointLoad::nextBreak(double t) const {
    return m_nextBreak ? m_nextBreak(t) : std::numeric_limits<double>::infinity();
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
