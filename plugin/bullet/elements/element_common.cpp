#include <elasto/element_common.h>
#include <elasto/errors.h>

#include <cmath>

#include "network/element_access.h"
#include "network/solved_network.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

ElementCommon::ElementCommon(Law law) : m_law(std::move(law)) {
    m_damperLength = innerStart(m_law);
}

ElementCommon::Extras& ElementCommon::extras() {
    if (!m_extras) m_extras = std::make_unique<Extras>();
    return *m_extras;
}

const ElementCommon::Extras& ElementCommon::noExtras() {
    static const Extras none;
    return none;
}

void ElementAccess::writeLabel(const ElementCommon& element, std::string& label) {
    label = element.typeName();
    if (!element.name().empty()) label.append(" '").append(element.name()).append("'");
}

void ElementAccess::requireReach(const ElementCommon& element, Geometry geometry, const char* owner) {
    const ReducedLaw law = reduced(element.law());
    if (geometry != Geometry::AlongLine || law.actsOnLines()) return;
    throw InvalidParameter(owner, "s_rel0", law.edgeLow,
                           "> 0 on a line, which is never shorter than 0: it would never act");
}

std::string ElementCommon::label() const {
    std::string label;
    ElementAccess::writeLabel(*this, label);
    return label;
}

void ElementCommon::setT(double T) {
    if (!(T > 0) || !std::isfinite(T)) {
        throw InvalidParameter(label(), "T", T, "finite and > 0");
    }
    extras().temperature = T;
}

void ElementCommon::setF_normalized(std::function<double(double t)> value, NextBreak nextBreak) {
    extras().f_normalized = std::move(value);
    extras().nextBreak = std::move(nextBreak);
    wakeBodies();
}

double ElementCommon::TheatPort() const {
    return heatPort() ? heatPort()->temperature() : extras().temperature;
}

void ElementCommon::setS_damper(double s_damper) {
    if (!std::isfinite(s_damper)) {
        throw InvalidParameter(label(), "s_damper", s_damper, "finite");
    }
    m_damperLength = s_damper;
    wakeBodies();
}

Readout readoutOf(const FlowElement& element, const Measure& measure) {
    return readoutOf(element.law, measure.s, measure.v, element.s_damper);
}

Readout readoutOf(const Law& law, double s, double v, double s_damper) {
    Readout readout;
    readout.s_rel = s;
    readout.v_rel = v;
    readout.s_damper = s_damper;
    readout.force = evaluate(law, s, v, s_damper);
    readout.lossPower = lossPower(law, s, v, s_damper);
    readout.dissipatedPower = dissipatedPower(law, s, v, s_damper);
    readout.storedEnergy = storedEnergy(law, s, s_damper);
    return readout;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
