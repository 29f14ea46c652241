#include "network/finite_check.h"

#include <elasto/force_element.h>

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "network/element_access.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

constexpr const char* kEndRule =
    "finite at the end of the tick; the element's parameters, the body's mass, its state or the loads are too large "
    "or too small for that";

// By the first element that acts on it, or by its place in the world: bodies have no names.
std::string bodyName(const SolvedNetwork& solved, int index) {
    for (std::size_t e = 0; e < solved.elementCount(); ++e) {
        const FlowElement& element = solved.network.elements[e];
        if (element.isGeared() && e < solved.elements.size()) {
            const std::array<int, 3> ends = ElementAccess::indicesOf(*solved.elements[e], element);
            constexpr const char* kNames[] = {", body A", ", body B", ", carrier"};
            const auto found = std::find(ends.begin(), ends.end(), index);
            if (found != ends.end()) return solved.element(e).label() + kNames[found - ends.begin()];
            continue;
        }
        if (element.a == index || element.b == index) {
            return solved.element(e).label() + (element.a == index ? ", body A" : ", body B");
        }
    }
    const NetworkBody& body = solved.bodies[static_cast<std::size_t>(index)];
    return "body " + std::to_string(body.body != nullptr ? body.body->getWorldArrayIndex() : index);
}

bool isFinite(double value) {
    return std::isfinite(static_cast<double>(static_cast<btScalar>(value)));
}

void requireFinite(const SolvedNetwork& solved, std::initializer_list<std::pair<const char*, double>> energies) {
    for (const auto& [field, value] : energies) {
        if (!std::isfinite(value)) {
            throw InvalidParameter(nameOf(solved), field, value, "finite");
        }
    }
}

}  // namespace

std::string nameOf(const SolvedNetwork& solved) {
    return solved.elementCount() == 0 ? "a body that flies" : "the network of " + solved.element(0).label();
}

InvalidParameter named(const SolvedNetwork& solved, const InvalidNetwork& refused) {
    switch (refused.part()) {
        case InvalidNetwork::Part::Body:
            return {bodyName(solved, refused.index()), refused.problem()};
        case InvalidNetwork::Part::Element:
            if (static_cast<std::size_t>(refused.index()) >= solved.elementCount()) break;  // a joint's spring
            return {solved.element(static_cast<std::size_t>(refused.index())).label(), refused.problem()};
        case InvalidNetwork::Part::Contact:
            return {"a contact in " + nameOf(solved), refused.problem()};
        case InvalidNetwork::Part::Joint:
        case InvalidNetwork::Part::Bounded:
            break;
    }
    return {"a joint in " + nameOf(solved), refused.problem()};
}

void requireFiniteBodies(const SolvedNetwork& solved) {
    for (std::size_t i = 0; i < solved.network.bodies.size(); ++i) {
        const FlowBody& body = solved.network.bodies[i];
        const auto check = [&](const char* field, const auto& values) {
            for (const double value : values) {
                if (!std::isfinite(value)) {
                    throw InvalidParameter(bodyName(solved, static_cast<int>(i)), field, value, "finite");
                }
            }
        };
        check("velocity", body.velocity);
        check("angularVelocity", body.angularVelocity);
        check("position", body.position);
        check("orientation", body.orientation.coeffs());
    }
    requireFiniteStart(solved, solved.between);
}

void requireFiniteEnd(const SolvedNetwork& solved) {
    for (std::size_t i = 0; i < solved.result.bodies.size(); ++i) {
        const BodyTick& end = solved.result.bodies[i];
        const auto check = [&](const char* field, const auto& values) {
            for (const double value : values) {
                if (!isFinite(value)) {
                    throw InvalidParameter(bodyName(solved, static_cast<int>(i)), field, value, kEndRule);
                }
            }
        };
        check("velocity", end.velocity);
        check("angularVelocity", end.angularVelocity);
        check("position", end.position);
        check("orientation", end.orientation.coeffs());
    }
    for (std::size_t e = 0; e < solved.result.elements.size(); ++e) {
        const ElementTick& end = solved.result.elements[e];
        const std::pair<const char*, double> values[] = {
            {"f", end.force.f}, {"impulse", end.impulse}, {"heat", end.heat}, {"storedEnergy", end.storedEnergy}};
        for (const auto& [field, value] : values) {
            if (!std::isfinite(value)) {
                const bool isOfJoint = e >= solved.elementCount();
                throw InvalidParameter(isOfJoint ? "a joint's spring in " + nameOf(solved) : solved.element(e).label(),
                                       field, value, kEndRule);
            }
        }
    }
}

void requireFiniteStart(const SolvedNetwork& solved, const EnergyBetweenTicks& between) {
    requireFinite(solved, {{"energy at the tick's start", solved.startEnergy},
                           {"energy pushed in before the tick", between.pushed},
                           {"energy that damping took before the tick", between.damping}});
}

void requireFiniteBook(const SolvedNetwork& solved, const EnergyBook& book) {
    requireFinite(solved, {{"EnergyBook::work", book.work},
                           {"EnergyBook::pushed", book.pushed},
                           {"EnergyBook::dissipated", book.dissipated},
                           {"EnergyBook::damping", book.damping},
                           {"EnergyBook::contacts", book.contacts},
                           {"EnergyBook::exchanged", book.exchanged},
                           {"EnergyBook::carried", book.carried},
                           {"EnergyBook::numerical", book.numerical},
                           {"EnergyBook::repaired", book.repaired},
                           {"EnergyBook::handedOut", book.handedOut}});
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
