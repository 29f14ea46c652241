#include "stop_place.h"

#include <elasto/errors.h>
#include <elasto/parameter_forms.h>
#include <elasto/scene/signals.h>
#include <elasto/scene/start.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace elasto::play {

namespace {

/// Of three significant digits: numbers that a person would choose.
double rounded(double value) {
    if (!(std::abs(value) > 0) || !std::isfinite(value)) return value;
    // Powers of ten are exact where they are at least 1.
    const double power = std::floor(std::log10(std::abs(value))) - 2;
    const double unit = std::pow(10., std::abs(power));
    return power > 0 ? std::round(value / unit) * unit : std::round(value * unit) / unit;
}

const SceneBody& bodyOf(const Scene& scene, int body) {
    return scene.bodies[static_cast<std::size_t>(body)];
}

/// Centre of mass at the start; the world's is its origin.
BodyState stateOf(const Scene& scene, int body) {
    return body == kWorld ? BodyState{} : centreOfMassState(bodyOf(scene, body));
}

double massOf(const Scene& scene, int body) {
    const bool isDynamic = body != kWorld && bodyOf(scene, body).motion == BodyMotion::Dynamic;
    return isDynamic ? bodyOf(scene, body).mass : std::numeric_limits<double>::infinity();
}

SceneFrame frameAt(const Scene& scene, int body, const Eigen::Vector3d& fromCentre) {
    if (body == kWorld) return {.body = kWorld, .position = fromCentre};
    return {.body = body, .position = bodyOf(scene, body).centreOfMass + fromCentre};
}

std::string nameOf(const Scene& scene, int body) {
    return body == kWorld ? "the world" : bodyOf(scene, body).name;
}

bool isBall(const Scene& scene, int body) {
    return body != kWorld && bodyOf(scene, body).shape.type == SceneShape::Type::Sphere;
}

void requireMovable(const Scene& scene, int body, int wall) {
    const std::string name = nameOf(scene, body);
    if (body < 0 || bodyOf(scene, body).motion != BodyMotion::Dynamic) {
        throw InvalidParameter("stop", name + " is not moved by forces; a stop needs a body that is");
    }
    if (wall == body) throw InvalidParameter("stop", "this is " + name + " itself; choose what it shall not run into");
}

}  // namespace

std::optional<Eigen::Vector3d> outwardNormal(const SceneShape& shape, const Eigen::Vector3d& point) {
    const auto outOf = [&](Eigen::Vector3d out) {
        return out.norm() > 0 ? Eigen::Vector3d(out.normalized()) : Eigen::Vector3d(Eigen::Vector3d::UnitY());
    };
    Eigen::Vector3d beside = point;
    beside[shape.axis] = 0;
    switch (shape.type) {
        case SceneShape::Type::Box: {
            int face = 0;
            (point.cwiseAbs() - shape.size / 2).maxCoeff(&face);
            return point[face] < 0 ? Eigen::Vector3d(-Eigen::Vector3d::Unit(face))
                                   : Eigen::Vector3d(Eigen::Vector3d::Unit(face));
        }
        case SceneShape::Type::Sphere:
            return outOf(point);
        case SceneShape::Type::Cylinder:
            if (std::abs(point[shape.axis]) - shape.length / 2 > beside.norm() - shape.radius)
                return outOf(point - beside);
            return outOf(beside);
        case SceneShape::Type::Capsule: {
            Eigen::Vector3d nearest = Eigen::Vector3d::Zero();
            nearest[shape.axis] = std::clamp(point[shape.axis], -shape.length / 2, shape.length / 2);
            return outOf(point - nearest);
        }
        case SceneShape::Type::Plane:
            return shape.normal;
        case SceneShape::Type::Mesh:
        case SceneShape::Type::HeightField:
        case SceneShape::Type::None:
            break;
    }
    return std::nullopt;
}

double reachFromCentre(const SceneShape& shape, const Eigen::Vector3d& direction) {
    const double along = std::abs(direction[shape.axis]);
    const double across = std::sqrt(std::max(0., 1 - along * along));
    switch (shape.type) {
        case SceneShape::Type::Box:
            return direction.cwiseAbs().dot(shape.size) / 2;
        case SceneShape::Type::Sphere:
            return shape.radius;
        case SceneShape::Type::Cylinder:
            return along * shape.length / 2 + across * shape.radius;
        case SceneShape::Type::Capsule:
            return along * shape.length / 2 + shape.radius;
        case SceneShape::Type::Plane:
        case SceneShape::Type::Mesh:
        case SceneShape::Type::HeightField:
        case SceneShape::Type::None:
            break;
    }
    return 0;
}

SceneElement stopBefore(const Scene& scene, int body, const Face& face, const StopWish& wish) {
    requireMovable(scene, body, face.body);
    const SceneBody& moving = bodyOf(scene, body);
    const BodyState here = stateOf(scene, body);
    const BodyState wall = stateOf(scene, face.body);
    SceneElement stop;
    stop.name = freeName(scene, "stop");
    stop.type = ElementType::ElastoGap;
    const bool isBetweenBalls = isBall(scene, body) && isBall(scene, face.body);
    Eigen::Vector3d outward = wall.orientation * face.normal;  // in the world
    double distance = 0;                                       // of the centre of mass along it
    double surface = 0;                                        // of the wall along it
    if (isBetweenBalls) {
        const Eigen::Vector3d line = here.position - wall.position;
        distance = line.norm();
        if (distance > 0) outward = line / distance;
        surface = bodyOf(scene, face.body).shape.radius;
        stop.geometry = Geometry::AlongLine;
        stop.frame_a = frameAt(scene, face.body, Eigen::Vector3d::Zero());
    } else {
        const Eigen::Vector3d centre = wall.orientation.conjugate() * (here.position - wall.position);
        distance = face.normal.dot(centre - face.point);
        stop.axis = face.normal;
        stop.frame_a = frameAt(scene, face.body, centre - distance * face.normal);
    }
    stop.frame_b = frameAt(scene, body, Eigen::Vector3d::Zero());
    const std::string wallName = nameOf(scene, face.body);
    if (outward.cwiseProduct(moving.linearFactor).norm() < 1e-3) {
        throw InvalidParameter("stop", moving.name + " cannot move towards this face of " + wallName);
    }
    if (!(distance > surface)) {
        throw InvalidParameter("stop", moving.name + " is behind this face of " + wallName);
    }
    const double reach = reachFromCentre(moving.shape, here.orientation.conjugate() * outward);
    const double free = distance - surface - reach;
    const double buffer = std::clamp(free / 2, 0., reach > 0 ? reach / 2 : free / 10);
    // What begins in touch stays so: a stop that began compressed would throw its body off.
    const double begin = surface + reach + buffer;
    const double s_rel0 = free > 0 ? std::min(rounded(begin), distance) : distance;
    const double mass = effectiveMass(massOf(scene, face.body), massOf(scene, body));
    const SpringDamperConstants constants = constantsFromRestitution(wish.restitution, wish.contactTime, mass);
    stop.law = ElastoGapLaw({.c = rounded(constants.c), .d = rounded(constants.d), .s_rel0 = s_rel0});
    if (reach > 0) {
        stop.animation.width = rounded(reach);
        stop.animation.coilWidth = stop.animation.width / 10;
    }
    return stop;
}

Scene withElement(Scene scene, SceneElement element) {
    scene.record.push_back({.signal = element.name + ".*", .as = ""});
    scene.elements.push_back(std::move(element));
    return scene;
}

Scene withoutElement(Scene scene, int element) {
    static_cast<void>(scene.elements.at(static_cast<std::size_t>(element)));
    scene.elements.erase(scene.elements.begin() + element);
    const std::vector<Signal> signals = availableSignals(scene);
    std::erase_if(scene.record, [&](const SceneRecord& record) {
        const auto fits = [&](const Signal& signal) { return matchesPattern(record.signal, signal.name); };
        return std::none_of(signals.begin(), signals.end(), fits);
    });
    return scene;
}

std::string freeName(const Scene& scene, const std::string& beginning) {
    const auto isTaken = [&](const std::string& name) {
        const auto has = [&](const auto& list) {
            return std::any_of(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
        };
        return has(scene.bodies) || has(scene.joints) || has(scene.elements) || has(scene.loads) ||
               has(scene.heatPorts);
    };
    std::string name = beginning;
    for (int i = 2; isTaken(name); ++i) name = beginning + std::to_string(i);
    return name;
}

}  // namespace elasto::play
