// Values and defaults arrive where they belong, and a written scene reads back to the same values.

#include "complete_scene.h"

#include <elasto/scene/signals.h>

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

using namespace elasto;
using nlohmann::json;
using Vector = Eigen::Vector3d;

namespace {

Scene complete() {
    return parseScene(completeScene().dump());
}

const SceneElement& element(const Scene& scene, const std::string& name) {
    for (const SceneElement& candidate : scene.elements) {
        if (candidate.name == name) return candidate;
    }
    throw std::out_of_range(name);
}

/// The default that the schema states for a field, by its definition.
json schemaDefault(const std::string& definition, const std::string& field) {
    static const json schema = json::parse(sceneSchema());
    const json* node = definition.empty() ? &schema : &schema.at("definitions").at(definition);
    node = &node->at("properties").at(field);
    if (node->contains("default")) return node->at("default");
    if (node->contains("$ref")) {
        return schema.at(json::json_pointer(node->at("$ref").get<std::string>().substr(1))).at("default");
    }
    throw std::out_of_range(definition + "/" + field);
}

json array(const Vector& v) {
    return {v[0], v[1], v[2]};
}

}  // namespace

TEST_CASE("every value of the file arrives in the description") {
    const Scene scene = complete();
    CHECK(scene.name == "complete");
    CHECK(scene.description == "every field once");
    CHECK(scene.gravity == Vector(0.5, -9, 0.25));
    CHECK(scene.rate == 120);
    CHECK(scene.duration == 3.5);
    CHECK(scene.solverIterations == 20);
    CHECK(scene.flight == Scene::Flight::Bullet);

    const SceneBody& box = scene.bodies[0];
    CHECK(box.name == "box");
    CHECK(box.motion == BodyMotion::Dynamic);
    CHECK(box.mass == 2);
    CHECK(box.inertia == Vector(0.1, 0.2, 0.3));
    CHECK(box.centreOfMass == Vector(0.01, 0.02, 0.03));
    CHECK(box.orientation.coeffs() == Eigen::Vector4d(0.6, 0, 0, 0.8));
    CHECK(box.position[0] == 1);
    CHECK(box.position[2] == 3);
    CHECK(box.velocity[0] == 4);
    CHECK(box.velocity[2] == 6);
    CHECK(box.angularVelocity == Vector(7, 8, 9));
    CHECK(box.linearFactor == Vector(1, 0.5, 1));
    CHECK(box.angularFactor == Vector(0.25, 1, 1));
    CHECK_FALSE(box.gyroscopic);
    CHECK(box.linearDamping == 0.125);
    CHECK(box.angularDamping == 0.25);
    CHECK(box.sleeping);
    CHECK(box.friction == 0.75);
    CHECK(box.restitution == 0.5);
    CHECK(box.shape.type == SceneShape::Type::Box);
    CHECK(box.shape.size == Vector(0.1, 0.2, 0.3));
    CHECK(scene.bodies[1].shape.type == SceneShape::Type::Sphere);
    CHECK(scene.bodies[1].shape.radius == 0.2);
    CHECK(scene.bodies[2].shape.type == SceneShape::Type::Cylinder);
    CHECK(scene.bodies[2].shape.length == 0.4);
    CHECK(scene.bodies[2].shape.axis == 0);
    CHECK(scene.bodies[3].shape.type == SceneShape::Type::Capsule);
    CHECK(scene.bodies[3].shape.axis == 2);
    CHECK(scene.bodies[3].inertia == Vector::Zero());
    CHECK(scene.bodies[4].motion == BodyMotion::Fixed);
    CHECK(scene.bodies[4].shape.type == SceneShape::Type::Plane);
    CHECK(scene.bodies[4].shape.normal == Vector(0, 0, 1));
    CHECK(scene.bodies[5].motion == BodyMotion::Kinematic);
    REQUIRE(scene.bodies[5].path.size() == 2);
    CHECK(scene.bodies[5].path[1].time == 1);
    CHECK(scene.bodies[5].path[1].position == Vector(0, 1, 4));
    CHECK(scene.bodies[5].path[1].orientation.y() == 0.6);
    CHECK(scene.bodies[5].position == Vector(0, 0, 4));
    const SceneShape& hills = scene.bodies[11].shape;
    CHECK(hills.type == SceneShape::Type::HeightField);
    CHECK(hills.axis == 2);
    CHECK(hills.columns == 3);
    CHECK(hills.spacing == std::array<double, 2>{0.5, 0.25});
    CHECK(hills.heights == std::vector<double>{0, 0.1, 0.2, 0.3, 0.4, 0.5});
    const SceneShape& roof = scene.bodies[12].shape;
    CHECK(roof.type == SceneShape::Type::Mesh);
    CHECK(roof.points[3] == Vector(1, 0, 1));
    CHECK(roof.triangles[1] == std::array<int, 3>{1, 3, 2});
    const SceneShape& found = scene.bodies[13].shape;
    CHECK(found.points[3] == Vector(0, 1, 1));
    CHECK(found.triangles.size() == 2);

    CHECK(box.rollingFriction == 0.01);
    CHECK(box.spinningFriction == 0.02);
    CHECK(scene.bodies[4].rollingFriction == 0.03);
    CHECK(scene.bodies[4].spinningFriction == 0.04);

    REQUIRE(scene.joints.size() == 4);
    const SceneJoint& hinge = scene.joints[0];
    CHECK(hinge.name == "shoulder");
    CHECK(hinge.type == SceneJoint::Type::Hinge);
    CHECK(hinge.frame_a.body == kWorld);
    CHECK(hinge.frame_a.position == Vector(20, 0, 0));
    CHECK(hinge.frame_a.orientation.z() == 0.6);
    CHECK(scene.bodies[static_cast<std::size_t>(hinge.frame_b.body)].name == "arm");
    CHECK(hinge.axis == Vector::UnitZ());
    REQUIRE(hinge.limits);
    CHECK(hinge.limits->lower == -1.5);
    CHECK(hinge.limits->upper == 2);
    CHECK(hinge.limits->restitution == 0.25);
    REQUIRE(hinge.motor);
    CHECK(hinge.motor->velocity == -2);
    CHECK(hinge.motor->maxForce == 20);
    CHECK(scene.joints[1].type == SceneJoint::Type::Ball);
    CHECK(scene.joints[1].frame_a.position == Vector(1, 0, 0));
    CHECK_FALSE(scene.joints[1].limits);
    CHECK(scene.joints[2].type == SceneJoint::Type::Slider);
    CHECK(scene.joints[2].axis == Vector::UnitX());
    REQUIRE(scene.joints[2].motor);
    CHECK(scene.joints[2].motor->maxForce == 30);
    CHECK(scene.joints[3].type == SceneJoint::Type::Fixed);
    CHECK_FALSE(scene.joints[3].motor);

    REQUIRE(scene.loads.size() == 7);
    CHECK(scene.loads[0].quantity == SceneLoad::Quantity::Force);
    CHECK(scene.loads[0].vector == Vector(1, 2, 3));
    CHECK(scene.loads[0].startTime == 0.5);
    CHECK(scene.loads[0].endTime == 2.5);
    CHECK(scene.loads[0].point == Vector(0.1, 0.2, 0.3));
    CHECK(scene.loads[0].resolveInFrame == SceneLoad::Axes::Body);
    CHECK(scene.loads[1].quantity == SceneLoad::Quantity::Torque);
    CHECK(!scene.loads[1].point);
    CHECK(scene.loads[1].resolveInFrame == SceneLoad::Axes::World);
    CHECK(scene.loads[2].type == TimeCourse::Type::Sine);
    CHECK(scene.loads[2].body == 1);
    CHECK(scene.loads[2].frequency == 2);
    CHECK(scene.loads[2].phase == 0.5);
    CHECK(scene.loads[2].offset == 0.25);
    CHECK(scene.loads[2].startTime == 1);
    CHECK(scene.loads[4].type == TimeCourse::Type::Table);
    CHECK(scene.loads[4].points == std::vector<std::array<double, 2>>{{0, 1}, {1, -1}});
    CHECK(scene.loads[6].points == std::vector<std::array<double, 2>>{{0, 0.5}, {1, 0.25}});

    REQUIRE(scene.heatPorts.size() == 1);
    CHECK(scene.heatPorts[0].conductance == 10);
    CHECK(scene.heatPorts[0].ambientTemperature == 300);
    REQUIRE(scene.record.size() == 2);
    CHECK(scene.record[0].signal == "gap.*");
    CHECK(scene.record[1].as == "box.s");
}

TEST_CASE("every parameter of the elements arrives in the law") {
    const Scene scene = complete();
    const SceneElement& gap = element(scene, "gap");
    CHECK(gap.type == ElementType::ElastoGap);
    CHECK(gap.geometry == Geometry::AlongAxis);
    CHECK(gap.frame_a.body == kWorld);
    CHECK(gap.frame_a.position == Vector(0, 1, 0));
    CHECK(gap.frame_b.body == 0);
    CHECK(gap.frame_b.position == Vector(0.1, 0, 0));
    CHECK(gap.axis == Vector(0, 1, 0));
    CHECK(gap.heatPort == 0);
    CHECK(gap.start.s == 1.5);
    CHECK(gap.start.v == 0.5);
    const ElastoGapParameters& g = std::get<ElastoGapLaw>(gap.law).parameters();
    CHECK(g.c == 100);
    CHECK(g.d == 3);
    CHECK(g.s_rel0 == 0.5);
    CHECK(g.n == 1.5);
    CHECK(g.s_ref == 0.25);
    CHECK(g.characteristic == GapCharacteristic::NoPull);
    CHECK_FALSE(gap.animation.animation);
    CHECK(gap.animation.length_a == 0.2);
    CHECK(gap.animation.diameter_a == 0.3);
    CHECK(gap.animation.diameter_b == 0.4);
    CHECK(gap.animation.color_a == SceneColor{1, 2, 3});
    CHECK(gap.animation.color_b == SceneColor{4, 5, 6});
    CHECK(gap.animation.specularCoefficient == 0.5);
    CHECK(gap.animation.width == 0.6);
    CHECK(gap.animation.coilWidth == 0.07);
    CHECK(gap.animation.numberOfWindings == 8);
    CHECK(gap.animation.color == SceneColor{7, 8, 9});

    CHECK(element(scene, "bumper").geometry == Geometry::AlongLine);
    CHECK(std::get<ElastoGapLaw>(element(scene, "bumper").law).parameters().characteristic ==
          GapCharacteristic::LankaraniNikravesh);

    const SceneElement& lash = element(scene, "lash");
    CHECK(lash.geometry == Geometry::AboutAxis);
    CHECK(lash.frame_a.orientation.z() == 0.6);
    CHECK(lash.start.s == 7);
    CHECK(lash.start.v == 0.5);
    const ElastoBacklashParameters& b = std::get<ElastoBacklashLaw>(lash.law).parameters();
    CHECK(b.c == 10);
    CHECK(b.d == 0.5);
    CHECK(b.b == 0.1);
    CHECK(b.phi_rel0 == 0.2);
    CHECK(b.characteristic == BacklashCharacteristic::Linear);
    CHECK(std::get<ElastoBacklashLaw>(element(scene, "lash2").law).parameters().characteristic ==
          BacklashCharacteristic::NoPull);

    const auto& series = std::get<SpringDamperSeriesLaw>(element(scene, "series").law).parameters();
    CHECK(series.c == 10);
    CHECK(series.d == 0.5);
    CHECK(series.s_unstretched == 0.1);
    CHECK(series.s_damper_start == 0.2);

    const auto spring = [&](const char* name) {
        return std::get<SpringDamperLaw>(element(scene, name).law).parameters();
    };
    CHECK(spring("spring").c == 10);
    CHECK(spring("spring").d == 0);
    CHECK(spring("spring").s_rel0 == 0.1);
    CHECK(spring("damper").c == 0);
    CHECK(spring("damper").d == 0.5);
    CHECK(spring("parallel").s_rel0 == 0.1);
    CHECK(spring("springDamper").s_rel0 == 0.1);
    CHECK(spring("torsion").s_rel0 == 0.1);
    CHECK(element(scene, "torsion").axis == Vector(0, 1, 0));
}

TEST_CASE("a field that is not given has the default that the schema states") {
    const Scene scene = parseScene(smallScene().dump());
    CHECK(schemaDefault("", "gravity") == array(scene.gravity));
    CHECK(schemaDefault("", "rate") == scene.rate);
    CHECK(schemaDefault("", "duration") == scene.duration);
    CHECK(schemaDefault("", "solverIterations") == scene.solverIterations);
    CHECK(schemaDefault("", "flight") == "exact");
    CHECK(scene.flight == Scene::Flight::Exact);
    CHECK(schemaDefault("", "description") == scene.description);
    const SceneBody& body = scene.bodies[1];
    CHECK(schemaDefault("dynamicBody", "motion") == "dynamic");
    CHECK(body.motion == BodyMotion::Dynamic);
    CHECK(schemaDefault("dynamicBody", "centreOfMass") == array(body.centreOfMass));
    CHECK(schemaDefault("fixedBody", "position") == json({0, 0, 0}));
    CHECK(schemaDefault("dynamicBody", "orientation") ==
          json({body.orientation.x(), body.orientation.y(), body.orientation.z(), body.orientation.w()}));
    CHECK(schemaDefault("dynamicBody", "velocity") == array(body.velocity));
    CHECK(schemaDefault("dynamicBody", "angularVelocity") == array(body.angularVelocity));
    CHECK(schemaDefault("dynamicBody", "linearFactor") == array(body.linearFactor));
    CHECK(schemaDefault("dynamicBody", "angularFactor") == array(body.angularFactor));
    CHECK(schemaDefault("dynamicBody", "gyroscopic") == body.gyroscopic);
    CHECK(schemaDefault("dynamicBody", "linearDamping") == body.linearDamping);
    CHECK(schemaDefault("dynamicBody", "angularDamping") == body.angularDamping);
    CHECK(schemaDefault("dynamicBody", "sleeping") == body.sleeping);
    CHECK(schemaDefault("dynamicBody", "friction") == body.friction);
    CHECK(schemaDefault("dynamicBody", "rollingFriction") == body.rollingFriction);
    CHECK(schemaDefault("dynamicBody", "spinningFriction") == body.spinningFriction);
    CHECK(schemaDefault("dynamicBody", "restitution") == body.restitution);
    CHECK(schemaDefault("limits", "restitution") == SceneLimits().restitution);
    CHECK(schemaDefault("jointFrame", "position") == array(SceneFrame().position));
    CHECK(body.shape.type == SceneShape::Type::None);
    CHECK(schemaDefault("cylinder", "axis") == "y");
    CHECK(body.shape.axis == 1);
    CHECK(schemaDefault("plane", "normal") == array(body.shape.normal));

    const SceneElement& gap = scene.elements[0];
    CHECK(schemaDefault("ElastoGap", "geometry") == geometryName(gap.geometry));
    CHECK(gap.axis == Vector::UnitX());
    CHECK(schemaDefault("frame", "position") == array(gap.frame_a.position));
    CHECK(gap.heatPort == -1);
    const ElastoGapParameters& g = std::get<ElastoGapLaw>(gap.law).parameters();
    CHECK(schemaDefault("ElastoGap", "s_rel0") == g.s_rel0);
    CHECK(schemaDefault("ElastoGap", "n") == g.n);
    CHECK(schemaDefault("ElastoGap", "s_ref") == g.s_ref);
    CHECK(schemaDefault("ElastoGap", "characteristic") == "boundedDamper");
    CHECK(g.characteristic == GapCharacteristic::BoundedDamper);
    CHECK(schemaDefault("Spring", "geometry") == geometryName(scene.elements[2].geometry));
    CHECK(schemaDefault("Spring", "s_unstretched") ==
          std::get<SpringDamperLaw>(scene.elements[2].law).parameters().s_rel0);

    const SceneAnimation& animation = gap.animation;
    CHECK(schemaDefault("animation", "animation") == animation.animation);
    CHECK(schemaDefault("animation", "length_a") == animation.length_a);
    CHECK(schemaDefault("animation", "diameter_a") == animation.diameter_a);
    CHECK(schemaDefault("animation", "color_a") == animation.color_a);
    CHECK(schemaDefault("animation", "color_b") == animation.color_b);
    CHECK(schemaDefault("animation", "specularCoefficient") == animation.specularCoefficient);
    CHECK(schemaDefault("animation", "width") == animation.width);
    CHECK(schemaDefault("animation", "numberOfWindings") == animation.numberOfWindings);
    CHECK(schemaDefault("animation", "color") == animation.color);
    const SceneHeatPort port;
    CHECK(schemaDefault("heatPort", "conductance") == port.conductance);
    CHECK(schemaDefault("heatPort", "ambientTemperature") == port.ambientTemperature);
    const SceneLoad load;
    CHECK(schemaDefault("sineLoad", "phase") == load.phase);
    CHECK(schemaDefault("sineLoad", "offset") == load.offset);
    CHECK(schemaDefault("sineLoad", "startTime") == load.startTime);
}

TEST_CASE("defaults that depend on other fields") {
    json document = smallScene();
    document["elements"][0]["animation"] = {{"diameter_a", 0.5}, {"width", 2}};
    const SceneAnimation animation = parseScene(document.dump()).elements[0].animation;
    CHECK(animation.diameter_b == 0.6 * 0.5);
    CHECK(animation.coilWidth == 2.0 / 10);
    document["elements"][0] = {{"name", "lash"}, {"type", "ElastoBacklash"},       {"c", 1},
                               {"d", 0},         {"frame_a", {{"body", "world"}}}, {"frame_b", {{"body", "mass1"}}}};
    CHECK(parseScene(document.dump()).elements[0].axis == Vector::UnitZ());
    for (const auto& [type, axis] : {std::pair("hinge", Vector::UnitZ()), {"slider", Vector::UnitX()}}) {
        document["joints"] = json::array({{{"name", "joint"},
                                           {"type", type},
                                           {"frame_a", {{"body", "world"}, {"position", {1, 0, 0}}}},
                                           {"frame_b", {{"body", "mass1"}}}}});
        CHECK(parseScene(document.dump()).joints[0].axis == Vector(axis));
    }
}

TEST_CASE("the default record holds the main signals and no more") {
    const Scene scene = parseScene(smallScene().dump());
    std::vector<std::string> columns;
    for (const Signal& signal : recordedSignals(scene)) columns.push_back(signal.column);
    const auto has = [&](const char* name) { return std::count(columns.begin(), columns.end(), name) == 1; };
    CHECK(has("mass1.r_0[1]"));
    CHECK(has("gap1.s_rel"));
    CHECK(has("gap1.f_mean"));
    CHECK(has("spring.s"));
    CHECK(has("totalHeat"));
    CHECK_FALSE(has("spring.e_a[1]"));
    CHECK_FALSE(has("mass1.q[1]"));
}

TEST_CASE("directions and quaternions are normalised, but unit ones are kept bit for bit") {
    json document = smallScene();
    document["elements"][0]["axis"] = {3e59, 0, 4e59};
    document["bodies"][2]["orientation"] = {0, 0, 2, 2};
    const Scene scene = parseScene(document.dump());
    CHECK((scene.elements[0].axis - Vector(0.6, 0, 0.8)).norm() < 1e-15);
    CHECK(std::abs(scene.bodies[2].orientation.norm() - 1) < 1e-15);
    CHECK(scene.bodies[2].orientation.z() == scene.bodies[2].orientation.w());
    const double s = std::sqrt(0.5);
    document["bodies"][2]["orientation"] = {0, 0, s, s};
    CHECK(parseScene(document.dump()).bodies[2].orientation.z() == s);
}

TEST_CASE("a short scene reads back to the same values, without what is assumed anyway") {
    for (const json& document : {completeScene(), smallScene()}) {
        const Scene first = parseScene(document.dump());
        const std::string text = writeShortScene(first);
        CHECK(writeScene(parseScene(text)) == writeScene(first));
    }
    const json small = json::parse(writeShortScene(parseScene(smallScene().dump())));
    CHECK(small.at("bodies")[0].dump() == R"({"inertia":[1,1,1],"mass":1,"name":"mass1","position":[1,0,0]})");
    CHECK(small.at("elements")[2].dump() ==
          R"({"c":10,"frame_a":{"body":"mass1"},"frame_b":{"body":"mass2"},"name":"spring","type":"Spring"})");
    CHECK_FALSE(small.contains("joints"));
}

TEST_CASE("temperature and guard of an element arrive in the description and in the world's network") {
    const Scene scene = complete();
    CHECK(element(scene, "bumper").T == 300);
    CHECK(element(scene, "bumper").s_small == 1e-9);
    CHECK(element(scene, "gap").T == 293.15);
    json document = smallScene();
    document["elements"][0]["s_small"] = 1e-3;
    CHECK_THAT(refusal(document), Catch::Contains("/elements/0/s_small: 0.001 is not allowed: only geometry line"));
    document = smallScene();
    document["elements"][2]["T"] = 0;
    CHECK_THAT(refusal(document), Catch::Contains("/elements/2/T: 0 is not allowed"));
    document = completeScene();
    document["elements"][0]["T"] = 300;
    CHECK_THAT(refusal(document), Catch::Contains("/elements/0/T: 300 is not allowed: the element has a heatPort"));
}

TEST_CASE("an element's text is an element of a scene file") {
    const Scene scene = complete();
    for (const SceneElement& one : scene.elements) {
        INFO(one.name);
        const json written = json::parse(writeElement(scene, one));
        json document = json::parse(writeScene(scene));
        for (json& other : document["elements"]) {
            if (other["name"] == one.name) other = written;
        }
        CHECK(writeScene(parseScene(document.dump())) == writeScene(scene));
    }
    CHECK(writeElement(scene, element(scene, "lash2")).starts_with(R"({
  "name": "lash2",
  "type": "ElastoBacklash2",
  "frame_a": { "body": "world" },
  "frame_b": { "body": "can" },
  "axis": [1, 0, 0],
  "c": 10,)"));
}

TEST_CASE("a written scene reads back to the same values") {
    for (const json& document : {completeScene(), smallScene()}) {
        const Scene first = parseScene(document.dump());
        const std::string text = writeScene(first);
        const Scene second = parseScene(text);
        CHECK(writeScene(second) == text);
        // What was written in the file stands in the written scene too, except where start values moved a body.
        const json written = json::parse(text);
        for (const char* part :
             {"gravity", "rate", "duration", "solverIterations", "flight", "joints", "loads", "heatPorts", "record"}) {
            if (!document.contains(part)) continue;
            INFO(part);
            const json difference = json::diff(document.at(part), written.at(part));
            for (const json& change : difference) {
                // Points of a file are written as what they are.
                const bool isOfFile = change.at("path") == "/6/points" && change.at("op") == "replace";
                CHECK((change.at("op") == "add" || isOfFile));
            }
        }
        for (std::size_t i = 0; i < document.at("elements").size(); ++i) {
            for (const auto& [key, value] : document.at("elements")[i].items()) {
                if (key == "start" && (value.empty() || value.contains("s_damper") || value.contains("s_slip") ||
                                       value.contains("phi_slip")))
                    continue;
                INFO("element " << i << " " << key);
                const json& out = written.at("elements")[i].at(key);
                for (const json& change : json::diff(value, out)) CHECK(change.at("op") == "add");
            }
        }
    }
}

TEST_CASE("the schema in the library is the file in assets") {
    std::ifstream file(ELASTO_SOURCE_DIR "/assets/schema/scene.schema.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    REQUIRE(text.size() > 1000);
    CHECK(sceneSchema() == text);
}
