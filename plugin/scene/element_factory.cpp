#include "element_factory.h"

#include <elasto/elasto.h>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

Placement placementOf(const FlowElement& ends, btRigidBody& a, btRigidBody& b) {
    switch (ends.geometry) {
        case Geometry::AlongAxis:
            return Placement::alongAxis(a, b, ends.pointA, ends.pointB, ends.axis);
        case Geometry::AlongLine:
            return Placement::alongLine(a, b, ends.pointA, ends.pointB);
        case Geometry::AboutAxis:
        case Geometry::EulerAngle:  // not in scenes
        case Geometry::SwingClearance:
        case Geometry::SwingCone:
            break;
    }
    return Placement::aboutAxis(a, b, ends.frameA, ends.frameB, ends.axis);
}

class Maker {
public:
    Maker(ElementType type, const Placement& placement) : m_type(type), m_placement(placement) {}

    std::unique_ptr<ForceElement> operator()(const ElastoGapLaw& law) const {
        return std::make_unique<ElastoGap>(m_placement, law.parameters());
    }
    std::unique_ptr<ForceElement> operator()(const ElastoBacklashLaw& law) const {
        return std::make_unique<ElastoBacklash>(m_placement, law.parameters());
    }
    std::unique_ptr<ForceElement> operator()(const SpringDamperSeriesLaw& law) const {
        return std::make_unique<SpringDamperSeries>(m_placement, law.parameters());
    }
    std::unique_ptr<ForceElement> operator()(const SpringDamperLaw& law) const {
        const SpringDamperParameters& p = law.parameters();
        switch (m_type) {
            case ElementType::Spring:
                return std::make_unique<Spring>(m_placement, p.c, p.s_rel0);
            case ElementType::Damper:
                return std::make_unique<Damper>(m_placement, p.d, p.d_rebound);
            case ElementType::RotationalSpringDamper:
                return std::make_unique<RotationalSpringDamper>(m_placement, p);
            default:
                return std::make_unique<SpringDamperParallel>(m_placement, p);
        }
    }
    /// Laws that have no class of their own.
    template <class LawType>
    std::unique_ptr<ForceElement> operator()(const LawType& law) const {
        return std::make_unique<LawElement<LawType>>(m_placement, law.parameters());
    }

private:
    ElementType m_type;
    const Placement& m_placement;
};

}  // namespace

std::unique_ptr<ForceElement> makeElement(const SceneElement& element, const FlowElement& ends, btRigidBody& a,
                                          btRigidBody& b, btRigidBody& carrier) {
    const Placement placement =
        ends.isGeared()
            ? Placement::gearPair(b, a, carrier, {ends.frameB, ends.geared.frameB, ends.frameA, ends.geared.frameA},
                                  ends.geared.ratio)
            : placementOf(ends, a, b);
    return std::visit(Maker(element.type, placement), element.law);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
