#include "modelica_line.h"

#include <elasto/scene/start.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "mechanism.h"
#include "modelica_classes.h"
#include "modelica_paths.h"

namespace elasto::tools {

namespace {

constexpr double kParallel = 1e-9;
/// Largest force of friction that sticks over that of sliding, in MassWithStopAndFriction.
constexpr double kLibraryPeak = 1.001;

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

/// Whether a body on a path moves along one world axis.
bool isPathAlong(const SceneBody& body, int axis) {
    return std::all_of(body.path.begin(), body.path.end(), [&](const ScenePathPoint& point) {
        return isAlong(point.position - body.path[0].position, axis) &&
               point.orientation.coeffs() == body.path[0].orientation.coeffs();
    });
}

/// Whether the bodies of a scene that move do so in the same way.
template <class Test>
std::optional<int> commonAxis(const Scene& scene, Geometry geometry, SceneLoad::Quantity loads, const Test& moves) {
    const bool isPlain = scene.joints.empty() && !scene.elements.empty() &&
                         std::none_of(scene.bodies.begin(), scene.bodies.end(), [](const SceneBody& body) {
                             return body.linearDamping != 0 || body.angularDamping != 0;
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
                                  return body.motion == BodyMotion::Fixed || moves(body, axis);
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
            const std::string& name = m_model.nameOf(load.name);
            addForce(name, load.body, addCourse(m_model, m_model.freshName(name + "_course"), load, sizeOf(load)));
        }
    }

private:
    /// Where a frame is on its body along the axis, or in the world [m].
    double placeOf(const SceneFrame& frame) const { return inWorld(m_scene, frame.body, frame.position)[m_axis]; }
    double sizeOf(const SceneLoad& load) const {
        const bool isTurned = load.resolveInFrame == SceneLoad::Axes::Body;
        return (isTurned ? inWorld(m_scene, load.body, load.vector) : load.vector)[m_axis];
    }
    bool isAhead(const SceneElement& element) const {
        return inWorld(m_scene, element.frame_a.body, element.axis)[m_axis] > 0;
    }

    void addMass(int index) {
        const SceneBody& body = bodyOf(m_scene, index);
        Mass mass{.name = m_model.nameOf(body.name)};
        switch (body.motion) {
            case BodyMotion::Dynamic:
                mass.half = halfLength(index);
                addDynamic(body, mass, stopsOf(index));
                mass.flanges[-mass.half] = mass.name + ".flange_a";
                mass.flanges[mass.half] = mass.name + ".flange_b";
                break;
            case BodyMotion::Fixed:
                m_model.declare(ModelicaComponent("Modelica.Mechanics.Translational.Components.Fixed", mass.name)
                                    .set("s0", body.position[m_axis]));
                mass.flanges[0] = mass.name + ".flange";
                break;
            case BodyMotion::Kinematic: {
                const PathMotion motion = motionOf(body);
                mass.flanges[0] = addMotion(m_model, mass.name, motion.times,
                                            motion.positions[static_cast<std::size_t>(m_axis)], false);
                break;
            }
        }
        m_masses.push_back(std::move(mass));
        const double weight = body.mass * m_scene.gravity[m_axis] * body.linearFactor[m_axis];
        if (body.motion != BodyMotion::Dynamic || weight == 0) return;
        const std::string name = m_model.freshName(m_masses.back().name + "_weight");
        const std::string size = m_model.freshName(name + "_size");
        m_model.declare(ModelicaComponent("Modelica.Blocks.Sources.Constant", size).set("k", weight));
        addForce(name, index, size + ".y");
    }

    void addDynamic(const SceneBody& body, const Mass& mass, const SceneElement* stops) {
        const std::string library = "Modelica.Mechanics.Translational.Components.";
        ModelicaComponent component(library + (stops == nullptr ? "Mass" : "MassWithStopAndFriction"), mass.name,
                                    stops == nullptr ? "" : "With " + stops->name);
        component.set("m", body.mass).set("L", 2 * mass.half);
        if (stops != nullptr) addStops(*stops, mass, component);
        component.setStart("s", body.position[m_axis]).setStart("v", body.velocity[m_axis]);
        // Paths can be differentiated once: the states must not be relative to them.
        const bool hasPaths = std::any_of(m_scene.bodies.begin(), m_scene.bodies.end(),
                                          [](const SceneBody& one) { return one.motion == BodyMotion::Kinematic; });
        if (hasPaths && stops == nullptr) component.setText("stateSelect", "StateSelect.always");
        m_model.declare(component);
        if (stops != nullptr) addHeat(m_model, m_scene, *stops, mass.name);
    }

    /// The element that is of one component with its mass in Modelica's library: friction with hard stops against what
    /// is fixed.
    const SceneElement* stopsOf(int body) const {
        for (const SceneElement& element : m_scene.elements) {
            const auto* friction = std::get_if<FrictionLaw>(&element.law);
            if (friction == nullptr || element.frame_b.body != body || !isAhead(element)) continue;
            const bool isGrounded =
                element.frame_a.body == kWorld || bodyOf(m_scene, element.frame_a.body).motion == BodyMotion::Fixed;
            const bool isSame = friction->parameters().peak == kLibraryPeak && !element.f_normalized;
            if (isGrounded && isSame && (friction->hasStop(-1) || friction->hasStop(+1))) return &element;
        }
        return nullptr;
    }

    void addStops(const SceneElement& element, const Mass& mass, ModelicaComponent& component) {
        const auto& law = std::get<FrictionLaw>(element.law);
        const FrictionParameters& p = law.parameters();
        double place = placeOf(element.frame_a) - placeOf(element.frame_b);  // of the mass, where s_rel = 0
        if (element.frame_a.body != kWorld) place += bodyOf(m_scene, element.frame_a.body).position[m_axis];
        const auto end = [&](int side, double stop) {
            const char* none = side < 0 ? "-Modelica.Constants.inf" : "Modelica.Constants.inf";
            return law.hasStop(side) ? modelicaNumber(stop + place + side * mass.half) : none;
        };
        component.set("F_prop", p.F_prop)
            .set("F_Coulomb", p.F_Coulomb)
            .set("F_Stribeck", p.F_Stribeck)
            .set("fexp", p.fexp)
            .setText("smin", end(-1, p.s_min))
            .setText("smax", end(+1, p.s_max));
        m_withMass.push_back(&element);
        m_model.remark(
            fmt::format("{} is a part of {}, as in Modelica's MassWithStopAndFriction", element.name, mass.name));
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
                name = m_model.freshName(fmt::format("fixed{}", m_fixed.size()));
                m_model.declare(
                    ModelicaComponent("Modelica.Mechanics.Translational.Components.Fixed", name).set("s0", place));
            }
            return name + ".flange";
        }
        Mass& mass = m_masses[static_cast<std::size_t>(frame.body)];
        for (const auto& [there, flange] : mass.flanges) {
            if (std::abs(there - place) < 1e-12) return flange;
        }
        const double from = place > 0 ? mass.half : -mass.half;
        const bool isInFront = place > from;  // also within the mass
        const std::string rod = m_model.freshName(fmt::format("{}_rod{}", mass.name, ++m_rods));
        m_model.declare(
            ModelicaComponent("Modelica.Mechanics.Translational.Components.Rod", rod).set("L", std::abs(place - from)));
        const auto nearest = std::min_element(
            mass.flanges.begin(), mass.flanges.end(),
            [&](const auto& a, const auto& b) { return std::abs(a.first - from) < std::abs(b.first - from); });
        m_model.connect(nearest->second, rod + (isInFront ? ".flange_a" : ".flange_b"));
        return mass.flanges[place] = rod + (isInFront ? ".flange_b" : ".flange_a");
    }

    void addGapOrSpring(const SceneElement& element) {
        if (std::find(m_withMass.begin(), m_withMass.end(), &element) != m_withMass.end()) return;
        loseHardStops(m_model, element);
        loseJumps(m_model, m_scene, element);
        const ModelicaElement part = addElement(m_model, m_scene, element);
        const std::string atA = flangeAt(element.frame_a), atB = flangeAt(element.frame_b);
        // Against the axis the ends change places: s_rel stays what it is.
        m_model.connect(isAhead(element) ? atA : atB, part.a);
        m_model.connect(part.b, isAhead(element) ? atB : atA);
    }

    const Scene& m_scene;
    int m_axis;
    ModelicaModel& m_model;
    std::vector<Mass> m_masses;
    std::map<double, std::string> m_fixed;        ///< by place in the world
    std::vector<const SceneElement*> m_withMass;  ///< which are no components of their own
    int m_rods = 0;
};

/// Angle by which a body is turned about a world axis [rad].
double turnAbout(const Eigen::Quaterniond& orientation, int axis) {
    return std::remainder(2 * std::atan2(orientation.vec()[axis], orientation.w()), 6.283185307179586);
}

}  // namespace

std::optional<int> commonLine(const Scene& scene) {
    return commonAxis(scene, Geometry::AlongAxis, SceneLoad::Quantity::Force, [&](const SceneBody& body, int axis) {
        if (body.motion == BodyMotion::Kinematic) return isPathAlong(body, axis);
        const Eigen::Vector3d pull = scene.gravity.cwiseProduct(body.linearFactor);
        return body.angularFactor.isZero(0) && body.linearFactor[axis] == 1 && isAlong(body.velocity, axis) &&
               isAlong(pull, axis);
    });
}

std::optional<int> commonTurn(const Scene& scene) {
    return commonAxis(scene, Geometry::AboutAxis, SceneLoad::Quantity::Torque, [](const SceneBody& body, int axis) {
        return body.motion == BodyMotion::Dynamic && body.linearFactor.isZero(0) && body.angularFactor[axis] == 1 &&
               isAlong(body.angularFactor, axis) && isAlong(body.angularVelocity, axis) &&
               isAlong(body.orientation.vec(), axis);
    });
}

void addLine(const Scene& scene, int axis, ModelicaModel& model) {
    LineWriter(scene, axis, model);
}

void addTurn(const Scene& scene, int axis, ModelicaModel& model) {
    const std::string library = "Modelica.Mechanics.Rotational.";
    const FlowNetwork start = startNetwork(scene);
    const std::string ground = model.freshName("fixed");
    bool hasGround = false;
    const auto angleOf = [&](int body) {
        return body == kWorld ? 0 : turnAbout(bodyOf(scene, body).orientation, axis);
    };
    const auto flangeOf = [&](int body, const char* side) {
        hasGround = hasGround || body == kWorld;
        if (body == kWorld) return ground + ".flange";
        const bool isFixed = bodyOf(scene, body).motion != BodyMotion::Dynamic;
        return model.nameOf(bodyOf(scene, body).name) + (isFixed ? ".flange" : side);
    };
    for (const SceneBody& body : scene.bodies) {
        const double phi = turnAbout(body.orientation, axis);
        const std::string& name = model.nameOf(body.name);
        if (body.motion != BodyMotion::Dynamic) {
            model.declare(ModelicaComponent(library + "Components.Fixed", name).set("phi0", phi));
            continue;
        }
        model.declare(ModelicaComponent(library + "Components.Inertia", name)
                          .set("J", freedomOf(body).inertia)
                          .setStart("phi", phi)
                          .setStart("w", body.angularVelocity[axis]));
    }
    for (std::size_t i = 0; i < scene.elements.size(); ++i) {
        const SceneElement& element = scene.elements[i];
        loseHardStops(model, element);
        const auto signOf = [&](int body, const Eigen::Vector3d& direction) {
            return inWorld(scene, body, direction)[axis] > 0 ? 1. : -1.;
        };
        const double sideA = signOf(element.frame_a.body, element.axis);
        // Wheels of a gear pair turn about axes of their own.
        const bool hasOwnAxis = element.gear && element.gear->axis_b;
        const double side = hasOwnAxis ? signOf(element.frame_b.body, *element.gear->axis_b) : sideA;
        const double ratio = element.gear ? element.gear->ratio * side * sideA : 1;
        // What the library's angles say at the start, and ours.
        const double theirs = side * (angleOf(element.frame_b.body) - ratio * angleOf(element.frame_a.body));
        const double offset = theirs - start.elements[i].phi;
        const ModelicaElement part = addElement(model, scene, element, std::abs(offset) < 1e-12 ? 0 : offset);
        std::string atA = flangeOf(element.frame_a.body, ".flange_b");
        const std::string atB = flangeOf(element.frame_b.body, ".flange_a");
        if (element.gear) {
            const std::string gear = model.freshName(model.nameOf(element.name) + "_gear");
            model.declare(ModelicaComponent(library + "Components.IdealGear", gear,
                                            "flange_b.phi = ratio of the scene times flange_a.phi")
                              .set("ratio", 1 / ratio));
            model.connect(atA, gear + ".flange_a");
            atA = gear + ".flange_b";
        }
        model.connect(side > 0 ? atA : atB, part.a);
        model.connect(part.b, side > 0 ? atB : atA);
    }
    for (const SceneLoad& load : scene.loads) {
        const std::string& name = model.nameOf(load.name);
        const bool isTurned = load.resolveInFrame == SceneLoad::Axes::Body;
        const double size = (isTurned ? inWorld(scene, load.body, load.vector) : load.vector)[axis];
        const std::string signal = addCourse(model, model.freshName(name + "_course"), load, size);
        model.declare(ModelicaComponent(library + "Sources.Torque", name));
        model.connect(signal, name + ".tau");
        model.connect(name + ".flange", flangeOf(load.body, ".flange_a"));
    }
    if (hasGround) model.declare(ModelicaComponent(library + "Components.Fixed", ground));
}

}  // namespace elasto::tools
