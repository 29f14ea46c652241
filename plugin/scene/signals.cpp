#include <elasto/scene/signals.h>

#include "name_index.h"

#include <set>

namespace elasto {

namespace {

class SignalList {
public:
    explicit SignalList(const Scene& scene) {
        for (std::size_t i = 0; i < scene.bodies.size(); ++i) addBody(scene.bodies[i].name, static_cast<int>(i));
        for (std::size_t i = 0; i < scene.joints.size(); ++i) addJoint(scene.joints[i], static_cast<int>(i));
        for (std::size_t i = 0; i < scene.elements.size(); ++i) addElement(scene.elements[i], static_cast<int>(i));
        for (std::size_t i = 0; i < scene.heatPorts.size(); ++i) addPort(scene.heatPorts[i].name, static_cast<int>(i));
        add(SignalKind::TotalLossPower, 0, "totalLossPower");
        add(SignalKind::TotalHeat, 0, "totalHeat");
        add(SignalKind::TickGrade, 0, "grade");
        add(SignalKind::TickError, 0, "gradeError");
    }

    std::vector<Signal> take() { return std::move(m_signals); }

private:
    void add(SignalKind kind, int index, const std::string& name) { m_signals.push_back({kind, index, 0, name, name}); }

    void addVector(SignalKind kind, int index, const std::string& name, int size) {
        for (int k = 0; k < size; ++k) {
            const std::string component = name + "[" + std::to_string(k + 1) + "]";
            m_signals.push_back({kind, index, k, component, component});
        }
    }

    void addBody(const std::string& name, int index) {
        addVector(SignalKind::BodyPosition, index, name + ".r_0", 3);
        addVector(SignalKind::BodyVelocity, index, name + ".v_0", 3);
        addVector(SignalKind::BodyAngularVelocity, index, name + ".w_a", 3);
        addVector(SignalKind::BodyOrientation, index, name + ".q", 4);
    }

    void addJoint(const SceneJoint& joint, int index) {
        const bool turns = joint.type == SceneJoint::Type::Hinge;
        if (!turns && joint.type != SceneJoint::Type::Slider) return;
        add(SignalKind::JointCoordinate, index, joint.name + (turns ? ".phi_rel" : ".s_rel"));
        add(SignalKind::JointRate, index, joint.name + (turns ? ".w_rel" : ".v_rel"));
    }

    void addElement(const SceneElement& element, int index) {
        const bool turns = element.geometry == Geometry::AboutAxis;
        const bool onLine = element.geometry == Geometry::AlongLine;
        const std::string name = element.name + ".";
        const std::string f = turns ? "tau" : "f";
        add(SignalKind::ElementS, index, name + (turns ? "phi_rel" : onLine ? "s" : "s_rel"));
        add(SignalKind::ElementV, index, name + (turns ? "w_rel" : onLine ? "v" : "v_rel"));
        if (const char* state = infoOf(element.type).innerState) {
            add(SignalKind::ElementDamperLength, index, name + state);
        }
        add(SignalKind::ElementForce, index, name + f);
        add(SignalKind::ElementMeanForce, index, name + f + "_mean");
        add(SignalKind::ElementSpringForce, index, name + f + "_c");
        add(SignalKind::ElementDamperForce, index, name + (turns ? "tau_d_limited" : "f_d"));
        add(SignalKind::ElementUnlimitedDamperForce, index, name + (turns ? "tau_d" : "f_d2"));
        if (!onLine) {
            add(SignalKind::ElementFlangeA, index, name + "flange_a." + f);
            add(SignalKind::ElementFlangeB, index, name + "flange_b." + f);
            add(SignalKind::ElementPlaceA, index, name + (turns ? "flange_a.phi" : "flange_a.s"));
            add(SignalKind::ElementPlaceB, index, name + (turns ? "flange_b.phi" : "flange_b.s"));
        }
        if (!turns) {
            addVector(SignalKind::ElementFrameForceA, index, name + "frame_a.f", 3);
            addVector(SignalKind::ElementFrameForceB, index, name + "frame_b.f", 3);
        }
        addVector(SignalKind::ElementFrameTorqueA, index, name + "frame_a.t", 3);
        addVector(SignalKind::ElementFrameTorqueB, index, name + "frame_b.t", 3);
        if (std::holds_alternative<ElastoBacklashLaw>(element.law)) {
            add(SignalKind::ElementContactAngle, index, name + "phi_contact");
        }
        add(SignalKind::ElementLossPower, index, name + "lossPower");
        add(SignalKind::ElementDissipatedPower, index, name + "dissipatedPower");
        add(SignalKind::ElementHeat, index, name + "heat");
        add(SignalKind::ElementStoredEnergy, index, name + "storedEnergy");
        add(SignalKind::ElementContact, index, name + "contact");
        add(SignalKind::ElementTemperature, index, name + "TheatPort");
        if (onLine) {
            add(SignalKind::ElementLength, index, name + "length");
            addVector(SignalKind::ElementRelativeWorld, index, name + "r_rel_0", 3);
            addVector(SignalKind::ElementDirectionWorld, index, name + "e_rel_0", 3);
            addVector(SignalKind::ElementRelativeA, index, name + "r_rel_a", 3);
            addVector(SignalKind::ElementDirectionA, index, name + "e_a", 3);
        }
    }

    void addPort(const std::string& name, int index) {
        add(SignalKind::PortPower, index, name + ".power");
        add(SignalKind::PortEnergy, index, name + ".energy");
        add(SignalKind::PortTemperature, index, name + ".T");
    }

    std::vector<Signal> m_signals;
};

}  // namespace

bool isPosition(SignalKind kind) {
    return kind == SignalKind::BodyPosition || kind == SignalKind::BodyOrientation || kind == SignalKind::ElementS ||
           kind == SignalKind::ElementDamperLength || kind == SignalKind::JointCoordinate;
}

bool isVelocity(SignalKind kind) {
    return kind == SignalKind::BodyVelocity || kind == SignalKind::BodyAngularVelocity ||
           kind == SignalKind::ElementV || kind == SignalKind::JointRate;
}

std::vector<Signal> availableSignals(const Scene& scene) {
    return SignalList(scene).take();
}

std::vector<Signal> recordedSignals(const Scene& scene) {
    const std::vector<Signal> all = availableSignals(scene);
    std::vector<std::string> names;
    for (const Signal& signal : all) names.push_back(signal.name);
    const scene::NameIndex index(names);
    std::set<std::string> columns;
    std::vector<Signal> recorded;
    for (const SceneRecord& record : scene.record) {
        for (const std::size_t place : index.fitting(record.signal)) {
            const Signal& signal = all[place];
            const std::string& column = record.as.empty() ? signal.name : record.as;
            if (!columns.insert(column).second) continue;
            recorded.push_back(signal);
            recorded.back().column = column;
        }
    }
    return recorded;
}

bool matchesPattern(std::string_view pattern, std::string_view name) {
    // Greedy with one point of return: a later star makes all earlier ones final.
    std::size_t p = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            ++p;
            ++n;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

}  // namespace elasto
