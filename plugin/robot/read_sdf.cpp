#include "read_sdf.h"

#include "mesh_file.h"
#include "sdf_frames.h"
#include "sdf_joint.h"
#include "sdf_link.h"
#include "sdf_tree.h"
#include "sdf_values.h"

#include <elasto/scene/input_file.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

namespace elasto::robot {

using tinyxml2::XMLElement;
namespace fs = std::filesystem;

namespace {

/// 1.2. Before, what are elements now were attributes.
constexpr int kOldestVersion = 102;

/// Models in models; more of them include one another.
constexpr int kMostNested = 30;

RobotPose inverseSdf(const RobotPose& pose) {
    const Eigen::Quaterniond back = pose.orientation.conjugate();
    return {-(back * pose.position), back};
}

/// 107 of version="1.7"; 110 of "1.10".
int versionOf(const XMLElement& sdf) {
    const char* given = sdf.Attribute("version");
    if (given == nullptr) return 106;
    const std::string text = given;
    const std::size_t point = text.find('.');
    const double major = parseNumber(text.substr(0, point)).value_or(1);
    const double minor = point == std::string::npos ? 0 : parseNumber(text.substr(point + 1)).value_or(0);
    const auto number = [](double value) { return static_cast<int>(std::clamp(value, 0., 99.)); };
    return 100 * number(major) + number(minor);
}

/// Where names of a model are looked up.
struct Scope {
    std::string prefix;  ///< "" or "arm::"
    std::string model;   ///< full name of the frame that is the model's
    XmlFile* file = nullptr;
    int version = 107;
    bool isStatic = false;
    int depth = 0;
};

class SdfReader {
public:
    SdfReader(XmlFile& file, const LoadRobotOptions& options) : m_file(file), m_options(options) {}

    SdfModel run() {
        const XMLElement& sdf = *m_file.root();
        if (versionOf(sdf) < kOldestVersion) {
            m_file.problem(sdf, "version = \"" + std::string(sdf.Attribute("version")) +
                                    "\" is not allowed; read are versions from 1.2 on");
            return std::move(m_result);
        }
        const XMLElement* model = pickModel(sdf);
        if (model == nullptr) {
            m_file.problem(sdf, "has no <model>; there must be at least one");
            return std::move(m_result);
        }
        const Scope world{"", kSdfWorld, &m_file, versionOf(sdf), false, 0};
        if (std::strcmp(model->Name(), "include") == 0) {
            readInclude(*model, world, true);
        } else {
            m_result.element = model;
            readModel(*model, m_file, world.version, world, nullptr, true);
        }
        if (m_isRead && m_linkElements.empty()) {
            const std::string missing = m_leftOut.empty() ? "" : ": there is no model \"" + m_leftOut[0] + "\"";
            m_file.problem(*model, "has no <link> that is read" + missing + "; there must be at least one");
        }
        place();
        return std::move(m_result);
    }

private:
    struct LinkElement {
        const XMLElement* element;
        std::string name;  ///< full
        Scope scope;
    };
    struct JointEntry {
        SdfJoint joint;
        std::string name;    ///< full
        std::string frame;   ///< its own, mostly the name
        std::string parent;  ///< full name of the link or frame
        std::string child;
        Scope scope;
    };

    /// The models and includes of an element, in its order.
    static std::vector<const XMLElement*> modelsOf(const XMLElement& owner) {
        std::vector<const XMLElement*> models;
        for (const XMLElement* child = owner.FirstChildElement(); child != nullptr;
             child = child->NextSiblingElement()) {
            const std::string_view tag = child->Name();
            if (tag == "model" || tag == "include") models.push_back(child);
        }
        return models;
    }

    static std::string nameOf(const XMLElement& model) {
        if (const char* name = model.Attribute("name")) return name;
        const std::string name = childText(model, "name");
        return name.empty() ? childText(model, "uri") : name;
    }

    const XMLElement* pickModel(const XMLElement& sdf) {
        std::vector<const XMLElement*> models = modelsOf(sdf);
        for (const XMLElement* world = sdf.FirstChildElement("world"); world != nullptr;
             world = world->NextSiblingElement("world")) {
            warnOfUnread(m_file, *world, {"model", "include"},
                         {"physics", "gravity", "light", "scene", "gui", "plugin", "magnetic_field", "atmosphere",
                          "audio", "wind", "spherical_coordinates", "state", "road"});
            for (const XMLElement* model : modelsOf(*world)) models.push_back(model);
        }
        if (models.empty()) return nullptr;
        const auto isModel = [](const XMLElement* model) { return std::strcmp(model->Name(), "model") == 0; };
        const auto moves = [&](const XMLElement* model) {
            if (childIsTrue(*model, "static")) return false;
            return isModel(model) || includedModel(*model) == Included::Moving;
        };
        const auto brings = [&](const XMLElement* include) { return includedModel(*include) != Included::Nothing; };
        auto picked = std::find_if(models.begin(), models.end(), moves);
        if (picked == models.end()) picked = std::find_if(models.begin(), models.end(), isModel);
        if (picked == models.end()) picked = std::find_if(models.begin(), models.end(), brings);
        if (picked == models.end()) picked = models.begin();
        for (const XMLElement* other : models) {
            if (other == *picked) continue;
            m_file.warnOnce("other models", *other, [&] {
                return "\"" + nameOf(*other) + "\" is not read: a robot is one model, here \"" + nameOf(**picked) +
                       "\"";
            });
        }
        return *picked;
    }

    enum class Included { Nothing, Static, Moving };
    /// What an include brings: worlds include their ground and their sun, too.
    Included includedModel(const XMLElement& include) {
        const FoundFile found = modelFile(childText(include, "uri"), m_file.folder());
        std::string problem;
        const std::string text = found.path.empty() ? "" : readFile(found.path, problem);
        tinyxml2::XMLDocument document;
        document.Parse(text.data(), text.size());
        const XMLElement* root = document.RootElement();
        const XMLElement* model = root == nullptr ? nullptr : root->FirstChildElement("model");
        if (model == nullptr) return Included::Nothing;
        return childIsTrue(*model, "static") ? Included::Static : Included::Moving;
    }

    std::string frameName(const std::string& given, const Scope& scope) const {
        if (given == "__model__") return scope.model;
        // Some models have a link of this name.
        if (given == "world" && !m_frames.has(scope.prefix + given)) return kSdfWorld;
        return scope.prefix + given;
    }

    /// The frame a `<pose>` is given in, as `relative_to` says.
    std::string relativeTo(const XMLElement* pose, const Scope& scope, const std::string& otherwise) const {
        const char* given = pose == nullptr ? nullptr : pose->Attribute("relative_to");
        return given == nullptr || *given == '\0' ? otherwise : frameName(given, scope);
    }

    /// @return the name: before SDF 1.7 a joint or frame may have that of a link, and gets another one here
    std::string addFrame(const XMLElement& element, std::string name, SdfFrame frame, const Scope& scope) {
        frame.file = scope.file;
        frame.line = element.GetLineNum();
        const XMLElement* pose = element.FirstChildElement("pose");
        frame.isNamed = pose != nullptr && pose->Attribute("relative_to") != nullptr;
        const bool mayRename = scope.version < 107 && std::strcmp(element.Name(), "joint") == 0;
        if (mayRename && m_frames.has(name) && m_jointNames.insert(name).second) name += "_joint__";
        if (!m_frames.add(name, std::move(frame))) {
            scope.file->problem(element, "there is a frame \"" + name + "\" already; names must be unique");
        }
        return name;
    }

    /// The name of an element; empty, with a problem, if it cannot be one.
    std::string checkedName(const XMLElement& element, const Scope& scope) {
        const char* name = scope.file->text(element, "name", "a name of its own");
        return name == nullptr ? "" : name;
    }

    /// @param file    that the model stands in
    /// @param outer   what the model stands in, or the include that brings it
    /// @param include that brings the model, and may give it another name and place; null: none
    void readModel(const XMLElement& model, XmlFile& file, int version, const Scope& outer, const XMLElement* include,
                   bool isTop) {
        if (outer.depth > kMostNested) {
            file.problem(model, "models are nested too deep, or include themselves");
            return;
        }
        warnOfUnread(file, model, {"pose", "link", "joint", "frame", "model", "include", "static", "self_collide"},
                     {"plugin", "enable_wind", "allow_auto_disable", "gripper", "sensor"});
        std::string name = include == nullptr ? "" : childText(*include, "name");
        Scope scope{"", "", &file, version, false, outer.depth + 1};
        if (name.empty()) name = checkedName(model, scope);
        if (name.empty()) return;
        if (isTop) m_result.parts.name = name;
        const bool isMerged = include != nullptr && !isTop && include->BoolAttribute("merge", false);
        scope.prefix = isTop ? "" : isMerged ? outer.prefix : outer.prefix + name + "::";
        scope.model =
            isMerged ? outer.prefix + "__merged_" + std::to_string(m_merged++) + "__" : scope.prefix + "__model__";
        scope.isStatic =
            outer.isStatic || childIsTrue(model, "static") || (include != nullptr && childIsTrue(*include, "static"));
        addModelFrame(model, scope, outer, include);
        if (!isTop && !isMerged) {
            SdfFrame alias;
            alias.parent = scope.model;
            alias.attached = scope.model;
            addFrame(model, outer.prefix + name, alias, scope);
        }
        readContents(model, scope);
        m_isRead = true;
    }

    /// The place of an include takes that of the model.
    void addModelFrame(const XMLElement& model, const Scope& scope, const Scope& outer, const XMLElement* include) {
        SdfFrame frame;
        const XMLElement* included = include == nullptr ? nullptr : include->FirstChildElement("pose");
        const XMLElement* pose = included != nullptr ? included : model.FirstChildElement("pose");
        frame.pose = readSdfPose(included != nullptr ? *outer.file : *scope.file, pose);
        frame.parent = relativeTo(pose, outer, outer.model);
        std::string placement = include == nullptr ? "" : childText(*include, "placement_frame");
        const char* own = model.Attribute("placement_frame");
        if (placement.empty() && own != nullptr) placement = own;
        if (!placement.empty() && placement != "__model__") frame.placement = scope.prefix + placement;
        frame.attached = canonicalLink(model, scope);
        addFrame(model, scope.model, frame, scope);
    }

    static std::string canonicalLink(const XMLElement& model, const Scope& scope) {
        const char* given = model.Attribute("canonical_link");
        const XMLElement* first = model.FirstChildElement("link");
        if (given == nullptr && first != nullptr) given = first->Attribute("name");
        if (given != nullptr) return scope.prefix + given;
        // That of the first model in it.
        const XMLElement* nested = model.FirstChildElement("model");
        if (nested == nullptr) nested = model.FirstChildElement("include");
        const std::string name = nested == nullptr ? "" : nameOf(*nested);
        return name.empty() ? "" : scope.prefix + name;
    }

    void readContents(const XMLElement& model, const Scope& scope) {
        XmlFile& file = *scope.file;
        for (const XMLElement* child = model.FirstChildElement(); child != nullptr;
             child = child->NextSiblingElement()) {
            const std::string_view tag = child->Name();
            if (tag == "link") {
                readLink(*child, scope);
            } else if (tag == "frame") {
                const std::string name = checkedName(*child, scope);
                if (name.empty()) continue;
                SdfFrame frame;
                const char* attached = child->Attribute("attached_to");
                const XMLElement* pose = child->FirstChildElement("pose");
                frame.pose = readSdfPose(file, pose);
                frame.attached = attached != nullptr && *attached != '\0' ? frameName(attached, scope) : scope.model;
                frame.parent = relativeTo(pose, scope, frame.attached);
                addFrame(*child, scope.prefix + name, frame, scope);
            } else if (tag == "model") {
                readModel(*child, file, scope.version, scope, nullptr, false);
            } else if (tag == "include") {
                readInclude(*child, scope, false);
            }
        }
        // Links have their names first: see addFrame().
        for (const XMLElement* joint = model.FirstChildElement("joint"); joint != nullptr;
             joint = joint->NextSiblingElement("joint")) {
            readJoint(*joint, scope);
        }
    }

    void readLink(const XMLElement& element, const Scope& scope) {
        const std::string given = checkedName(element, scope);
        if (given.empty()) return;
        const std::string name = scope.prefix + given;
        if (++m_links > kMostRobotLinks) {
            if (m_links == kMostRobotLinks + 1) {
                scope.file->problem(element, "a robot may have at most " + std::to_string(kMostRobotLinks) + " links");
            }
            return;
        }
        SdfFrame frame;
        const XMLElement* pose = element.FirstChildElement("pose");
        frame.pose = readSdfPose(*scope.file, pose);
        frame.parent = relativeTo(pose, scope, scope.model);
        addFrame(element, name, frame, scope);
        m_linkElements.push_back({&element, name, scope});
    }

    void readJoint(const XMLElement& element, const Scope& scope) {
        const std::string given = checkedName(element, scope);
        if (given.empty()) return;
        std::optional<SdfJoint> joint = readSdfJoint(*scope.file, element, scope.version);
        if (!joint) {
            const XMLElement* child = element.FirstChildElement("child");
            if (child != nullptr) m_result.parts.carriedByWrong.push_back(scope.prefix + textOf(*child));
            return;
        }
        JointEntry entry;
        entry.name = scope.prefix + given;
        entry.parent = frameName(joint->parent, scope);
        entry.child = frameName(joint->child, scope);
        if (isLeftOut(entry.parent) || isLeftOut(entry.child)) return;
        entry.scope = scope;
        SdfFrame frame;
        const XMLElement* pose = element.FirstChildElement("pose");
        frame.pose = readSdfPose(*scope.file, pose);
        frame.parent = relativeTo(pose, scope, entry.child);
        frame.attached = entry.child;
        entry.frame = addFrame(element, entry.name, frame, scope);
        entry.joint = std::move(*joint);
        for (std::size_t i = 0; i < entry.joint.axes.size(); ++i) {
            entry.joint.axes[i].joint.name = i == 0 ? entry.name : entry.name + ".2";
        }
        m_joints.push_back(std::move(entry));
    }

    /// Whether a name is that of a model which is left out, or in it.
    bool isLeftOut(const std::string& name) const {
        return std::any_of(m_leftOut.begin(), m_leftOut.end(),
                           [&](const std::string& model) { return name == model || name.starts_with(model + "::"); });
    }

    /// The file of a model that a uri names: a file, or the folder of a model.
    FoundFile modelFile(const std::string& uri, const fs::path& folder) {
        const FoundFile file = findFile(uri, folder, m_options);
        if (!file.path.empty()) return file;
        const FoundFile config = findFile(uri + "/model.config", folder, m_options);
        if (!config.path.empty()) {
            const std::string best = fileOfConfig(config.path);
            std::error_code error;
            const fs::path model = config.path.parent_path() / best;
            if (!best.empty() && fs::is_regular_file(model, error)) return {model, {}};
        }
        return findFile(uri + "/model.sdf", folder, m_options);
    }

    /// The model's file of the highest version that its `model.config` lists.
    static std::string fileOfConfig(const fs::path& config) {
        tinyxml2::XMLDocument document;
        std::string problem;
        const std::string text = readFile(config, problem);
        if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS || document.RootElement() == nullptr) {
            return "";
        }
        std::string best;
        int highest = -1;
        for (const XMLElement* sdf = document.RootElement()->FirstChildElement("sdf"); sdf != nullptr;
             sdf = sdf->NextSiblingElement("sdf")) {
            if (versionOf(*sdf) <= highest) continue;
            highest = versionOf(*sdf);
            best = textOf(*sdf);
        }
        return best;
    }

    void readInclude(const XMLElement& include, const Scope& scope, bool isTop) {
        XmlFile& file = *scope.file;
        warnOfUnread(file, include, {"uri", "name", "pose", "static", "placement_frame"}, {"plugin"});
        const std::string uri = childText(include, "uri");
        if (uri.empty()) return file.problem(include, "<uri> is missing in it");
        if (scope.depth > kMostNested || m_result.files.size() > kMostRobotLinks) {
            return file.problem(include, "models are nested too deep, or include themselves");
        }
        const FoundFile found = modelFile(uri, file.folder());
        if (found.path.empty()) {
            const std::string looked = "there is no model \"" + uri + "\"; looked for as '" +
                                       (found.looked.empty() ? uri : found.looked.front().string()) +
                                       "' and in the folders above";
            if (isTop || include.BoolAttribute("merge", false)) return file.problem(include, looked);
            file.warnOnce("missing model", include, [&] { return looked + "; it is left out, with its joints"; });
            std::string name = childText(include, "name");
            if (name.empty()) name = fs::path(uri).filename().string();
            m_leftOut.push_back(scope.prefix + name);
            return;
        }
        std::string problem;
        const std::string text = readFile(found.path, problem);
        if (!problem.empty()) return file.problem(include, "'" + found.path.string() + "' cannot be read: " + problem);
        XmlFile& included = *m_result.files.emplace_back(file.another(found.path.string(), text));
        if (included.root() == nullptr) return;
        const XMLElement* model = isSdf(*included.root()) ? included.root()->FirstChildElement("model") : nullptr;
        if (model == nullptr) return included.problem(*included.root(), "is included, and has no <model> in <sdf>");
        readModel(*model, included, versionOf(*included.root()), scope, &include, isTop);
    }

    // -- The tree -----------------------------------------------------------------------------------------------

    /// Gives links the frames of the joints that carry them, and joints their place in their parents.
    void place() {
        findEnds();
        if (m_result.parts.carriedByWrong.empty()) makeTree();
        std::map<std::string, RobotPose> frames;  // of links, in the world: that of their joint
        for (const JointEntry& entry : m_joints) frames.emplace(entry.child, m_frames.inWorld(entry.frame));
        for (const LinkElement& one : m_linkElements) addLink(one, frames);
        for (const JointEntry& entry : m_joints) addJoint(entry, frames);
    }

    /// Joints connect links, or a link and the world.
    void findEnds() {
        std::set<std::string> links;
        for (const LinkElement& one : m_linkElements) links.insert(one.name);
        for (JointEntry& entry : m_joints) {
            for (std::string* end : {&entry.parent, &entry.child}) {
                const std::string link = m_frames.linkOf(*end);
                if (links.contains(link)) *end = link;
                if (link == kSdfWorld) *end = "world";
            }
            if (!entry.scope.isStatic) continue;
            entry.joint.axes.clear();
            entry.joint.isBall = false;
        }
    }

    /// Reverses joints that are written the other way round, and leaves out what is not part of the robot.
    void makeTree() {
        std::vector<std::string> links;
        std::vector<JointEnds> joints;
        std::set<std::string> carried;
        for (const JointEntry& entry : m_joints) {
            joints.push_back({entry.parent, entry.child});
            carried.insert(entry.child);
        }
        for (const LinkElement& one : m_linkElements) {
            links.push_back(one.name);
            if (one.scope.isStatic && !carried.contains(one.name)) joints.push_back({"world", one.name});
        }
        const auto isEnd = [&](const std::string& name) {
            return name == "world" || std::find(links.begin(), links.end(), name) != links.end();
        };
        const auto isWhole = [&](const JointEnds& joint) {
            return isEnd(joint.parent) && isEnd(joint.child) && joint.parent != joint.child;
        };
        if (links.empty() || !std::all_of(joints.begin(), joints.end(), isWhole)) return;
        const SdfTree tree = findTree(links, joints);
        for (std::size_t i = 0; i < m_joints.size(); ++i) {
            if (tree.isReversed[i] && tree.links.contains(m_joints[i].child)) reverse(m_joints[i]);
        }
        std::erase_if(m_joints, [&](const JointEntry& entry) { return !tree.links.contains(entry.child); });
        std::erase_if(m_linkElements, [&](const LinkElement& one) {
            const bool isLeft = !tree.links.contains(one.name);
            if (isLeft) {
                one.scope.file->warnOnce("loose link", one.element->GetLineNum(), [&] {
                    return "<link name=\"" + one.name + "\">: is left out: no joints connect it with \"" + tree.root +
                           "\", and a robot is one tree of links";
                });
            }
            return isLeft;
        });
    }

    /// The same motion, seen from the child: its coordinates stay what they are.
    void reverse(JointEntry& entry) {
        entry.scope.file->warnOnce("reversed joint", entry.joint.line, [&] {
            return "<joint name=\"" + entry.name +
                   "\">: is taken the other way round, with the same coordinate: " + "link \"" + entry.child +
                   "\" carries \"" + entry.parent + "\"";
        });
        std::swap(entry.parent, entry.child);
        std::reverse(entry.joint.axes.begin(), entry.joint.axes.end());
        for (SdfAxis& axis : entry.joint.axes) axis.joint.axis = -axis.joint.axis;
    }

    void addLink(const LinkElement& one, const std::map<std::string, RobotPose>& frames) {
        const RobotPose inWorld = m_frames.inWorld(one.name);
        LinkPart part = readSdfLink(*one.scope.file, *one.element, m_options, [&](const XMLElement& pose) {
            const char* given = pose.Attribute("relative_to");
            if (given == nullptr || *given == '\0') return RobotPose{};
            const std::string frame = frameName(given, one.scope);
            if (!m_frames.has(frame)) {
                one.scope.file->problem(
                    pose, "relative_to = \"" + std::string(given) + "\" is not allowed: there is no such frame");
            }
            return inverseSdf(inWorld) * m_frames.inWorld(frame);
        });
        part.link.name = one.name;
        const auto carried = frames.find(one.name);
        if (carried == frames.end() && one.scope.isStatic) addToWorld(one);
        const RobotPose own = carried == frames.end() ? RobotPose{} : carried->second;
        part.link.statedFrame = inverseSdf(own) * inWorld;
        part.link.principalFrame = part.link.statedFrame * part.link.principalFrame;
        for (RobotShape& shape : part.link.collisions) shape.pose = part.link.statedFrame * shape.pose;
        m_result.parts.links.push_back(std::move(part));
    }

    /// What is static hangs on the world.
    void addToWorld(const LinkElement& one) {
        JointPart part;
        part.file = one.scope.file;
        part.joint.name = one.name + ".static";
        part.joint.line = one.element->GetLineNum();
        part.parent = "world";
        part.child = one.name;
        m_result.parts.joints.push_back(std::move(part));
    }

    void addJoint(const JointEntry& entry, const std::map<std::string, RobotPose>& frames) {
        const RobotPose inWorld = m_frames.inWorld(entry.frame);
        const auto parent = frames.find(entry.parent);
        const RobotPose parentFrame = parent == frames.end() ? RobotPose{} : parent->second;
        JointPart part;
        part.file = entry.scope.file;
        part.joint.name = entry.name;
        part.joint.line = entry.joint.line;
        part.joint.pose = inverseSdf(parentFrame) * inWorld;
        part.parent = entry.parent;
        part.child = entry.child;
        if (entry.joint.axes.empty()) {
            if (entry.joint.isBall) part.joint.type = RobotJoint::Type::Ball;
            m_result.parts.joints.push_back(std::move(part));
            return;
        }
        if (entry.joint.axes.size() == 2) {
            // Two axes that cross: a link without mass between them.
            LinkPart cross;
            cross.file = entry.scope.file;
            cross.link.name = entry.name + ".cross";
            cross.link.line = entry.joint.line;
            JointPart first = withAxis(part, entry, entry.joint.axes[0], inWorld);
            first.child = cross.link.name;
            m_result.parts.links.push_back(std::move(cross));
            m_result.parts.joints.push_back(std::move(first));
            part.parent = entry.name + ".cross";
            part.joint.pose = {};
        }
        m_result.parts.joints.push_back(withAxis(part, entry, entry.joint.axes.back(), inWorld));
    }

    JointPart withAxis(JointPart part, const JointEntry& entry, const SdfAxis& axis, const RobotPose& inWorld) {
        const RobotJoint placed = part.joint;
        part.joint = axis.joint;
        part.joint.line = placed.line;
        part.joint.pose = placed.pose;
        std::string frame = axis.expressedIn.empty() ? "" : frameName(axis.expressedIn, entry.scope);
        if (axis.isInModel) frame = entry.scope.model;
        if (!frame.empty() && !m_frames.has(frame)) {
            entry.scope.file->problem(entry.joint.line, "<xyz>: expressed_in = \"" + axis.expressedIn +
                                                            "\" is not allowed: there is no such frame");
        } else if (!frame.empty()) {
            part.joint.axis =
                (inWorld.orientation.conjugate() * (m_frames.inWorld(frame).orientation * axis.joint.axis))
                    .normalized();
        }
        if (!axis.leader.empty()) part.leader = entry.scope.prefix + axis.leader;
        return part;
    }

    XmlFile& m_file;
    const LoadRobotOptions& m_options;
    SdfModel m_result;
    SdfFrames m_frames;
    std::vector<LinkElement> m_linkElements;
    std::vector<JointEntry> m_joints;
    std::vector<std::string> m_leftOut;  ///< models whose files are missing
    std::set<std::string> m_jointNames;  ///< of joints that have a link's name
    std::size_t m_links = 0;
    bool m_isRead = false;  ///< some model was
    int m_merged = 0;
};

}  // namespace

bool isSdf(const XMLElement& root) {
    const std::string_view tag = root.Name();
    return tag == "sdf" || (tag == "gazebo" && root.Attribute("version") != nullptr);
}

SdfModel readSdf(XmlFile& file, const LoadRobotOptions& options) {
    return SdfReader(file, options).run();
}

}  // namespace elasto::robot
