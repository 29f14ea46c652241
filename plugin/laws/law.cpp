#include <elasto/law.h>

#include <type_traits>

namespace elasto {

namespace {

// The series element is the one law of the list that depends on an inner state instead of a velocity.
template <typename AnyLaw>
constexpr bool kIsSeries = std::is_same_v<AnyLaw, SpringDamperSeriesLaw>;

}  // namespace

ForceTerms evaluate(const Law& law, double s, double v, double s_damper) {
    return std::visit(
        [&]<typename AnyLaw>(const AnyLaw& any) { return any.evaluate(s, kIsSeries<AnyLaw> ? s_damper : v); }, law);
}

double storedEnergy(const Law& law, double s, double s_damper) {
    return std::visit(
        [&]<typename AnyLaw>(const AnyLaw& any) {
            if constexpr (kIsSeries<AnyLaw>) {
                return any.storedEnergy(s, s_damper);
            } else {
                return any.storedEnergy(s);
            }
        },
        law);
}

double lossPower(const Law& law, double s, double v, double s_damper) {
    return std::visit(
        [&]<typename AnyLaw>(const AnyLaw& any) { return any.lossPower(s, kIsSeries<AnyLaw> ? s_damper : v); }, law);
}

double dissipatedPower(const Law& law, double s, double v, double s_damper) {
    return std::visit(
        [&]<typename AnyLaw>(const AnyLaw& any) { return any.dissipatedPower(s, kIsSeries<AnyLaw> ? s_damper : v); },
        law);
}

}  // namespace elasto
