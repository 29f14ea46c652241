// The text of recordings: JSON, closed by a checksum of all that stands before it, so that a damaged file is not taken
// for a run that differs.

#include "recording.h"

#include <elasto/errors.h>
#include <elasto/scene/load_scene.h>

#include <nlohmann/json.hpp>

#include <array>
#include <charconv>
#include <cmath>

#include "json_text.h"

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr std::string_view kChecksum = "\"checksum\": \"";
constexpr std::size_t kStateDigits = 16;
constexpr std::size_t kBodyDigits = 8;

std::string hex(std::uint64_t value, std::size_t digits) {
    std::string text(digits, '0');
    for (std::size_t i = digits; i-- > 0; value >>= 4) text[i] = "0123456789abcdef"[value & 15];
    return text;
}

std::optional<std::uint64_t> fromHex(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// FNV-1a.
std::uint64_t checksumOf(std::string_view text) {
    std::uint64_t value = 0xcbf29ce484222325u;
    for (const char c : text) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return value;
}

Json toJson(const Eigen::Vector3d& v) {
    return {v.x(), v.y(), v.z()};
}

Json toJson(const Eigen::Quaterniond& q) {
    return {q.x(), q.y(), q.z(), q.w()};
}

constexpr std::array kKinds = {"new", "undo", "redo"};

struct ToJson {
    Json& json;

    void operator()(const DragBegin& a) const {
        json["body"] = a.body;
        json["point"] = toJson(a.point);
        json["target"] = toJson(a.target);
        json["c"] = a.c;
        json["d"] = a.d;
    }
    void operator()(const DragMove& a) const { json["target"] = toJson(a.target); }
    void operator()(const DragEnd&) const {}
    void operator()(const TurnBegin& a) const {
        json["body"] = a.body;
        json["orientation"] = toJson(a.orientation);
        json["c"] = a.c;
        json["d"] = a.d;
    }
    void operator()(const TurnMove& a) const { json["orientation"] = toJson(a.orientation); }
    void operator()(const TurnEnd&) const {}
    void operator()(const Throw& a) const {
        json["ball"] = a.ball;
        json["position"] = toJson(a.position);
        json["velocity"] = toJson(a.velocity);
    }
    void operator()(const ParameterEdit& a) const {
        json["element"] = a.element;
        json["parameter"] = a.parameter;
        json["value"] = a.value;
        json["before"] = a.before;
        json["continues"] = a.continues;
        json["kind"] = kKinds[static_cast<std::size_t>(a.kind)];
    }
    void operator()(const ElementSwitch& a) const {
        json["element"] = a.element;
        json["enabled"] = a.enabled;
    }
    void operator()(const MotorEdit& a) const {
        json["joint"] = a.joint;
        json["velocity"] = a.velocity;
        json["maxForce"] = a.maxForce;
    }
    void operator()(const IterationsEdit& a) const { json["iterations"] = a.iterations; }
    void operator()(const GravityEdit& a) const { json["gravity"] = toJson(a.gravity); }
    void operator()(const JointPlacing& a) const {
        json["joint"] = a.joint;
        json["q"] = a.q;
        json["isTarget"] = a.isTarget;
    }
    void operator()(const JointTarget& a) const {
        json["joint"] = a.joint;
        json["value"] = a.value ? Json(*a.value) : Json();
    }
    void operator()(const JointsHold& a) const {
        json["joints"] = Json::array();
        for (const HeldJoint& joint : a.joints) {
            json["joints"].push_back({{"target", joint.target}, {"c", joint.c}, {"d", joint.d}});
        }
    }
};

/// Reads fields of one object; says which one is not acceptable.
class Fields {
public:
    /// @param path of the object in the file, "" for all of it
    Fields(const nlohmann::json& json, std::string source, std::string path)
        : m_json(json), m_source(std::move(source)), m_path(std::move(path)) {
        if (!json.is_object()) fail("must be an object");
    }

    [[noreturn]] void fail(const std::string& problem) const {
        throw RecordingError(m_source + ": " + (m_path.empty() ? "" : m_path + ": ") + problem);
    }
    [[noreturn]] void fail(const char* field, const std::string& problem) const {
        throw RecordingError(m_source + ": " + m_path + "/" + field + ": " + problem);
    }

    const nlohmann::json& field(const char* name) const {
        const auto found = m_json.find(name);
        if (found == m_json.end()) fail(std::string("the field '") + name + "' is missing");
        return *found;
    }
    double number(const char* name) const {
        const nlohmann::json& value = field(name);
        if (!value.is_number()) fail(name, "must be a number");
        const auto read = value.get<double>();
        if (!std::isfinite(read)) fail(name, "must be finite");
        return read;
    }
    long integer(const char* name, long lowest, long highest) const {
        const nlohmann::json& value = field(name);
        const bool fits = value.is_number_integer() && value.get<double>() >= static_cast<double>(lowest) &&
                          value.get<double>() <= static_cast<double>(highest);
        if (!fits) {
            fail(name, "must be a whole number from " + std::to_string(lowest) + " to " + std::to_string(highest));
        }
        return value.get<long>();
    }
    int index(const char* name, std::size_t count) const {
        if (count == 0) fail(name, "there is nothing to which it could refer");
        return static_cast<int>(integer(name, 0, static_cast<long>(count) - 1));
    }
    bool flag(const char* name) const {
        if (!field(name).is_boolean()) fail(name, "must be true or false");
        return field(name).get<bool>();
    }
    std::string text(const char* name) const {
        if (!field(name).is_string()) fail(name, "must be a text");
        return field(name).get<std::string>();
    }
    const nlohmann::json& list(const char* name) const {
        if (!field(name).is_array()) fail(name, "must be a list");
        return field(name);
    }
    /// An object in a list.
    Fields item(const char* name, std::size_t index) const {
        return {list(name)[index], m_source, m_path + "/" + name + "/" + std::to_string(index)};
    }
    Eigen::Vector3d vector(const char* name) const {
        const std::array<double, 3> v = numbers<3>(name);
        return {v[0], v[1], v[2]};
    }
    Eigen::Quaterniond quaternion(const char* name) const {
        const std::array<double, 4> q = numbers<4>(name);
        return {q[3], q[0], q[1], q[2]};
    }

private:
    template <std::size_t Count>
    std::array<double, Count> numbers(const char* name) const {
        const nlohmann::json& json = field(name);
        if (!json.is_array() || json.size() != Count) fail(name, "must be " + std::to_string(Count) + " numbers");
        std::array<double, Count> read{};
        for (std::size_t i = 0; i < Count; ++i) {
            if (!json[i].is_number() || !std::isfinite(json[i].get<double>())) {
                fail(name, "must be " + std::to_string(Count) + " numbers");
            }
            read[i] = json[i].get<double>();
        }
        return read;
    }

    const nlohmann::json& m_json;
    std::string m_source;
    std::string m_path;
};

ParameterEdit::Kind kindOf(const Fields& fields) {
    const std::string word = fields.text("kind");
    for (std::size_t i = 0; i < kKinds.size(); ++i) {
        if (word == kKinds[i]) return static_cast<ParameterEdit::Kind>(i);
    }
    fields.fail("kind", "must be new, undo or redo");
}

Action actionOf(const Fields& fields, const Recording& recording) {
    const std::string type = fields.text("type");
    const std::size_t bodies =
        recording.scene.bodies.size() + static_cast<std::size_t>(recording.balls) + recording.links;
    const std::size_t elements = recording.scene.elements.size() + recording.guestElements;
    constexpr long kMostIterations = 1'000'000'000;
    if (type == "dragBegin") {
        return DragBegin{fields.index("body", bodies), fields.vector("point"), fields.vector("target"),
                         fields.number("c"), fields.number("d")};
    }
    if (type == "dragMove") return DragMove{fields.vector("target")};
    if (type == "dragEnd") return DragEnd{};
    if (type == "turnBegin") {
        return TurnBegin{fields.index("body", bodies), fields.quaternion("orientation"), fields.number("c"),
                         fields.number("d")};
    }
    if (type == "turnMove") return TurnMove{fields.quaternion("orientation")};
    if (type == "turnEnd") return TurnEnd{};
    if (type == "throw") {
        return Throw{fields.index("ball", static_cast<std::size_t>(recording.balls)), fields.vector("position"),
                     fields.vector("velocity")};
    }
    if (type == "parameter") {
        return ParameterEdit{fields.index("element", elements), fields.text("parameter"), fields.number("value"),
                             fields.number("before"),           fields.flag("continues"), kindOf(fields)};
    }
    if (type == "switch") return ElementSwitch{fields.index("element", elements), fields.flag("enabled")};
    if (type == "motor") {
        return MotorEdit{fields.index("joint", recording.scene.joints.size()), fields.number("velocity"),
                         fields.number("maxForce")};
    }
    if (type == "iterations") {
        return IterationsEdit{static_cast<int>(fields.integer("iterations", 1, kMostIterations))};
    }
    if (type == "gravity") return GravityEdit{fields.vector("gravity")};
    // A joint carries a link.
    if (type == "jointPlacing") {
        return JointPlacing{fields.index("joint", recording.links), fields.number("q"), fields.flag("isTarget")};
    }
    if (type == "jointTarget") {
        const int joint = fields.index("joint", recording.links);
        if (fields.field("value").is_null()) return JointTarget{joint, std::nullopt};
        return JointTarget{joint, fields.number("value")};
    }
    if (type == "jointsHold") {
        JointsHold hold;
        for (std::size_t i = 0; i < fields.list("joints").size(); ++i) {
            const Fields joint = fields.item("joints", i);
            hold.joints.push_back({joint.number("target"), joint.number("c"), joint.number("d")});
        }
        return hold;
    }
    fields.fail("type", "'" + type + "' is not known");
}

StateMark markFrom(const nlohmann::json& json, std::size_t bodies, const std::string& place) {
    const auto refuse = [&] {
        return RecordingError(place + ": is not a fingerprint of " + std::to_string(bodies) + " bodies");
    };
    if (!json.is_string()) throw refuse();
    const auto& text = json.get_ref<const std::string&>();
    if (text.size() != kStateDigits + bodies * kBodyDigits) throw refuse();
    StateMark mark;
    const auto part = [&](std::size_t from, std::size_t count) {
        const std::optional<std::uint64_t> value = fromHex(std::string_view(text).substr(from, count));
        if (!value) throw refuse();
        return *value;
    };
    mark.state = part(0, kStateDigits);
    for (std::size_t i = 0; i < bodies; ++i) {
        mark.bodies.push_back(static_cast<std::uint32_t>(part(kStateDigits + i * kBodyDigits, kBodyDigits)));
    }
    return mark;
}

Recording fromJson(const nlohmann::json& json, const std::string& source) {
    const Fields fields(json, source, "");
    Recording recording;
    recording.version = fields.text("elasto");
    recording.precision = fields.text("precision");
    recording.prepared = fields.text("prepared");
    recording.rate = fields.number("rate");
    if (!(recording.rate > 0 && recording.rate <= kHighestRate)) fields.fail("rate", "must be > 0 and <= 1e6");
    constexpr long kMostBalls = 1000;
    recording.balls = static_cast<int>(fields.integer("balls", 0, kMostBalls));
    recording.ballSize = {fields.number("ballRadius"), fields.number("ballMass")};
    if (!recording.prepared.empty()) {
        constexpr long kMostParts = 1'000'000;
        recording.links = static_cast<std::size_t>(fields.integer("links", 0, kMostParts));
        recording.guestElements = static_cast<std::size_t>(fields.integer("guestElements", 0, kMostParts));
    }
    if (!(recording.ballSize.radius > 0)) fields.fail("ballRadius", "must be > 0");
    if (!(recording.ballSize.mass > 0)) fields.fail("ballMass", "must be > 0");
    try {
        recording.scene = parseScene(fields.field("scene").dump(), source + ": scene");
    } catch (const SceneError& error) {
        throw RecordingError(error.what());
    }
    const nlohmann::json& marks = fields.list("marks");
    if (marks.empty()) fields.fail("marks", "must have at least one entry");
    const std::size_t bodies = recording.scene.bodies.size() + static_cast<std::size_t>(recording.balls);
    for (std::size_t i = 0; i < marks.size(); ++i) {
        recording.marks.push_back(markFrom(marks[i], bodies, source + ": /marks/" + std::to_string(i)));
    }
    long last = 0;
    const nlohmann::json& inputs = fields.list("inputs");
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Fields input(inputs[i], source, "/inputs/" + std::to_string(i));
        last = input.integer("tick", last, recording.ticks());
        recording.inputs.push_back({last, actionOf(input, recording)});
    }
    return recording;
}

}  // namespace

std::string writeRecording(const Recording& recording) {
    Json json;
    json["elrec"] = kFormat;
    json["elasto"] = recording.version;
    json["precision"] = recording.precision;
    json["prepared"] = recording.prepared;
    json["rate"] = recording.rate;
    json["balls"] = recording.balls;
    json["ballRadius"] = recording.ballSize.radius;
    json["ballMass"] = recording.ballSize.mass;
    if (!recording.prepared.empty()) {
        json["links"] = recording.links;
        json["guestElements"] = recording.guestElements;
    }
    json["scene"] = Json::parse(writeScene(recording.scene));
    json["inputs"] = Json::array();
    for (const Input& input : recording.inputs) {
        Json entry;
        entry["tick"] = input.tick;
        entry["type"] = actionName(input.action);
        std::visit(ToJson{entry}, input.action);
        json["inputs"].push_back(std::move(entry));
    }
    json["marks"] = Json::array();
    for (const StateMark& mark : recording.marks) {
        std::string text = hex(mark.state, kStateDigits);
        for (const std::uint32_t body : mark.bodies) text += hex(body, kBodyDigits);
        json["marks"].push_back(std::move(text));
    }
    std::string text = json.dump(1);
    text.resize(text.size() - 2);  // the line feed and brace at the end
    text += ",\n ";
    const std::string checksum = hex(checksumOf(text), kStateDigits);
    return text + std::string(kChecksum) + checksum + "\"\n}\n";
}

bool isRecording(std::string_view text) {
    constexpr std::size_t kHead = 64;  // of the file: its first field says so
    return text.substr(0, kHead).find("\"elrec\"") != text.npos;
}

Recording parseRecording(std::string_view text, const std::string& source) {
    scene::Problems problems(source);
    const nlohmann::json json = scene::parseJsonText(text, problems, text.size());
    if (!problems.empty()) {
        throw RecordingError(source + ": is no recording of Elasto, or one that is cut off or damaged");
    }
    const auto format = json.is_object() ? json.find("elrec") : json.end();
    if (format == json.end()) throw RecordingError(source + ": is no recording of Elasto");
    if (*format != kFormat) {
        throw RecordingError(source + ": has format " + format->dump() + ", and this program knows format " +
                             std::to_string(kFormat));
    }
    const std::size_t end = text.rfind(kChecksum);
    const std::string_view sum = end == text.npos ? "" : text.substr(end + kChecksum.size(), kStateDigits);
    if (end == text.npos || fromHex(sum) != checksumOf(text.substr(0, end))) {
        throw RecordingError(source + ": is damaged: its checksum is not that of its content");
    }
    return fromJson(json, source);
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
