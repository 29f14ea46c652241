#include <elasto/errors.h>
#include <elasto/law.h>

#include <algorithm>
#include <string>

namespace elasto {

namespace {

/// The places of parameters that measure this in a law's list; -1: there is none.
int placeOf(std::span<const LawParameter> list, Measured measured) {
    const auto is = [&](const LawParameter& parameter) { return parameter.measured == measured; };
    const auto found = std::find_if(list.begin(), list.end(), is);
    return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

/// Calls visit.operator()<L>() for the law of an index.
template <typename Visit, std::size_t... I>
auto visitLaw(std::size_t index, const Visit& visit, std::index_sequence<I...>) {
    using Result = decltype(visit.template operator()<std::variant_alternative_t<0, Law>>());
    Result result{};
    ((index == I ? static_cast<void>(result = visit.template operator()<std::variant_alternative_t<I, Law>>())
                 : static_cast<void>(0)),
     ...);
    return result;
}

constexpr auto kLaws = std::make_index_sequence<std::variant_size_v<Law>>();

std::vector<ElementTypeInfo> collectTypes() {
    std::vector<ElementTypeInfo> all;
    for (std::size_t law = 0; law < std::variant_size_v<Law>; ++law) {
        for (ElementTypeInfo info : visitLaw(
                 law, []<typename L>() { return L::types(); }, kLaws)) {
            info.law = law;
            all.push_back(std::move(info));
        }
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.type < b.type; });
    return all;
}

}  // namespace

const char* unitOf(Measured measured, bool isAngle) {
    switch (measured) {
        case Measured::Stiffness:
            return isAngle ? "N.m/rad" : "N/m";
        case Measured::Damping:
            return isAngle ? "N.m.s/rad" : "N.s/m";
        case Measured::Force:
            return isAngle ? "N.m" : "N";
        case Measured::PerSpeed:
            return isAngle ? "s/rad" : "s/m";
        case Measured::Place:
        case Measured::Limit:
        case Measured::Length:
        case Measured::InnerStart:
            return isAngle ? "rad" : "m";
        case Measured::Number:
        case Measured::Choice:
        case Measured::Table:
            break;
    }
    return "";
}

// A law with an inner state takes it after the speed.
ForceTerms evaluate(const Law& law, double s, double v, double z) {
    return std::visit(
        [&](const auto& any) {
            if constexpr (requires { any.evaluate(s, v, z); }) {
                return any.evaluate(s, v, z);
            } else {
                return any.evaluate(s, v);
            }
        },
        law);
}

double storedEnergy(const Law& law, double s, double z) {
    return std::visit(
        [&](const auto& any) {
            if constexpr (requires { any.storedEnergy(s, z); }) {
                return any.storedEnergy(s, z);
            } else {
                return any.storedEnergy(s);
            }
        },
        law);
}

double lossPower(const Law& law, double s, double v, double z) {
    return std::visit(
        [&](const auto& any) {
            if constexpr (requires { any.lossPower(s, v, z); }) {
                return any.lossPower(s, v, z);
            } else {
                return any.lossPower(s, v);
            }
        },
        law);
}

double dissipatedPower(const Law& law, double s, double v, double z) {
    return std::visit(
        [&](const auto& any) {
            if constexpr (requires { any.dissipatedPower(s, v, z); }) {
                return any.dissipatedPower(s, v, z);
            } else {
                return any.dissipatedPower(s, v);
            }
        },
        law);
}

ReducedLaw reduced(const Law& law) {
    return std::visit([](const auto& any) { return any.reduced(); }, law);
}

const char* lawName(const Law& law) {
    return std::visit([](const auto& any) { return any.types().front().name; }, law);
}

double innerStart(const Law& law) {
    const int place = placeOf(parameterList(law), Measured::InnerStart);
    return place < 0 ? 0 : valuesOf(law)[static_cast<std::size_t>(place)];
}

std::span<const LawParameter> parameterList(const Law& law) {
    return std::visit([](const auto& any) { return any.list(); }, law);
}

LawValues valuesOf(const Law& law) {
    return std::visit([](const auto& any) { return any.values(); }, law);
}

Law withValues(const Law& law, const LawValues& values, const char* owner) {
    return std::visit([&](const auto& any) -> Law { return std::decay_t<decltype(any)>::of(values, owner); }, law);
}

double unstretched(const Law& law) {
    const int place = placeOf(parameterList(law), Measured::Place);
    return place < 0 ? 0 : valuesOf(law)[static_cast<std::size_t>(place)];
}

Law moved(const Law& law, double by) {
    const std::span<const LawParameter> list = parameterList(law);
    LawValues values = valuesOf(law);
    for (std::size_t k = 0; k < list.size(); ++k) {
        if (list[k].measured == Measured::Place || list[k].measured == Measured::Limit) values[k] += by;
    }
    return withValues(law, values, "law");
}

const std::vector<ElementTypeInfo>& elementTypes() {
    static const std::vector<ElementTypeInfo> all = collectTypes();
    return all;
}

const ElementTypeInfo& infoOf(ElementType type) {
    return elementTypes().at(static_cast<std::size_t>(type));
}

std::span<const LawParameter> parameterList(const ElementTypeInfo& info) {
    return visitLaw(
        info.law, []<typename L>() { return L::list(); }, kLaws);
}

LawValues defaultValues(const ElementTypeInfo& info) {
    LawValues values{};
    const std::span<const LawParameter> list = parameterList(info);
    for (std::size_t i = 0; i < list.size(); ++i) values[i] = list[i].otherwise;
    for (const ElementTypeInfo::Fixed& fixed : info.fixed)
        values[static_cast<std::size_t>(fixed.parameter)] = fixed.value;
    return values;
}

Law makeLaw(const ElementTypeInfo& info, const LawValues& values, const char* owner) {
    const auto make = [&]<typename L>() { return std::optional<Law>(L::of(values, owner)); };
    return *visitLaw(info.law, make, kLaws);
}

const ElementTypeInfo::Field* fieldOf(const ElementTypeInfo& info, std::string_view name) {
    for (const ElementTypeInfo::Field& field : info.fields) {
        if (name == field.name) return &field;
    }
    return nullptr;
}

ElementType typeOf(const Law& law, bool turns) {
    const LawValues values = valuesOf(law);
    const auto fits = [&](const ElementTypeInfo& info) {
        return std::all_of(info.fixed.begin(), info.fixed.end(), [&](const ElementTypeInfo::Fixed& fixed) {
            return values[static_cast<std::size_t>(fixed.parameter)] == fixed.value;
        });
    };
    // One for this kind of motion fits best; then one that fixes parameters says more.
    const ElementTypeInfo* best = nullptr;
    const auto rank = [&](const ElementTypeInfo& info) {
        return 2 * ((info.placing == Placing::Rotation) == turns ? 1 : 0) + (info.fixed.empty() ? 0 : 1);
    };
    for (const ElementTypeInfo& info : std::visit(
             [](const auto& any) -> const auto& { return any.types(); }, law)) {
        if (fits(info) && (best == nullptr || rank(info) > rank(*best))) best = &info;
    }
    return best->type;
}

}  // namespace elasto
