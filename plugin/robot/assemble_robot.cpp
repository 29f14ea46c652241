#include "assemble_robot.h"

#include "assumed_inertia.h"
#include "check_mobility.h"
#include "doubtful_inertia.h"
#include "problems.h"

#include <algorithm>
#include <map>
#include <set>

namespace elasto::robot {

namespace {

std::string linkTag(const RobotLink& link) {
    return "<link name=\"" + link.name + "\">";
}

std::string jointTag(const JointPart& part) {
    return "<joint name=\"" + part.joint.name + "\">";
}

/// Checks that parts are one tree, and numbers them.
class Assembly {
public:
    Assembly(XmlFile& file, RobotParts& parts) : m_file(file), m_parts(parts) {
        for (std::size_t i = 0; i < parts.links.size(); ++i) m_links.emplace(parts.links[i].link.name, i);
    }

    RobotDescription run() {
        m_robot.name = m_parts.name;
        addWorld();
        const bool areEnds = checkEnds();
        if (!checkTree() || !areEnds) {
            for (const JointPart& part : m_parts.joints) m_robot.joints.push_back(part.joint);
            m_order.resize(m_parts.joints.size());
            for (std::size_t i = 0; i < m_order.size(); ++i) m_order[i] = i;
            findLeaders();
            return std::move(m_robot);
        }
        for (const std::size_t joint : m_good) m_carried[m_parts.joints[joint].parent].push_back(joint);
        addLink(m_root);
        findLeaders();
        giveInertia();
        warnOfInertia();
        return std::move(m_robot);
    }

private:
    /// The world is there without being a link.
    void addWorld() {
        const auto isWorldsJoint = [](const JointPart& part) { return part.parent == "world"; };
        const auto first = std::find_if(m_parts.joints.begin(), m_parts.joints.end(), isWorldsJoint);
        if (first == m_parts.joints.end() || m_links.contains("world")) return;
        LinkPart world;
        world.link.name = "world";
        world.link.line = first->joint.line;
        world.file = first->file;
        m_links.emplace("world", m_parts.links.size());
        m_parts.links.push_back(std::move(world));
    }

    void problem(const JointPart& part, const scene::MakeMessage& message) {
        part.file->problem(part.joint.line, [&] { return jointTag(part) + ": " + message(); });
    }

    /// Joints whose links exist are the good ones.
    bool checkEnds() {
        for (std::size_t i = 0; i < m_parts.joints.size(); ++i) {
            const JointPart& part = m_parts.joints[i];
            bool isGood = true;
            for (const auto& [end, name] : {std::pair("parent", &part.parent), {"child", &part.child}}) {
                if (m_links.contains(*name)) continue;
                isGood = false;
                problem(part, [&, end = end, name = name] {
                    std::vector<std::string> names;
                    for (const LinkPart& link : m_parts.links) names.push_back(link.link.name);
                    const std::string proposal = scene::didYouMean(*name, names);
                    return std::string(end) + " = \"" + *name + "\" is not allowed: there is no such link" + proposal +
                           (proposal.empty() ? "." : "") +
                           " Links: " + (names.empty() ? "none" : scene::joinFirst(names));
                });
            }
            if (isGood) {
                m_good.push_back(i);
            } else {
                m_parts.carriedByWrong.push_back(part.child);
            }
        }
        return m_good.size() == m_parts.joints.size();
    }

    bool checkTree() {
        bool isTree = true;
        std::map<std::string, const JointPart*> carrier;  // of a link
        std::map<std::string, std::vector<std::string>> children;
        for (const std::size_t index : m_good) {
            const JointPart& part = m_parts.joints[index];
            children[part.parent].push_back(part.child);
            if (part.parent == part.child) {
                problem(part, [&] { return "parent and child are the same link, \"" + part.child + "\""; });
                isTree = false;
            }
            const auto [other, isNew] = carrier.emplace(part.child, &part);
            if (isNew) continue;
            problem(part, [&, other = other] {
                return "child = \"" + part.child + "\" is not allowed: " + jointTag(*other->second) + " on line " +
                       std::to_string(other->second->joint.line) +
                       " carries that link already; a robot must be a tree, without closed loops";
            });
            isTree = false;
        }
        std::vector<const LinkPart*> roots;
        for (std::size_t i = 0; i < m_parts.links.size(); ++i) {
            const LinkPart& part = m_parts.links[i];
            const auto& wrong = m_parts.carriedByWrong;
            if (carrier.contains(part.link.name)) continue;
            const auto isWrong = [&](const std::string& name) { return name.empty() || name == part.link.name; };
            if (!roots.empty() && std::any_of(wrong.begin(), wrong.end(), isWrong)) continue;
            if (std::find(wrong.begin(), wrong.end(), part.link.name) != wrong.end()) continue;
            if (roots.empty()) m_root = i;
            roots.push_back(&part);
        }
        for (std::size_t i = 1; i < roots.size(); ++i) {
            roots[i]->file->problem(roots[i]->link.line, [&] {
                return linkTag(roots[i]->link) + ": no joint carries it, nor " + linkTag(roots[0]->link) +
                       "; there must be one root: connect them by a joint";
            });
            isTree = false;
        }
        return checkReached(roots, children) && isTree && roots.size() == 1;
    }

    /// A loop that hangs on nothing.
    bool checkReached(const std::vector<const LinkPart*>& roots,
                      const std::map<std::string, std::vector<std::string>>& children) {
        std::set<std::string> reached;
        std::vector<std::string> open = m_parts.carriedByWrong;
        for (const LinkPart* root : roots) open.push_back(root->link.name);
        while (!open.empty()) {
            const std::string link = open.back();
            open.pop_back();
            if (!reached.insert(link).second || !children.contains(link)) continue;
            for (const std::string& child : children.at(link)) open.push_back(child);
        }
        for (const std::size_t index : m_good) {
            const JointPart& part = m_parts.joints[index];
            if (reached.contains(part.child)) continue;
            problem(part, [&] {
                return "is part of a closed loop of joints (link \"" + part.child +
                       "\"), which carries itself; a robot must be a tree with one root";
            });
            return false;
        }
        return true;
    }

    /// The link and all that it carries, depth first, children in the file's order.
    void addLink(std::size_t index) {
        const int parent = static_cast<int>(m_robot.links.size());
        m_robot.links.push_back(m_parts.links[index].link);
        m_linkOrder.push_back(index);
        for (const std::size_t joint : m_carried[m_parts.links[index].link.name]) {
            RobotJoint next = m_parts.joints[joint].joint;
            next.parent = parent;
            next.child = static_cast<int>(m_robot.links.size());
            m_robot.joints.push_back(std::move(next));
            m_order.push_back(joint);
            addLink(m_links.at(m_parts.joints[joint].child));
        }
    }

    void findLeaders() {
        for (std::size_t i = 0; i < m_robot.joints.size(); ++i) {
            const JointPart& part = m_parts.joints[m_order[i]];
            std::optional<RobotMimic>& mimic = m_robot.joints[i].mimic;
            if (!mimic) continue;
            mimic->leader = m_robot.jointIndex(part.leader);
            if (mimic->leader >= 0 && m_robot.joints[static_cast<std::size_t>(mimic->leader)].isScalar() &&
                mimic->leader != static_cast<int>(i)) {
                continue;
            }
            problem(part, [&] {
                return "<mimic>: joint = \"" + part.leader +
                       "\" is not allowed; it must be another joint, revolute, continuous or prismatic";
            });
            mimic.reset();
        }
        findCircles();
    }

    /// Joints that follow one another in a circle.
    void findCircles() {
        for (std::size_t i = 0; i < m_robot.joints.size(); ++i) {
            std::size_t at = i;
            for (std::size_t steps = 0; m_robot.joints[at].mimic; ++steps) {
                at = static_cast<std::size_t>(m_robot.joints[at].mimic->leader);
                if (at != i && steps <= m_robot.joints.size()) continue;
                problem(m_parts.joints[m_order[i]], [] { return "<mimic>: it follows itself"; });
                m_robot.joints[i].mimic.reset();
                break;
            }
        }
        for (std::size_t i = 0; i < m_robot.joints.size(); ++i) checkRange(static_cast<int>(i));
    }

    /// Followers whose limits leave their leader nowhere to be.
    void checkRange(int leader) {
        const RobotJoint& joint = m_robot.joints[static_cast<std::size_t>(leader)];
        if (!joint.isScalar() || joint.mimic) return;
        std::vector<int> ignored;
        heldRange(m_robot, leader, &ignored);
        for (const int i : ignored) {
            const RobotJoint& follower = m_robot.joints[static_cast<std::size_t>(i)];
            m_parts.joints[m_order[static_cast<std::size_t>(i)]].file->warnOnce("mimic limit", follower.line, [&] {
                return "<joint name=\"" + follower.name +
                       "\">: its limits do not hold: where they let it be, those of \"" + joint.name +
                       "\", which it follows, do not let that be";
            });
        }
    }

    void assume(int index, const std::string& why) {
        RobotLink& link = m_robot.links[static_cast<std::size_t>(index)];
        const LinkPart& part = m_parts.links[m_linkOrder[static_cast<std::size_t>(index)]];
        const std::string assumed = assumeInertia(link);
        part.file->warnOnce("assumed inertia", link.line, [&] { return linkTag(link) + ": " + why + "; " + assumed; });
    }

    void giveInertia() {
        // What has a mass and no moments is a body all the same.
        for (std::size_t i = 0; i < m_robot.links.size(); ++i) {
            const LinkPart& part = m_parts.links[m_linkOrder[i]];
            if (!(part.link.mass > 0)) continue;
            // A free base turns about every axis.
            const bool isRoot = i == 0 || m_robot.joints[i - 1].type == RobotJoint::Type::Floating;
            const bool isWhole = part.hasInertial && (!isRoot || part.link.principalMoments.minCoeff() > 0);
            if (isWhole || (!isRoot && m_robot.joints[i - 1].type == RobotJoint::Type::Fixed)) continue;
            assume(static_cast<int>(i), "has a mass, and moments of inertia that are missing or 0");
        }
        if (!(m_robot.links[0].mass > 0)) m_robot.links[0].principalMoments.setZero();  // nothing moves a fixed base
        std::vector<int> still = stuckJoints();
        if (still.empty()) return;
        // Where nothing has a mass the file is meant for pictures: what moves and has a shape is a body then.
        const auto hasMass = [](const RobotLink& link) { return link.mass > 0; };
        if (std::none_of(m_robot.links.begin(), m_robot.links.end(), hasMass)) {
            for (const RobotJoint& joint : m_robot.joints) {
                const RobotLink& link = m_robot.links[static_cast<std::size_t>(joint.child)];
                if (joint.type != RobotJoint::Type::Fixed && !link.collisions.empty()) assumeMoved(joint.child);
            }
            still = stuckJoints();
        }
        for (const int joint : still) assumeMoved(m_robot.joints[static_cast<std::size_t>(joint)].child);
        for (const int joint : stuckJoints()) {
            const RobotJoint& stuck = m_robot.joints[static_cast<std::size_t>(joint)];
            problem(m_parts.joints[m_order[static_cast<std::size_t>(joint)]], [&] {
                return "moves no inertia; link \"" + m_robot.links[static_cast<std::size_t>(stuck.child)].name +
                       "\", or one that it carries, must have an <inertial> that resists the joint";
            });
        }
    }

    /// Joints that move nothing where all stand at zero, as robots start, or where no two happen to be parallel.
    std::vector<int> stuckJoints() const {
        std::vector<double> apart;
        for (std::size_t i = 0; i < m_robot.joints.size(); ++i) apart.push_back(0.3 + 0.1 * static_cast<double>(i));
        const std::vector<int> never = jointsWithoutInertia(m_robot, apart);
        return never.empty() ? jointsWithoutInertia(m_robot, std::vector<double>(apart.size(), 0)) : never;
    }

    void assumeMoved(int link) { assume(link, "a joint moves it, and it has no inertia that resists"); }

    void warnOfInertia() {
        for (std::size_t i = 0; i < m_robot.links.size(); ++i) {
            const LinkPart& part = m_parts.links[m_linkOrder[i]];
            if (!part.hasInertial) continue;
            std::vector<const RobotJoint*> carried;
            for (const RobotJoint& joint : m_robot.joints) {
                if (joint.parent == static_cast<int>(i)) carried.push_back(&joint);
            }
            const std::string doubtful = doubtfulInertia(m_robot.links[i], carried);
            if (doubtful.empty()) continue;
            part.file->warnOnce("doubtful inertia", part.inertiaLine,
                                [&] { return "<inertia>: link \"" + part.link.name + "\": " + doubtful; });
        }
    }

    XmlFile& m_file;
    RobotParts& m_parts;
    std::map<std::string, std::size_t> m_links;                 ///< by name
    std::vector<std::size_t> m_good;                            ///< joints whose links exist
    std::size_t m_root = 0;                                     ///< the first link that nothing carries
    std::map<std::string, std::vector<std::size_t>> m_carried;  ///< joints, by their parent link
    std::vector<std::size_t> m_order;                           ///< parts of the robot's joints
    std::vector<std::size_t> m_linkOrder;                       ///< parts of the robot's links
    RobotDescription m_robot;
};

}  // namespace

RobotDescription assembleRobot(XmlFile& file, RobotParts parts) {
    if (parts.links.empty()) return {};
    return Assembly(file, parts).run();
}

}  // namespace elasto::robot
