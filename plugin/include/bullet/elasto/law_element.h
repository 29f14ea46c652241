#pragma once
/// @file law_element.h
/// An element between rigid bodies that is made of one law.

#include <elasto/force_element.h>

#include <type_traits>
#include <utility>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// ForceElement with the parameters of its law. Modelica's components derive from it; what has no class of its own is
/// used as it is: `LawElement<BushingLaw>(placement, parameters)`.
template <class LawType>
class ELASTO_API LawElement : public ForceElement {
public:
    /// Struct of the law's parameters, e.g. ElastoGapParameters.
    using Parameters = std::decay_t<decltype(std::declval<const LawType&>().parameters())>;

    /// Any placement. @throws InvalidParameter
    LawElement(const Placement& placement, const Parameters& parameters)
        : LawElement(placement, parameters, nameFor(placement)) {}

    /// Modelica's name of the type: the law's, as it is called along or about an axis.
    const char* typeName() const override { return m_typeName; }
    const Parameters& parameters() const { return std::get<LawType>(law()).parameters(); }  ///< at present
    /// Changes the parameters between ticks, and wakes bodies that sleep; the inner state stays. @throws
    /// InvalidParameter where one is not allowed; nothing is changed then
    void setParameters(const Parameters& parameters) { setLaw(LawType(parameters, label().c_str())); }

protected:
    /// @param typeName must last as long as the element
    LawElement(const Placement& placement, const Parameters& parameters, const char* typeName)
        : ForceElement(placement, LawType(parameters, typeName), typeName), m_typeName(typeName) {}

private:
    static const char* nameFor(const Placement& placement) {
        for (const ElementTypeInfo& info : LawType::types()) {
            if ((info.placing == Placing::Rotation) == isRotational(placement.geometry())) return info.name;
        }
        return LawType::types().front().name;
    }

    const char* m_typeName;
};

// In the library, so that these classes are the same ones in a program that is compiled with -fno-rtti.
extern template class ELASTO_API LawElement<SpringDamperLaw>;
extern template class ELASTO_API LawElement<ElastoGapLaw>;
extern template class ELASTO_API LawElement<ElastoBacklashLaw>;
extern template class ELASTO_API LawElement<SpringDamperSeriesLaw>;
extern template class ELASTO_API LawElement<BushingLaw>;
extern template class ELASTO_API LawElement<BumpStopLaw>;
extern template class ELASTO_API LawElement<RopeLaw>;
extern template class ELASTO_API LawElement<FrictionLaw>;

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
