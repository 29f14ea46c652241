#include "shrink.h"

#include <algorithm>
#include <set>
#include <string>

namespace elasto::differential {

namespace {

bool isOn(const Json& thing, const std::string& body) {
    for (const char* const end : {"frame_a", "frame_b"}) {
        if (thing.contains(end) && thing[end]["body"] == body) return true;
    }
    if (thing.contains("gear") && thing["gear"].value("carrier", "world") == body) return true;
    return thing.contains("body") && thing["body"] == body;
}

/// Without a body and all that is on it.
Json withoutBody(Json scene, std::size_t index) {
    const std::string name = scene["bodies"][index]["name"];
    scene["bodies"].erase(index);
    for (const char* const list : {"joints", "elements", "loads"}) {
        Json kept = Json::array();
        for (const Json& thing : scene[list]) {
            if (!isOn(thing, name)) kept.push_back(thing);
        }
        scene[list] = kept;
    }
    return scene;
}

Json without(Json scene, const char* list, std::size_t index) {
    scene[list].erase(index);
    return scene;
}

Json withoutField(Json scene, const char* list, std::size_t index, const char* field) {
    scene[list][index].erase(field);
    return scene;
}

}  // namespace

std::vector<Json> simplerOnes(const Json& scene) {
    std::vector<Json> simpler;
    Json half = scene;
    half["duration"] = scene["duration"].get<double>() / 2;
    simpler.push_back(half);
    for (std::size_t i = scene["bodies"].size(); i-- > 0;) {
        if (scene["bodies"].size() > 1) simpler.push_back(withoutBody(scene, i));
    }
    for (const char* const list : {"elements", "loads", "joints"}) {
        for (std::size_t i = scene[list].size(); i-- > 0;) simpler.push_back(without(scene, list, i));
    }
    for (const char* const field : {"limits", "motor"}) {
        for (std::size_t i = 0; i < scene["joints"].size(); ++i) {
            if (scene["joints"][i].contains(field)) simpler.push_back(withoutField(scene, "joints", i, field));
        }
    }
    for (std::size_t i = 0; i < scene["bodies"].size(); ++i) {
        if (scene["bodies"][i].contains("shape")) simpler.push_back(withoutField(scene, "bodies", i, "shape"));
    }
    return simpler;
}

int looseBodies(const Json& scene) {
    std::set<std::string> acted;
    for (const Json& element : scene["elements"]) {
        for (const char* const end : {"frame_a", "frame_b"}) acted.insert(element[end]["body"].get<std::string>());
    }
    acted.erase("world");
    for (std::size_t before = 0; before != acted.size();) {
        before = acted.size();
        for (const Json& joint : scene["joints"]) {
            const std::string a = joint["frame_a"]["body"];
            const std::string b = joint["frame_b"]["body"];
            if (b != "world" && acted.contains(a)) acted.insert(b);
            if (a != "world" && acted.contains(b)) acted.insert(a);
        }
    }
    return static_cast<int>(std::count_if(scene["bodies"].begin(), scene["bodies"].end(), [&](const Json& body) {
        return body.value("motion", "dynamic") == "dynamic" && !acted.contains(body["name"].get<std::string>());
    }));
}

Json shrunk(Json scene, int tries, const std::function<bool(const Json&)>& fails) {
    const int loose = looseBodies(scene);
    for (bool isSmaller = true; isSmaller && tries > 0;) {
        isSmaller = false;
        for (Json& simpler : simplerOnes(scene)) {
            if (looseBodies(simpler) > loose) continue;
            if (tries-- <= 0) break;
            if (!fails(simpler)) continue;
            scene = std::move(simpler);
            isSmaller = true;
            break;
        }
    }
    return scene;
}

}  // namespace elasto::differential
