// What laws and element types say about themselves holds together, whatever laws there are.

#include <elasto/errors.h>
#include <elasto/law.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <set>
#include <string>

using namespace elasto;

namespace {

/// A value that is allowed and is not the default.
double otherValue(const LawParameter& parameter) {
    if (parameter.measured == Measured::Choice) return 1;
    if (parameter.measured == Measured::Limit) return parameter.otherwise < 0 ? -0.75 : 0.75;
    return parameter.lowest == kAnyValue ? 0.25 : parameter.lowest + 1.5;
}

LawValues otherValues(const ElementTypeInfo& info) {
    LawValues values = defaultValues(info);
    for (const ElementTypeInfo::Field& field : info.fields) {
        const auto k = static_cast<std::size_t>(field.parameter);
        const LawParameter& parameter = parameterList(info)[k];
        values[k] = parameter.measured == Measured::Table ? 0 : otherValue(parameter);
        if (parameter.measured == Measured::Table) values.table = ForceTable({{0, 0}, {0.5, 2}, {1, 9}});
    }
    return values;
}

}  // namespace

TEST_CASE("element types are listed by their enumerators, each with a name and fields of its own") {
    std::set<std::string> names;
    std::set<std::size_t> laws;
    int next = 0;
    for (const ElementTypeInfo& info : elementTypes()) {
        CHECK(static_cast<int>(info.type) == next++);
        CHECK(&infoOf(info.type) == &info);
        CHECK(names.insert(info.name).second);
        laws.insert(info.law);
        std::set<int> parameters;
        std::set<std::string> fields;
        for (const auto& field : info.fields) {
            CHECK(fields.insert(field.name).second);
            CHECK(parameters.insert(field.parameter).second);
            CHECK(fieldOf(info, field.name) == &field);
        }
        for (const auto& fixed : info.fixed) CHECK(parameters.insert(fixed.parameter).second);
        // A parameter that is neither stated nor fixed keeps its default.
        for (int k = 0; k < static_cast<int>(parameterList(info).size()); ++k) {
            const double otherwise = parameterList(info)[static_cast<std::size_t>(k)].otherwise;
            CHECK((parameters.contains(k) || !std::isnan(otherwise)));
        }
        CHECK(fieldOf(info, "colour") == nullptr);
    }
    CHECK(laws.size() == std::variant_size_v<Law>);
}

TEST_CASE("a law gives the values that it was made of, and says what it cannot take") {
    for (const ElementTypeInfo& info : elementTypes()) {
        CAPTURE(info.name);
        const std::span<const LawParameter> list = parameterList(info);
        const LawValues values = otherValues(info);
        const Law law = makeLaw(info, values, "owner");
        CHECK(law.index() == info.law);
        CHECK(valuesOf(law) == values);
        CHECK(withValues(law, values, "owner") == law);
        for (const auto& field : info.fields) {
            const auto k = static_cast<std::size_t>(field.parameter);
            LawValues wrong = values;
            if (list[k].measured == Measured::Table) {
                wrong.table = {};
                CHECK_THROWS_AS(makeLaw(info, wrong, "owner"), InvalidParameter);
                continue;
            }
            wrong[k] = list[k].lowest == kAnyValue ? std::nan("") : list[k].lowest - 1;
            CHECK_THROWS_AS(makeLaw(info, wrong, "owner"), InvalidParameter);
            LawValues huge = values;
            huge[k] = 1e70;
            CHECK_THROWS_AS(makeLaw(info, huge, "owner"), InvalidParameter);
        }
    }
}

TEST_CASE("a law that is moved does further on what it did before") {
    for (const ElementTypeInfo& info : elementTypes()) {
        CAPTURE(info.name);
        const Law law = makeLaw(info, otherValues(info), "owner");
        const Law further = moved(law, 0.5);
        if (std::holds_alternative<FrictionLaw>(law)) {
            const FrictionParameters& before = std::get<FrictionLaw>(law).parameters();
            CHECK(std::get<FrictionLaw>(further).parameters().s_max == Approx(before.s_max + 0.5));
            continue;
        }
        CHECK(unstretched(further) == Approx(unstretched(law) + 0.5));
        for (const double s : {-1.1, 0.1, 0.4, 2.3}) {
            CHECK(evaluate(further, s + 0.5, -0.7, 0.2).f == Approx(evaluate(law, s, -0.7, 0.2).f).margin(1e-12));
            CHECK(storedEnergy(further, s + 0.5, 0.2) == Approx(storedEnergy(law, s, 0.2)).margin(1e-12));
        }
    }
}

TEST_CASE("a law without more to go by is of the type that fits it best") {
    CHECK(typeOf(SpringDamperLaw({.c = 1, .d = 1}), false) == ElementType::SpringDamper);
    CHECK(typeOf(SpringDamperLaw({.c = 1, .d = 1}), true) == ElementType::RotationalSpringDamper);
    CHECK(typeOf(SpringDamperLaw({.c = 0, .d = 1}), false) == ElementType::Damper);
    CHECK(typeOf(ElastoGapLaw({.c = 1, .d = 1}), false) == ElementType::ElastoGap);
    CHECK(typeOf(ElastoGapLaw({.c = 1, .d = 1}), true) == ElementType::RotationalElastoGap);
    CHECK(typeOf(SpringDamperLaw({.c = 0, .d = 1, .d_rebound = 2}), false) == ElementType::Damper);
    CHECK(typeOf(SpringDamperLaw({.c = 1, .d = 0, .d_rebound = 2}), false) == ElementType::SpringDamper);
    CHECK(typeOf(RopeLaw({.c = 1, .d = 1}), false) == ElementType::Rope);
    CHECK(typeOf(BushingLaw({.c = 1, .d = 1}), false) == ElementType::Bushing);
    CHECK(typeOf(BushingLaw({.c = 1, .d = 1}), true) == ElementType::RotationalBushing);
    CHECK(typeOf(FrictionLaw({.F_Coulomb = 1}), false) == ElementType::SupportFriction);
    CHECK(typeOf(FrictionLaw({.F_Coulomb = 1}), true) == ElementType::BearingFriction);
    CHECK(std::string(lawName(SpringDamperLaw({.c = 0, .d = 1}))) == "SpringDamper");
}
