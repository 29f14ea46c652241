#include "names.h"
#include "scene_json.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace elasto::scene {

namespace {

/// Fields and what is assumed for each.
OrderedJson fields(std::initializer_list<std::pair<const char*, OrderedJson>> list) {
    OrderedJson json = OrderedJson::object();
    for (const auto& [name, value] : list) json[name] = value;
    return json;
}

const OrderedJson& origin() {
    static const OrderedJson json = OrderedJson::array({0., 0., 0.});
    return json;
}

const OrderedJson& unturned() {
    static const OrderedJson json = OrderedJson::array({0., 0., 0., 1.});
    return json;
}

OrderedJson alongX() {
    return OrderedJson::array({1., 0., 0.});
}

OrderedJson alongZ() {
    return OrderedJson::array({0., 0., 1.});
}

/// Erases what is the same in `assumed`, but for the fields that must be written.
void erase(OrderedJson& json, const OrderedJson& assumed, std::initializer_list<std::string_view> required = {}) {
    for (const auto& [key, value] : assumed.items()) {
        if (std::find(required.begin(), required.end(), key) != required.end()) continue;
        const auto found = json.find(key);
        if (found != json.end() && *found == value) json.erase(found);
    }
}

void shortenFrames(OrderedJson& json) {
    for (const char* end : {"frame_a", "frame_b"}) {
        erase(json[end], fields({{"position", origin()}, {"orientation", unturned()}}));
    }
}

void shortenBody(OrderedJson& json, const SceneBody& body) {
    Scene assumed;
    assumed.bodies.emplace_back().motion = body.motion;
    const OrderedJson without = jsonOf(assumed)["bodies"][0];
    erase(json, without, {"name", "motion", "mass", "inertia", "path"});
    if (body.motion == BodyMotion::Dynamic) json.erase("motion");
    if (body.motion != BodyMotion::Kinematic) return;
    for (OrderedJson& point : json["path"]) erase(point, fields({{"orientation", unturned()}}));
}

void shortenJoint(OrderedJson& json, const SceneJoint& joint) {
    shortenFrames(json);
    if (joint.limits) erase(json["limits"], fields({{"restitution", 0.}}));
    const bool slides = joint.type == SceneJoint::Type::Slider;
    erase(json, fields({{"axis", slides ? alongX() : alongZ()}}));
}

/// Of a load, or of the strength of a brake.
void shortenCourse(OrderedJson& json) {
    erase(json, fields({{"phase", 0.}, {"offset", 0.}, {"startTime", 0.}, {"resolveInFrame", "world"}}));
}

/// Diameters and widths that follow from others are assumed from them.
void shortenAnimation(OrderedJson& json) {
    SceneElement assumed;
    OrderedJson without = jsonOf(assumed, {})["animation"];
    without["diameter_b"] = 0.6 * json["diameter_a"].get<double>();
    without["coilWidth"] = json["width"].get<double>() / 10;
    erase(json, without);
}

constexpr std::size_t kLine = 110;  ///< characters of a line

/// The shortest text that reads back to the same number: 2, not 2.0.
std::string numberText(double value) {
    char buffer[32];
    const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value);
    const std::string text(buffer, end.ptr);
    return text == "-0" ? "-0.0" : text;
}

std::string inOneLine(const OrderedJson& json) {
    if (json.is_number_float()) return numberText(json.get<double>());
    if (!json.is_structured()) return json.dump();
    std::string text;
    for (const auto& [key, value] : json.items()) {
        if (!text.empty()) text += ", ";
        if (json.is_object()) text += OrderedJson(key).dump() + ": ";
        text += inOneLine(value);
    }
    if (json.is_array()) return "[" + text + "]";
    return text.empty() ? "{}" : "{ " + text + " }";
}

void print(const OrderedJson& json, std::size_t indent, std::size_t used, std::string& text) {
    const std::string line = inOneLine(json);
    if (!json.is_structured() || json.empty() || used + line.size() <= kLine) {
        text += line;
        return;
    }
    const std::string margin(indent + 2, ' ');
    text += json.is_array() ? "[" : "{";
    bool isFirst = true;
    for (const auto& [key, value] : json.items()) {
        text += isFirst ? "\n" : ",\n";
        isFirst = false;
        const std::string name = json.is_object() ? OrderedJson(key).dump() + ": " : "";
        text += margin + name;
        print(value, indent + 2, indent + 2 + name.size(), text);
    }
    text += "\n" + std::string(indent, ' ') + (json.is_array() ? "]" : "}");
}

}  // namespace

void shorten(OrderedJson& document, const SceneElement& element) {
    const ElementTypeInfo& info = infoOf(element.type);
    if (element.geometry == defaultGeometry(info.placing)) document.erase("geometry");
    const bool turns = element.geometry == Geometry::AboutAxis;
    erase(document, fields({{"axis", turns ? alongZ() : alongX()}}));
    shortenFrames(document);
    if (element.gear) erase(document["gear"], fields({{"carrier", "world"}}));
    const std::span<const LawParameter> list = parameterList(info);
    const LawValues values = valuesOf(element.law);
    const LawValues assumed = defaultValues(info);
    for (const ElementTypeInfo::Field& field : info.fields) {
        const auto k = static_cast<std::size_t>(field.parameter);
        const bool isTable = list[k].measured == Measured::Table;
        // What must be given is not a number there.
        if (!isTable && values[k] == assumed[k]) document.erase(field.name);
    }
    if (element.f_normalized) shortenCourse(document["f_normalized"]);
    erase(document, fields({{"T", SceneElement().T}, {"s_small", SceneElement().s_small}}));
    shortenAnimation(document["animation"]);
    if (document["animation"].empty()) document.erase("animation");
}

void shorten(OrderedJson& document, const Scene& scene) {
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) shortenBody(document["bodies"][i], scene.bodies[i]);
    for (std::size_t i = 0; i < scene.joints.size(); ++i) shortenJoint(document["joints"][i], scene.joints[i]);
    for (std::size_t i = 0; i < scene.elements.size(); ++i) shorten(document["elements"][i], scene.elements[i]);
    for (OrderedJson& load : document["loads"]) shortenCourse(load);
    erase(document, jsonOf(Scene{}), {"elasto", "name", "bodies", "rate", "duration"});
}

std::string print(const OrderedJson& document) {
    std::string text;
    print(document, 0, 0, text);
    return text;
}

}  // namespace elasto::scene
