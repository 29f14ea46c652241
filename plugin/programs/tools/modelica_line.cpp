#include "modelica_line.h"

#include <elasto/scene/start.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "modelica_classes.h"
#include "tool_errors.h"

namespace elasto::tools {

namespace {

constexpr double kParallel = 1e-9;

bool isAlong(const Eigen::Vector3d& v, int axis) {
    Eigen::Vector3d across = v;
    across[axis] = 0;
    return across.norm() <= kParallel * std::max(1., std::abs(v[axis]));
}

const SceneBody& bodyOf(const Scene& scene, int body) {
    return scene.bodies[static_cast<std::size_t>(body)];
}

Eigen::Vector3d inWorld(const Scene& scene, int body, const Eigen::Vector3d& v) {
    return body == kWorld ? v : bodyOf(scene, body).orientation * v;
}

/// Whether the bodies of a scene that move do so in the same way.
template <class Test>
std::optional<int> commonAxis(const Scene& scene, Geometry geometry, SceneLoad::Quantity loads, const Test& moves) {
    const bool isPlain =
        scene.joints.empty() && !scene.elements.empty() &&
        std::none_of(scene.bodies.begin(), scene.bodies.end(), [](const SceneBody& body) {
            return body.motion == BodyMotion::Kinematic || body.linearDamping != 0 || body.angularDamping != 0;
        });
    if (!isPlain) return std::nullopt;
    for (int axis = 0; axis < 3; ++axis) {
        const auto fits = [&](const SceneElement& element) {
            if (element.geometry != geometry) return false;
            if (element.gear && element.gear->carrier != kWorld) return false;
            if (element.gear && element.gear->axis_b &&
                !isAlong(inWorld(scene, element.frame_b.body, *element.gear->axis_b), axis))
                return false;
            return isAlong(inWorld(scene, element.frame_a.body, element.axis), axis);
        };
        const auto pulls = [&](const SceneLoad& load) {
            const bool isTurned = load.resolveInFrame == SceneLoad::Axes::Body;
            return load.quantity == loads &&
                   isAlong(isTurned ? inWorld(scene, load.body, load.vector) : load.vector, axis);
        };
        const bool areAlong = std::all_of(scene.elements.begin(), scene.elements.end(), fits) &&
                              std::all_of(scene.loads.begin(), scene.loads.end(), pulls) &&
                              std::all_of(scene.bodies.begin(), scene.bodies.end(), [&](const SceneBody& body) {
                                  return body.motion != BodyMotion::Dynamic || moves(body, axis);
                              });
        if (areAlong) return axis;
    }
    return std::nullopt;
}

/// A mass with what hangs on it.
struct Mass {
    std::string name;
    double half = 0;                          ///< half of its length: where its flanges are [m]
    std::map<double, std::string> flanges{};  ///< by place from the middle
};

class LineWriter {
public:
    LineWriter(const Scene& scene, int axis, ModelicaModel& model) : m_scene(scene), m_axis(axis), m_model(model) {
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) addMass(static_cast<int>(i));
        for (const SceneElement& element : scene.elements) addGapOrSpring(element);
        for (const SceneLoad& load : scene.loads) {
            const double size = sizeOf(load);
            addForce(modelicaName(load.name), load.body,
                     addCourse(m_model, modelicaName(load.name) + "_course", load, size));
        }
    }

private:
    /// Where a frame is on its body along the axis, or in the world [m].
    double placeOf(const SceneFrame& frame) const { return inWorld(m_scene, frame.body, frame.position)[m_axis]; }
    double sizeOf(const SceneLoad& load) const {
        const bool isTurned = load.resolveInFrame == SceneLoad::Axes::Body;
        return (isTurned ? inWorld(m_scene, load.body, load.vector) : load.vector)[m_axis];
    }

    void addMass(int index) {
        const SceneBody& body = bodyOf(m_scene, index);
        Mass mass{.name = modelicaName(body.name)};
        if (body.motion == BodyMotion::Dynamic) {
            mass.half = halfLength(index);
            m_model.declare(
                ModelicaComponent("Modelica.Mechanics.Translational.Components.Mass", mass.name)
                    .set("m", body.mass)
                    .set("L", 2 * mass.half)
                    .setText("s", fmt::format("(start = {}, fixed = true)", modelicaNumber(body.position[m_axis])))
                    .setText("v", fmt::format("(start = {}, fixed = true)", modelicaNumber(body.velocity[m_axis]))));
            mass.flanges[-mass.half] = mass.name + ".flange_a";
            mass.flanges[mass.half] = mass.name + ".flange_b";
        } else {
            m_model.declare(ModelicaComponent("Modelica.Mechanics.Translational.Components.Fixed", mass.name)
                                .set("s0", body.position[m_axis]));
            mass.flanges[0] = mass.name + ".flange";
        }
        m_masses.push_back(std::move(mass));
        const double weight = body.mass * m_scene.gravity[m_axis] * body.linearFactor[m_axis];
        if (body.motion != BodyMotion::Dynamic || weight == 0) return;
        const std::string name = m_masses.back().name + "_weight";
        m_model.declare(ModelicaComponent("Modelica.Blocks.Sources.Constant", name + "_size").set("k", weight));
        addForce(name, index, name + "_size.y");
    }

    /// Half of the distance of the nearest pair of frames that lie on both sides of the middle.
    double halfLength(int body) const {
        std::vector<double> places;
        for (const SceneElement& element : m_scene.elements) {
            for (const SceneFrame* frame : {&element.frame_a, &element.frame_b}) {
                if (frame->body == body) places.push_back(placeOf(*frame));
            }
        }
        double half = 0;
        for (const double place : places) {
            const bool hasTwin = std::any_of(places.begin(), places.end(),
                                             [&](double other) { return std::abs(other + place) < 1e-12; });
            if (place > 0 && hasTwin && (half == 0 || place < half)) half = place;
        }
        return half;
    }

    void addForce(const std::string& name, int body, const std::string& signal) {
        m_model.declare(ModelicaComponent("Modelica.Mechanics.Translational.Sources.Force", name));
        m_model.connect(signal, name + ".f");
        m_model.connect(name + ".flange", m_masses[static_cast<std::size_t>(body)].flanges.begin()->second);
    }

    /// The flange at a frame: of its mass, of a rod on that, or fixed in the world.
    std::string flangeAt(const SceneFrame& frame) {
        const double place = placeOf(frame);
        if (frame.body == kWorld) {
            std::string& name = m_fixed[place];
            if (name.empty()) {
                name = fmt::format("fixed{}", m_fixed.size());
                m_model.declare(
                    ModelicaComponent("Modelica.Mechanics.Translational.Components.Fixed", name).set("s0", place));
            }
            return name + ".flange";
        }
        Mass& mass = m_masses[static_cast<std::size_t>(frame.body)];
        for (const auto& [there, flange] : mass.flanges) {
            if (std::abs(there - place) < 1e-12) return flange;
        }
        const bool isAhead = place > 0;
        const double from = isAhead ? mass.half : -mass.half;
        const std::string rod = fmt::format("{}_rod{}", mass.name, ++m_rods);
        m_model.declare(
            ModelicaComponent("Modelica.Mechanics.Translational.Components.Rod", rod).set("L", std::abs(place - from)));
        const auto nearest = std::min_element(
            mass.flanges.begin(), mass.flanges.end(),
            [&](const auto& a, const auto& b) { return std::abs(a.first - from) < std::abs(b.first - from); });
        m_model.connect(nearest->second, rod + (isAhead ? ".flange_a" : ".flange_b"));
        return mass.flanges[place] = rod + (isAhead ? ".flange_b" : ".flange_a");
    }

    void addGapOrSpring(const SceneElement& element) {
        const auto [a, b] = addElement(m_model, element, modelicaName(element.name));
        const bool isAlongAxis = inWorld(m_scene, element.frame_a.body, element.axis)[m_axis] > 0;
        const std::string atA = flangeAt(element.frame_a), atB = flangeAt(element.frame_b);
        // Against the axis the ends change places: s_rel stays what it is.
        m_model.connect(isAlongAxis ? atA : atB, a);
        m_model.connect(b, isAlongAxis ? atB : atA);
    }

    const Scene& m_scene;
    int m_axis;
    ModelicaModel& m_model;
    std::vector<Mass> m_masses;
    std::map<double, std::string> m_fixed;  ///< by place in the world
    int m_rods = 0;
};

/// Angle by which a body is turned about a world axis [rad].
double turnAbout(const Eigen::Quaterniond& orientation, int axis) {
    return std::remainder(2 * std::atan2(orientation.vec()[axis], orientation.w()), 6.283185307179586);
}

}  // namespace

std::optional<int> commonLine(const Scene& scene) {
    return commonAxis(scene, Geometry::AlongAxis, SceneLoad::Quantity::Force, [&](const SceneBody& body, int axis) {
        const Eigen::Vector3d pull = scene.gravity.cwiseProduct(body.linearFactor);
        return body.angularFactor.isZero(0) && body.linearFactor[axis] == 1 && isAlong(body.velocity, axis) &&
               isAlong(pull, axis);
    });
}

std::optional<int> commonTurn(const Scene& scene) {
    return commonAxis(scene, Geometry::AboutAxis, SceneLoad::Quantity::Torque, [](const SceneBody& body, int axis) {
        return body.linearFactor.isZero(0) && body.angularFactor[axis] == 1 && isAlong(body.angularFactor, axis) &&
               isAlong(body.angularVelocity, axis) && isAlong(body.orientation.vec(), axis);
    });
}

void addLine(const Scene& scene, int axis, ModelicaModel& model) {
    LineWriter(scene, axis, model);
}

void addTurn(const Scene& scene, int axis, ModelicaModel& model) {
    const FlowNetwork start = startNetwork(scene);
    const auto angleOf = [&](int body) {
        return body == kWorld ? 0 : turnAbout(bodyOf(scene, body).orientation, axis);
    };
    const auto flangeOf = [&](int body, const char* side) {
        if (body == kWorld) return std::string("fixed.flange");
        const bool isFixed = bodyOf(scene, body).motion != BodyMotion::Dynamic;
        return modelicaName(bodyOf(scene, body).name) + (isFixed ? ".flange" : side);
    };
    for (const SceneBody& body : scene.bodies) {
        const double phi = turnAbout(body.orientation, axis);
        if (body.motion != BodyMotion::Dynamic) {
            model.declare(ModelicaComponent("Modelica.Mechanics.Rotational.Components.Fixed", modelicaName(body.name))
                              .set("phi0", phi));
            continue;
        }
        const Eigen::Vector3d about = body.orientation.conjugate() * Eigen::Vector3d::Unit(axis);
        model.declare(
            ModelicaComponent("Modelica.Mechanics.Rotational.Components.Inertia", modelicaName(body.name))
                .set("J", about.dot(body.inertia.cwiseProduct(about)))
                .setText("phi", fmt::format("(start = {}, fixed = true)", modelicaNumber(phi)))
                .setText("w", fmt::format("(start = {}, fixed = true)", modelicaNumber(body.angularVelocity[axis]))));
    }
    bool hasWorld = false;
    for (std::size_t i = 0; i < scene.elements.size(); ++i) {
        const SceneElement& element = scene.elements[i];
        const std::string name = modelicaName(element.name);
        const auto signOf = [&](int body, const Eigen::Vector3d& direction) {
            return inWorld(scene, body, direction)[axis] > 0 ? 1. : -1.;
        };
        const double sideA = signOf(element.frame_a.body, element.axis);
        // Wheels of a gear pair turn about axes of their own.
        const bool hasOwnAxis = element.gear && element.gear->axis_b;
        const double side = hasOwnAxis ? signOf(element.frame_b.body, *element.gear->axis_b) : sideA;
        const double ratio = element.gear ? element.gear->ratio * side * sideA : 1;
        hasWorld = hasWorld || element.frame_a.body == kWorld || element.frame_b.body == kWorld;
        // What the library's angles say at the start, and ours.
        const double theirs = side * (angleOf(element.frame_b.body) - ratio * angleOf(element.frame_a.body));
        const double offset = theirs - start.elements[i].phi;
        const auto [a, b] = addElement(model, element, name, std::abs(offset) < 1e-12 ? 0 : offset);
        std::string atA = flangeOf(element.frame_a.body, ".flange_b");
        std::string atB = flangeOf(element.frame_b.body, ".flange_a");
        if (element.gear) {
            model.declare(ModelicaComponent("Modelica.Mechanics.Rotational.Components.IdealGear", name + "_gear")
                              .set("ratio", 1 / ratio),
                          "flange_b.phi = ratio of the scene times flange_a.phi");
            model.connect(atA, name + "_gear.flange_a");
            atA = name + "_gear.flange_b";
        }
        model.connect(side > 0 ? atA : atB, a);
        model.connect(b, side > 0 ? atB : atA);
    }
    if (hasWorld) model.declare(ModelicaComponent("Modelica.Mechanics.Rotational.Components.Fixed", "fixed"));
    for (const SceneLoad& load : scene.loads) {
        const std::string name = modelicaName(load.name);
        const bool isTurned = load.resolveInFrame == SceneLoad::Axes::Body;
        const double size = (isTurned ? inWorld(scene, load.body, load.vector) : load.vector)[axis];
        const std::string signal = addCourse(model, name + "_course", load, size);
        model.declare(ModelicaComponent("Modelica.Mechanics.Rotational.Sources.Torque", name));
        model.connect(signal, name + ".tau");
        model.connect(name + ".flange", flangeOf(load.body, ".flange_a"));
    }
}

}  // namespace elasto::tools
