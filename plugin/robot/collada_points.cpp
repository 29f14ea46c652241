#include "collada_points.h"

#include "mesh_points.h"
#include "xml_file.h"

#include <Eigen/Geometry>

#include <cstring>
#include <map>
#include <string>

namespace elasto::robot {

using tinyxml2::XMLElement;

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
/// Nodes may be shown again by others; files of real meshes are far below.
constexpr int kMostDepth = 50;
constexpr std::size_t kMostPoints = 10'000'000;

std::vector<double> numbersOf(const XMLElement& element) {
    const char* given = element.GetText();
    std::string_view text = given == nullptr ? "" : given;
    std::vector<double> numbers;
    for (std::size_t begin = text.find_first_not_of(kBlanks); begin != std::string_view::npos;
         begin = text.find_first_not_of(kBlanks, begin)) {
        const std::size_t end = std::min(text.find_first_of(kBlanks, begin), text.size());
        const std::string_view word = text.substr(begin, end - begin);
        const std::optional<double> number = parseNumber(word);
        if (!number) {
            throw MeshError("line " + std::to_string(element.GetLineNum()) + ": \"" + std::string(word) +
                            "\" is not allowed; it must be a finite number");
        }
        numbers.push_back(*number);
        begin = end;
    }
    return numbers;
}

/// What `#name` in an attribute refers to.
std::string target(const XMLElement& element, const char* attribute) {
    const char* given = element.Attribute(attribute);
    return given != nullptr && *given == '#' ? given + 1 : "";
}

/// Elements of one tag, by their id.
using Library = std::map<std::string, const XMLElement*>;

Library libraryOf(const XMLElement& root, const char* library, const char* tag) {
    Library found;
    for (const XMLElement* one = root.FirstChildElement(library); one != nullptr;
         one = one->NextSiblingElement(library)) {
        for (const XMLElement* item = one->FirstChildElement(tag); item != nullptr;
             item = item->NextSiblingElement(tag)) {
            if (const char* id = item->Attribute("id")) found.emplace(id, item);
        }
    }
    return found;
}

/// The positions of a geometry, as it has them.
std::vector<Eigen::Vector3d> positionsOf(const XMLElement& geometry) {
    std::vector<Eigen::Vector3d> points;
    const XMLElement* mesh = geometry.FirstChildElement("mesh");
    if (mesh == nullptr) return points;
    Library sources;
    for (const XMLElement* source = mesh->FirstChildElement("source"); source != nullptr;
         source = source->NextSiblingElement("source")) {
        if (const char* id = source->Attribute("id")) sources.emplace(id, source);
    }
    const XMLElement* vertices = mesh->FirstChildElement("vertices");
    if (vertices == nullptr) return points;
    for (const XMLElement* input = vertices->FirstChildElement("input"); input != nullptr;
         input = input->NextSiblingElement("input")) {
        const char* semantic = input->Attribute("semantic");
        if (semantic == nullptr || std::strcmp(semantic, "POSITION") != 0) continue;
        const auto source = sources.find(target(*input, "source"));
        const XMLElement* array = source == sources.end() ? nullptr : source->second->FirstChildElement("float_array");
        if (array == nullptr) continue;
        const XMLElement* technique = source->second->FirstChildElement("technique_common");
        const XMLElement* accessor = technique == nullptr ? nullptr : technique->FirstChildElement("accessor");
        const int stride = accessor == nullptr ? 3 : accessor->IntAttribute("stride", 3);
        const std::vector<double> numbers = numbersOf(*array);
        const std::size_t step = stride < 3 ? 3 : static_cast<std::size_t>(stride);
        for (std::size_t i = 0; i + 2 < numbers.size(); i += step) {
            points.emplace_back(numbers[i], numbers[i + 1], numbers[i + 2]);
        }
    }
    return points;
}

/// One of a node's transforms; identity for what is none.
Eigen::Affine3d transformOf(const XMLElement& element) {
    const std::string_view tag = element.Name();
    Eigen::Affine3d transform = Eigen::Affine3d::Identity();
    const bool isOne = tag == "matrix" || tag == "translate" || tag == "rotate" || tag == "scale";
    if (!isOne) return transform;
    const std::vector<double> n = numbersOf(element);
    const std::size_t needed = tag == "matrix" ? 16 : tag == "rotate" ? 4 : 3;
    if (n.size() != needed) {
        throw MeshError("line " + std::to_string(element.GetLineNum()) + ": <" + std::string(tag) + "> must have " +
                        std::to_string(needed) + " numbers");
    }
    if (tag == "matrix") {
        for (int i = 0; i < 12; ++i) transform.matrix()(i / 4, i % 4) = n[static_cast<std::size_t>(i)];
    } else if (tag == "rotate") {
        const Eigen::Vector3d axis(n[0], n[1], n[2]);
        constexpr double kDegree = 3.141592653589793 / 180;
        if (axis.norm() > 0) transform.linear() = Eigen::AngleAxisd(n[3] * kDegree, axis.normalized()).matrix();
    } else if (tag == "scale") {
        transform.linear() = Eigen::Vector3d(n[0], n[1], n[2]).asDiagonal();
    } else {
        transform.translation() = Eigen::Vector3d(n[0], n[1], n[2]);
    }
    return transform;
}

class Collada {
public:
    explicit Collada(const XMLElement& root)
        : m_geometries(libraryOf(root, "library_geometries", "geometry")),
          m_controllers(libraryOf(root, "library_controllers", "controller")),
          m_nodes(libraryOf(root, "library_nodes", "node")) {
        const XMLElement* asset = root.FirstChildElement("asset");
        const XMLElement* unit = asset == nullptr ? nullptr : asset->FirstChildElement("unit");
        const char* meter = unit == nullptr ? nullptr : unit->Attribute("meter");
        if (meter != nullptr) m_unit = parseNumber(meter).value_or(1);
        for (const XMLElement* library = root.FirstChildElement("library_visual_scenes"); library != nullptr;
             library = library->NextSiblingElement("library_visual_scenes")) {
            for (const XMLElement* scene = library->FirstChildElement("visual_scene"); scene != nullptr;
                 scene = scene->NextSiblingElement("visual_scene")) {
                addNodes(*scene, Eigen::Affine3d::Identity(), 0);
            }
        }
        if (!m_points.empty()) return;
        for (const auto& [id, geometry] : m_geometries) addGeometry(*geometry, Eigen::Affine3d::Identity());
    }

    std::vector<Eigen::Vector3d> take() { return std::move(m_points); }

private:
    void addNodes(const XMLElement& owner, const Eigen::Affine3d& place, int depth) {
        for (const XMLElement* node = owner.FirstChildElement("node"); node != nullptr;
             node = node->NextSiblingElement("node")) {
            addNode(*node, place, depth);
        }
    }

    void addNode(const XMLElement& node, Eigen::Affine3d place, int depth) {
        if (depth > kMostDepth) throw MeshError("its nodes are nested too deep");
        for (const XMLElement* one = node.FirstChildElement(); one != nullptr; one = one->NextSiblingElement()) {
            place = place * transformOf(*one);
        }
        for (const XMLElement* one = node.FirstChildElement(); one != nullptr; one = one->NextSiblingElement()) {
            const std::string_view tag = one->Name();
            if (tag == "instance_geometry") addShown(target(*one, "url"), place);
            if (tag == "instance_controller") addSkinned(target(*one, "url"), place);
            if (tag == "instance_node") {
                const auto shown = m_nodes.find(target(*one, "url"));
                if (shown != m_nodes.end()) addNode(*shown->second, place, depth + 1);
            }
        }
        addNodes(node, place, depth + 1);
    }

    void addShown(const std::string& id, const Eigen::Affine3d& place) {
        const auto geometry = m_geometries.find(id);
        if (geometry != m_geometries.end()) addGeometry(*geometry->second, place);
    }

    /// A mesh with bones: in the pose it is stored in.
    void addSkinned(const std::string& id, const Eigen::Affine3d& place) {
        const auto controller = m_controllers.find(id);
        if (controller == m_controllers.end()) return;
        if (const XMLElement* skin = controller->second->FirstChildElement("skin"))
            addShown(target(*skin, "source"), place);
    }

    void addGeometry(const XMLElement& geometry, const Eigen::Affine3d& place) {
        const auto [known, isNew] = m_positions.try_emplace(&geometry);
        if (isNew) known->second = positionsOf(geometry);
        if (m_points.size() + known->second.size() > kMostPoints) throw MeshError("it has too many vertices");
        for (const Eigen::Vector3d& point : known->second) {
            m_points.push_back(m_unit * (place * point));
            if (!m_points.back().allFinite()) throw MeshError("a vertex is not finite");
        }
    }

    Library m_geometries;
    Library m_controllers;
    Library m_nodes;
    double m_unit = 1;  ///< [m]
    std::map<const XMLElement*, std::vector<Eigen::Vector3d>> m_positions;
    std::vector<Eigen::Vector3d> m_points;
};

}  // namespace

std::vector<Eigen::Vector3d> colladaPoints(std::string_view content) {
    tinyxml2::XMLDocument document;
    if (document.Parse(content.data(), content.size()) != tinyxml2::XML_SUCCESS) {
        throw MeshError("line " + std::to_string(document.ErrorLineNum()) + ": it is no XML");
    }
    const XMLElement* root = document.RootElement();
    if (root == nullptr || std::strcmp(root->Name(), "COLLADA") != 0) {
        throw MeshError("it is no COLLADA file: it must begin with <COLLADA>");
    }
    return Collada(*root).take();
}

}  // namespace elasto::robot
