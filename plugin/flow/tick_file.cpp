#include <elasto/errors.h>
#include <elasto/tick_file.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace elasto {

namespace {

constexpr int kVersion = 4;
/// Far beyond any network, and what a broken file may ask for.
constexpr std::size_t kMostParts = 1'000'000;

/// Writes a field per line.
class Writer {
public:
    explicit Writer(std::ostream& out) : m_out(out) {}
    static constexpr bool kReads = false;

    void words(const char* name, const std::string& value) { m_out << name << ' ' << value << '\n'; }
    void numbers(const char* name, double* values, std::size_t count) {
        m_out << name;
        for (std::size_t i = 0; i < count; ++i) {
            std::array<char, 40> text;
            std::snprintf(text.data(), text.size(), " %a", values[i]);
            m_out << text.data();
        }
        m_out << '\n';
    }
    void integer(const char* name, long long& value) { m_out << name << ' ' << value << '\n'; }

private:
    std::ostream& m_out;
};

/// Reads the same fields in the same order.
class Reader {
public:
    Reader(std::istream& in, std::string source) : m_in(in), m_source(std::move(source)) {}
    static constexpr bool kReads = true;

    std::string rest(const char* name) {
        std::string line;
        ++m_line;
        if (!std::getline(m_in, line)) throw problem(std::string("the file ends before '") + name + "'");
        if (line.ends_with('\r')) line.pop_back();
        const std::string word = line.substr(0, line.find(' '));
        if (word != name) refuse("'" + word + "'", std::string("'") + name + "'");
        return line.size() > word.size() ? line.substr(word.size() + 1) : "";
    }
    void numbers(const char* name, double* values, std::size_t count) {
        const std::string text = rest(name);
        const char* at = text.c_str();
        for (std::size_t i = 0; i < count; ++i) {
            char* end = nullptr;
            values[i] = std::strtod(at, &end);
            if (end == at) refuse("'" + text + "'", std::to_string(count) + " numbers after '" + name + "'");
            at = end;
        }
        if (*at != '\0') refuse("'" + text + "'", "no more than " + std::to_string(count) + " numbers");
    }
    void integer(const char* name, long long& value) {
        const std::string text = rest(name);
        char* end = nullptr;
        errno = 0;
        value = std::strtoll(text.c_str(), &end, 10);
        if (end == text.c_str() || *end != '\0' || errno == ERANGE) {
            refuse("'" + text + "'", std::string("an integer after '") + name + "'");
        }
    }
    /// Nothing but the end may follow.
    void end() {
        rest("end");
        std::string more;
        ++m_line;
        if (m_in >> more) refuse("'" + more + "'", "the end of the file");
    }
    [[noreturn]] void refuse(const std::string& found, const std::string& allowed) const {
        throw problem(found + " is not allowed; it must be " + allowed);
    }
    InvalidParameter problem(const std::string& what) const {
        return {m_source, "line " + std::to_string(m_line) + ": " + what};
    }

private:
    std::istream& m_in;
    std::string m_source;
    long m_line = 0;
};

// --- fields: one function for both ---

template <class File>
void field(File& file, const char* name, double& value) {
    file.numbers(name, &value, 1);
}
template <class File>
void field(File& file, const char* name, Eigen::Vector3d& value) {
    file.numbers(name, value.data(), 3);
}
template <class File>
void field(File& file, const char* name, Eigen::Vector2d& value) {
    file.numbers(name, value.data(), 2);
}
template <class File>
void field(File& file, const char* name, Eigen::Matrix3d& value) {
    file.numbers(name, value.data(), 9);
}
template <class File>
void field(File& file, const char* name, Eigen::Quaterniond& value) {
    file.numbers(name, value.coeffs().data(), 4);
}
/// @param most of what an enumeration may be; < least: any
template <class File, class Integer>
void integer(File& file, const char* name, Integer& value, long long least = 0, long long most = -1) {
    long long number = static_cast<long long>(value);
    file.integer(name, number);
    if constexpr (File::kReads) {
        if (most >= least && (number < least || number > most)) {
            file.refuse(std::to_string(number),
                        std::to_string(least) + " to " + std::to_string(most) + " after '" + name + "'");
        }
        value = static_cast<Integer>(number);
    }
}
template <class File>
void field(File& file, const char* name, int& value) {
    integer(file, name, value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
}
template <class File>
void field(File& file, const char* name, bool& value) {
    integer(file, name, value, 0, 1);
}
template <class File, class T>
void list(File& file, const char* name, std::vector<T>& parts, const T& first) {
    std::size_t count = parts.size();
    integer(file, name, count, 0, static_cast<long long>(kMostParts));
    if constexpr (File::kReads) parts.assign(count, first);
    for (T& part : parts) fields(file, part);
}

template <class File>
void field(File& file, const char* name, QuadraticLoad& load) {
    Eigen::Matrix3d values;
    values << load.constant, load.linear, load.quadratic;
    file.numbers(name, values.data(), 9);
    load = {values.col(0), values.col(1), values.col(2)};
}
/// Of shares and torques.
template <class File, class Parabola>
void parabola(File& file, const char* name, Parabola& value) {
    std::array<double, 3> values = {value.constant, value.linear, value.quadratic};
    file.numbers(name, values.data(), values.size());
    value = {values[0], values[1], values[2]};
}
template <class File>
void field(File& file, const char* name, EulerTurns& turns) {
    std::array<double, 3> values = {1. * turns.first, 1. * turns.last, 1. * turns.about};
    file.numbers(name, values.data(), values.size());
    turns = {static_cast<int>(values[0]), static_cast<int>(values[1]), static_cast<int>(values[2])};
}

template <std::size_t I = 0>
Law lawOf(std::size_t index, const LawValues& values) {
    if constexpr (I + 1 < std::variant_size_v<Law>) {
        if (index != I) return lawOf<I + 1>(index, values);
    }
    return std::variant_alternative_t<I, Law>::of(values, "law of a tick file");
}

template <class File>
void field(File& file, const char* name, Law& law) {
    std::size_t index = law.index();
    LawValues values = valuesOf(law);
    integer(file, name, index, 0, static_cast<long long>(std::variant_size_v<Law>) - 1);
    file.numbers("values", values.data(), values.size());
    std::vector<ForceTable::Point> points = values.table.points();
    std::size_t count = points.size();
    integer(file, "table", count, 0, static_cast<long long>(kMostParts));
    if constexpr (File::kReads) points.resize(count);
    for (ForceTable::Point& point : points) file.numbers("point", point.data(), point.size());
    if constexpr (File::kReads) {
        if (count > 0) values.table = ForceTable(points);
        law = lawOf(index, values);
    }
}

template <class File>
void fields(File& file, BodyState& body) {
    field(file, "position", body.position);
    field(file, "orientation", body.orientation);
    field(file, "velocity", body.velocity);
    field(file, "angularVelocity", body.angularVelocity);
}

template <class File>
void fields(File& file, FlowBody& body) {
    fields(file, static_cast<BodyState&>(body));
    field(file, "inverseMass", body.inverseMass);
    field(file, "inverseInertia", body.inverseInertia);
    field(file, "linearFactor", body.linearFactor);
    field(file, "angularFactor", body.angularFactor);
    field(file, "gyroscopic", body.gyroscopic);
    field(file, "spinMomentum", body.spinMomentum);
    field(file, "force", body.force);
    field(file, "torque", body.torque);
}

constexpr auto kLastGeometry = static_cast<long long>(Geometry::SwingCone);

template <class File>
void fields(File& file, GearedCoordinate& geared) {
    field(file, "ratio", geared.ratio);
    integer(file, "geometry", geared.geometry, 0, kLastGeometry);
    field(file, "a", geared.a);
    field(file, "b", geared.b);
    field(file, "pointA", geared.pointA);
    field(file, "pointB", geared.pointB);
    field(file, "axis", geared.axis);
    field(file, "frameA", geared.frameA);
    field(file, "frameB", geared.frameB);
    field(file, "carried", geared.carried);
    field(file, "carrierFrame", geared.carrierFrame);
    field(file, "phi", geared.phi);
}

template <class File>
void fields(File& file, ImplicitPause& pause) {
    field(file, "pauseLength", pause.length);
    field(file, "pauseLeft", pause.left);
}

template <class File>
void fields(File& file, FlowElement& element) {
    field(file, "law", element.law);
    integer(file, "geometry", element.geometry, 0, kLastGeometry);
    field(file, "a", element.a);
    field(file, "b", element.b);
    field(file, "pointA", element.pointA);
    field(file, "pointB", element.pointB);
    field(file, "axis", element.axis);
    field(file, "frameA", element.frameA);
    field(file, "frameB", element.frameB);
    field(file, "turns", element.turns);
    field(file, "spans", element.spans);
    field(file, "s_small", element.s_small);
    parabola(file, "f_normalized", element.f_normalized);
    fields(file, element.geared);
    field(file, "s_damper", element.s_damper);
    field(file, "phi", element.phi);
    fields(file, element.pause);
}

template <class File>
void fields(File& file, HeldRow& row) {
    integer(file, "held", row.kind, 0, static_cast<long long>(HeldRow::Kind::Gear));
    field(file, "a", row.a);
    field(file, "b", row.b);
    field(file, "pointA", row.pointA);
    field(file, "pointB", row.pointB);
    field(file, "axisA", row.axisA);
    field(file, "axisB", row.axisB);
    field(file, "offset", row.offset);
    field(file, "ratio", row.ratio);
    field(file, "reaction", row.reaction);
}

template <class File>
void fields(File& file, DryFriction& friction) {
    field(file, "element", friction.element);
    field(file, "slow", friction.slow);
    field(file, "peak", friction.peak);
    field(file, "bySpeed", friction.bySpeed);
    field(file, "stribeck", friction.stribeck);
    field(file, "decay", friction.decay);
    parabola(file, "share", friction.share);
}

template <class File>
void fields(File& file, BoundedRow& row) {
    integer(file, "bounded", row.kind, 0, static_cast<long long>(BoundedRow::Kind::Limit));
    integer(file, "geometry", row.geometry, 0, kLastGeometry);
    field(file, "a", row.a);
    field(file, "b", row.b);
    field(file, "pointA", row.pointA);
    field(file, "pointB", row.pointB);
    field(file, "axis", row.axis);
    field(file, "frameA", row.frameA);
    field(file, "frameB", row.frameB);
    field(file, "turns", row.turns);
    field(file, "spans", row.spans);
    field(file, "targetRate", row.targetRate);
    field(file, "maxForce", row.maxForce);
    field(file, "bound", row.bound);
    field(file, "side", row.side);
    field(file, "restitution", row.restitution);
    field(file, "reaction", row.reaction);
    fields(file, row.friction);
    fields(file, row.geared);
    field(file, "phi", row.phi);
}

template <class File>
void fields(File& file, ContactBox& box) {
    field(file, "centre", box.centre);
    field(file, "half", box.half);
    field(file, "rounding", box.rounding);
}

template <class File>
void fields(File& file, FlowContact& contact) {
    field(file, "a", contact.a);
    field(file, "b", contact.b);
    field(file, "isVertexOnA", contact.isVertexOnA);
    field(file, "vertex", contact.vertex);
    field(file, "radius", contact.radius);
    field(file, "planePoint", contact.planePoint);
    field(file, "normal", contact.normal);
    field(file, "ownerRadius", contact.ownerRadius);
    field(file, "ownerAxis", contact.ownerAxis);
    field(file, "offset", contact.offset);
    fields(file, contact.ownerBox);
    fields(file, contact.vertexBox);
    field(file, "friction", contact.friction);
    field(file, "rollingFriction", contact.rollingFriction);
    field(file, "spinningFriction", contact.spinningFriction);
    field(file, "restitution", contact.restitution);
    field(file, "restitutionVelocity", contact.restitutionVelocity);
    field(file, "surfaceVelocity", contact.surfaceVelocity);
    field(file, "stiffness", contact.stiffness);
    field(file, "damping", contact.damping);
    field(file, "restSpeed", contact.restSpeed);
    field(file, "hasStuck", contact.hasStuck);
    field(file, "entered", contact.entered);
    field(file, "slack", contact.slack);
    field(file, "impulse", contact.impulse);
    field(file, "creep", contact.creep);
}

template <class File>
void fields(File& file, LoadChange& change) {
    field(file, "time", change.time);
    field(file, "body", change.body);
    field(file, "force", change.force);
    field(file, "torque", change.torque);
    field(file, "element", change.element);
    parabola(file, "share", change.share);
}

Law anyLaw() {
    return SpringDamperLaw({.c = 0, .d = 0});
}

template <class File>
void fields(File& file, FlowNetwork& network) {
    list(file, "bodies", network.bodies, FlowBody());
    list(file, "elements", network.elements, FlowElement{anyLaw()});
    list(file, "joints", network.joints, HeldRow());
    list(file, "bounded", network.bounded, BoundedRow());
    list(file, "contacts", network.contacts, FlowContact());
    list(file, "changes", network.changes, LoadChange());
}

template <class File>
void fields(File& file, TreeLink& link) {
    field(file, "parent", link.parent);
    integer(file, "joint", link.joint, 0, static_cast<long long>(TreeJoint::Spherical));
    field(file, "q", link.q);
    field(file, "qd", link.qd);
    field(file, "turn", link.turn);
    field(file, "spin", link.spin);
    field(file, "axis", link.axis);
    field(file, "pivot", link.pivot);
    field(file, "orientation", link.orientation);
    field(file, "centerOfMass", link.centerOfMass);
    field(file, "mass", link.mass);
    field(file, "inertia", link.inertia);
    parabola(file, "torque", link.torque);
    field(file, "ballTorque", link.ballTorque);
    field(file, "force", link.force);
    field(file, "forceTorque", link.forceTorque);
}

template <class File>
void fields(File& file, TreeRotor& rotor) {
    field(file, "carrier", rotor.carrier);
    field(file, "axis", rotor.axis);
    field(file, "inertia", rotor.inertia);
    field(file, "phi", rotor.phi);
    field(file, "w", rotor.w);
    parabola(file, "torque", rotor.torque);
}

template <class File>
void fields(File& file, FlowTree& tree) {
    fields(file, static_cast<BodyState&>(tree.base));
    field(file, "isFixed", tree.base.isFixed);
    field(file, "mass", tree.base.mass);
    field(file, "inertia", tree.base.inertia);
    field(file, "force", tree.base.force);
    field(file, "torque", tree.base.torque);
    list(file, "links", tree.links, TreeLink());
    list(file, "rotors", tree.rotors, TreeRotor());
    field(file, "linearDamping", tree.linearDamping);
    field(file, "angularDamping", tree.angularDamping);
    field(file, "gyroscopic", tree.gyroscopic);
}

template <class File>
void fields(File& file, TreeTerm& term) {
    integer(file, "term", term.kind, 0, static_cast<long long>(TreeTerm::Kind::Rotor));
    field(file, "tree", term.tree);
    field(file, "index", term.index);
    field(file, "coefficient", term.coefficient);
}

template <class File>
void fields(File& file, TreeCoordinate& coordinate) {
    list(file, "terms", coordinate.terms, TreeTerm());
    field(file, "offset", coordinate.offset);
}

template <class File>
void fields(File& file, TreeElement& element) {
    fields(file, static_cast<TreeCoordinate&>(element));
    field(file, "law", element.law);
    parabola(file, "f_normalized", element.f_normalized);
    field(file, "s_damper", element.s_damper);
}

template <class File>
void fields(File& file, TreeBounded& bounded) {
    fields(file, static_cast<TreeCoordinate&>(bounded));
    integer(file, "bounded", bounded.kind, 0, static_cast<long long>(BoundedRow::Kind::Limit));
    field(file, "targetRate", bounded.targetRate);
    field(file, "maxForce", bounded.maxForce);
    field(file, "bound", bounded.bound);
    field(file, "side", bounded.side);
    field(file, "restitution", bounded.restitution);
    fields(file, bounded.friction);
}

template <class File>
void fields(File& file, TreeLoadChange& change) {
    field(file, "time", change.time);
    integer(file, "kind", change.kind, 0, static_cast<long long>(TreeTerm::Kind::Rotor));
    field(file, "tree", change.tree);
    field(file, "index", change.index);
    parabola(file, "torque", change.torque);
    field(file, "element", change.element);
    parabola(file, "share", change.share);
}

template <class File>
void fields(File& file, TreeNetwork& network) {
    list(file, "trees", network.trees, FlowTree());
    list(file, "elements", network.elements, TreeElement(anyLaw()));
    list(file, "bounded", network.bounded, TreeBounded());
    list(file, "changes", network.changes, TreeLoadChange());
}

/// A number that must be finite, and no less than something.
template <class File>
void atLeast(File& file, const char* name, double least, bool isAllowed, double& value) {
    field(file, name, value);
    if constexpr (File::kReads) {
        if (std::isfinite(value) && (value > least || (isAllowed && value == least))) return;
        file.refuse(std::to_string(value),
                    std::string("finite and ") + (isAllowed ? ">= 0" : "> 0") + " after '" + name + "'");
    }
}

constexpr int kMostSteps = 100'000'000, kMostSubsteps = 10'000;

template <class File>
void fields(File& file, Accuracy& accuracy) {
    Accuracy::Method method = accuracy.method();
    double metres = accuracy.metres();
    integer(file, "accuracy", method, 0, static_cast<long long>(Accuracy::Method::Uncoupled));
    atLeast(file, "metres", 0, false, metres);
    if constexpr (File::kReads) {
        accuracy = method == Accuracy::Method::Exact      ? Accuracy::within(metres)
                   : method == Accuracy::Method::Implicit ? Accuracy::Implicit
                                                          : Accuracy::Uncoupled;
    }
}

template <class File>
void fields(File& file, FlowSettings& settings) {
    integer(file, "maxSteps", settings.maxSteps, 1, kMostSteps);
    atLeast(file, "tolerance", 0, false, settings.tolerance);
    atLeast(file, "velocityFloor", 0, false, settings.velocityFloor);
    atLeast(file, "strongDamping", 0, true, settings.strongDamping);
    fields(file, settings.accuracy);
    integer(file, "fewestSubsteps", settings.fewestSubsteps, 1, kMostSubsteps);
    integer(file, "mostSubsteps", settings.mostSubsteps, 1, kMostSubsteps);
    atLeast(file, "substep", 0, true, settings.substep);
    field(file, "maxCost", settings.maxCost);
}

template <class File>
void fields(File& file, TickRecord& tick) {
    field(file, "time", tick.time);
    atLeast(file, "h", 0, false, tick.h);
    fields(file, tick.settings);
    integer(file, "grade", tick.grade.grade, 0, static_cast<long long>(Grade::Failed));
    integer(file, "cause", tick.grade.cause, 0, kGradeCauses - 1);
    atLeast(file, "error", 0, true, tick.grade.error);
    integer(file, "fingerprint", tick.fingerprint);
    std::size_t kind = tick.network.index();
    integer(file, "network", kind, 0, 1);
    if constexpr (File::kReads) {
        if (kind == 1) tick.network = TreeNetwork();
    }
    std::visit([&](auto& network) { fields(file, network); }, tick.network);
}

/// FNV-1a over the bytes of numbers.
class Fingerprint {
public:
    void add(double value) {
        std::uint64_t bits = 0;
        if (value == 0) value = 0;  // what a cache recalls may have another sign
        std::memcpy(&bits, &value, sizeof bits);
        for (int i = 0; i < 8; ++i) {
            m_hash ^= (bits >> (8 * i)) & 0xff;
            m_hash *= 0x100000001b3;
        }
    }
    template <class Vector>
    void addAll(const Vector& values) {
        for (Eigen::Index i = 0; i < values.size(); ++i) add(values[i]);
    }
    void add(const BodyState& body) {
        addAll(body.position);
        addAll(body.orientation.coeffs());
        addAll(body.velocity);
        addAll(body.angularVelocity);
    }
    void add(const std::vector<ElementTick>& elements) {
        for (const ElementTick& element : elements) {
            for (const double value : {element.s, element.v, element.s_damper, element.impulse, element.heat})
                add(value);
        }
    }
    std::uint64_t hash() const { return m_hash; }

private:
    std::uint64_t m_hash = 0xcbf29ce484222325;
};

}  // namespace

std::uint64_t fingerprintOf(const TickResult& tick) {
    Fingerprint print;
    for (const BodyTick& body : tick.bodies) print.add(static_cast<const BodyState&>(body));
    print.add(tick.elements);
    for (const ContactTick& contact : tick.contacts) {
        print.add(contact.impulse);
        print.add(contact.gap);
    }
    return print.hash();
}

std::uint64_t fingerprintOf(const TreeTickResult& tick) {
    Fingerprint print;
    for (const TreeTick& tree : tick.trees) {
        print.add(tree.base);
        for (const TreeJointState& link : tree.links) {
            print.add(link.q);
            print.add(link.qd);
            print.addAll(link.turn.coeffs());
            print.addAll(link.spin);
        }
        for (const TreeRotorState& rotor : tree.rotors) {
            print.add(rotor.phi);
            print.add(rotor.w);
        }
    }
    print.add(tick.elements);
    return print.hash();
}

void writeTick(std::ostream& out, const TickRecord& tick) {
    Writer writer(out);
    TickRecord copy = tick;  // fields are read and written by the same functions
    for (char& letter : copy.label) {
        if (letter == '\n' || letter == '\r') letter = ' ';
    }
    writer.words("elasto-tick", std::to_string(kVersion));
    writer.words("label", copy.label);
    fields(writer, copy);
    writer.words("end", "tick");
}

TickRecord readTick(std::istream& in, const std::string& source) {
    Reader reader(in, source);
    TickRecord tick;
    if (reader.rest("elasto-tick") != std::to_string(kVersion)) {
        reader.refuse("this version", "elasto-tick " + std::to_string(kVersion));
    }
    tick.label = reader.rest("label");
    fields(reader, tick);
    reader.end();
    return tick;
}

}  // namespace elasto
