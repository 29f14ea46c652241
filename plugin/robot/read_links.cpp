#include "read_links.h"

#include "doubtful_inertia.h"
#include "mesh_points.h"
#include "principal_inertia.h"
#include "urdfdom_model.h"

#include <map>

namespace elasto::robot {

using tinyxml2::XMLElement;
namespace fs = std::filesystem;

namespace {

Eigen::Vector3d toEigen(const urdf::Vector3& v) {
    return {v.x, v.y, v.z};
}

RobotPose poseOf(const urdf::Pose& pose) {
    const urdf::Rotation& q = pose.rotation;
    return {toEigen(pose.position), Eigen::Quaterniond(q.w, q.x, q.y, q.z)};
}

RobotJoint::Type typeOf(const urdf::Joint& joint) {
    switch (joint.type) {
        case urdf::Joint::REVOLUTE:
            return RobotJoint::Type::Revolute;
        case urdf::Joint::CONTINUOUS:
            return RobotJoint::Type::Continuous;
        case urdf::Joint::PRISMATIC:
            return RobotJoint::Type::Prismatic;
        case urdf::Joint::PLANAR:
            return RobotJoint::Type::Planar;
        case urdf::Joint::FLOATING:
            return RobotJoint::Type::Floating;
        default:
            return RobotJoint::Type::Fixed;
    }
}

class Reader {
public:
    Reader(XmlFile& file, const UrdfElements& elements, const fs::path& folder, const LoadRobotOptions& options)
        : m_file(file), m_elements(elements), m_folder(folder), m_options(options) {}

    RobotDescription run(const urdf::ModelInterface& model) {
        m_robot.name = model.getName();
        for (const XMLElement* joint : m_elements.joints) {
            m_joints[joint->FirstChildElement("parent")->Attribute("link")].push_back(joint);
        }
        for (const XMLElement* link : m_elements.links) {
            m_links[link->Attribute("name")] = link;
        }
        addLink(model, *m_links.at(model.getRoot()->name));
        return std::move(m_robot);
    }

private:
    /// The link and all that it carries, depth first, children in the file's order.
    void addLink(const urdf::ModelInterface& model, const XMLElement& element) {
        const std::string name = element.Attribute("name");
        const int index = static_cast<int>(m_robot.links.size());
        m_robot.links.push_back(readLink(*model.links_.at(name), element));
        for (const XMLElement* joint : m_joints[name]) {
            const std::shared_ptr<const urdf::Joint> read = model.joints_.at(joint->Attribute("name"));
            m_robot.joints.push_back(readJoint(*read, *joint, index));
            addLink(model, *m_links.at(read->child_link_name));
        }
        warnOfInertia(index, element);
    }

    RobotLink readLink(const urdf::Link& read, const XMLElement& element) {
        RobotLink link;
        link.name = read.name;
        link.line = element.GetLineNum();
        if (read.inertial) readInertial(*read.inertial, *element.FirstChildElement("inertial"), link);
        const XMLElement* collision = element.FirstChildElement("collision");
        for (const urdf::CollisionSharedPtr& one : read.collision_array) {
            if (collision == nullptr) break;
            link.collisions.push_back(readShape(*one, *collision));
            collision = collision->NextSiblingElement("collision");
        }
        return link;
    }

    void readInertial(const urdf::Inertial& read, const XMLElement& element, RobotLink& link) {
        Eigen::Matrix3d tensor;
        tensor << read.ixx, read.ixy, read.ixz, read.ixy, read.iyy, read.iyz, read.ixz, read.iyz, read.izz;
        const PrincipalInertia principal = principalInertia(tensor);
        link.mass = read.mass;
        link.principalMoments = principal.moments.cwiseMax(0);
        link.principalFrame = poseOf(read.origin) * RobotPose{Eigen::Vector3d::Zero(), principal.orientation};
        const std::string refused = refusedMoments(principal.moments);
        const std::string owner = "link \"" + link.name + "\": ";
        if (!refused.empty()) m_file.problem(*element.FirstChildElement("inertia"), owner + refused);
        if (link.mass == 0 && !link.principalMoments.isZero(0)) {
            m_file.problem(
                *element.FirstChildElement("mass"),
                owner + "value = \"0\" is not allowed with moments of inertia; it must be a finite number > 0");
        }
    }

    void warnOfInertia(int index, const XMLElement& element) {
        std::vector<const RobotJoint*> carried;
        for (const RobotJoint& joint : m_robot.joints) {
            if (joint.parent == index) carried.push_back(&joint);
        }
        const RobotLink& link = m_robot.links[static_cast<std::size_t>(index)];
        const std::string doubtful = doubtfulInertia(link, carried);
        if (doubtful.empty()) return;
        m_file.warning(*element.FirstChildElement("inertial")->FirstChildElement("inertia"),
                       [&] { return "link \"" + link.name + "\": " + doubtful; });
    }

    RobotShape readShape(const urdf::Collision& read, const XMLElement& element) {
        RobotShape shape;
        shape.name = read.name;
        shape.line = element.GetLineNum();
        shape.pose = poseOf(read.origin);
        switch (read.geometry->type) {
            case urdf::Geometry::BOX:
                shape.type = RobotShape::Type::Box;
                shape.size = toEigen(static_cast<const urdf::Box&>(*read.geometry).dim);
                break;
            case urdf::Geometry::SPHERE:
                shape.type = RobotShape::Type::Sphere;
                shape.radius = static_cast<const urdf::Sphere&>(*read.geometry).radius;
                break;
            case urdf::Geometry::CYLINDER:
                shape.type = RobotShape::Type::Cylinder;
                shape.radius = static_cast<const urdf::Cylinder&>(*read.geometry).radius;
                shape.length = static_cast<const urdf::Cylinder&>(*read.geometry).length;
                break;
            default:
                shape.type = RobotShape::Type::Hull;
                readHull(static_cast<const urdf::Mesh&>(*read.geometry),
                         *element.FirstChildElement("geometry")->FirstChildElement(), shape);
        }
        return shape;
    }

    void readHull(const urdf::Mesh& mesh, const XMLElement& element, RobotShape& shape) {
        shape.file = meshFile(mesh.filename);
        try {
            shape.points = meshPoints(shape.file);
        } catch (const MeshError& refused) {
            m_file.problem(element, "'" + shape.file.string() + "': " + refused.what());
        }
        for (Eigen::Vector3d& point : shape.points) point = point.cwiseProduct(toEigen(mesh.scale));
    }

    /// A file beside the URDF file, an absolute path, file://..., or package://NAME/...
    fs::path meshFile(const std::string& given) const {
        constexpr std::string_view kFile = "file://";
        constexpr std::string_view kPackage = "package://";
        if (given.starts_with(kFile)) return given.substr(kFile.size());
        if (!given.starts_with(kPackage)) return (m_folder / given).lexically_normal();
        const std::string rest = given.substr(kPackage.size());
        const std::size_t slash = std::min(rest.find('/'), rest.size());
        const std::string package = rest.substr(0, slash);
        const std::string inside = rest.substr(std::min(slash + 1, rest.size()));
        if (const auto known = m_options.packages.find(package); known != m_options.packages.end()) {
            return known->second / inside;
        }
        std::error_code error;
        for (fs::path folder = fs::absolute(m_folder, error).lexically_normal(); !folder.empty();
             folder = folder.parent_path()) {
            const fs::path packageFolder = folder.filename() == package ? folder : folder / package;
            if (fs::exists(packageFolder / inside, error)) return packageFolder / inside;
            if (folder == folder.root_path()) break;
        }
        return m_folder / package / inside;
    }

    RobotJoint readJoint(const urdf::Joint& read, const XMLElement& element, int parent) {
        RobotJoint joint;
        joint.name = read.name;
        joint.line = element.GetLineNum();
        joint.type = typeOf(read);
        joint.parent = parent;
        joint.child = static_cast<int>(m_robot.links.size());
        joint.pose = poseOf(read.parent_to_joint_origin_transform);
        const Eigen::Vector3d axis = toEigen(read.axis);
        if (!axis.isZero(0)) joint.axis = axis / axis.cwiseAbs().maxCoeff();
        joint.axis.normalize();
        if (read.limits && joint.type != RobotJoint::Type::Fixed) {
            RobotLimits limits;
            limits.lower = read.limits->lower;
            limits.upper = read.limits->upper;
            limits.effort = read.limits->effort;
            limits.velocity = read.limits->velocity;
            joint.limits = limits;
        }
        if (read.dynamics) {
            joint.damping = read.dynamics->damping;
            joint.friction = read.dynamics->friction;
        }
        if ((joint.damping != 0 || joint.friction != 0) && !joint.isScalar()) {
            m_file.problem(element, std::string("<dynamics> is not allowed: joints of type ") +
                                        jointTypeName(joint.type) + " have neither damping nor friction");
        }
        return joint;
    }

    XmlFile& m_file;
    const UrdfElements& m_elements;
    const fs::path& m_folder;
    const LoadRobotOptions& m_options;
    std::map<std::string, const XMLElement*> m_links;                ///< by name
    std::map<std::string, std::vector<const XMLElement*>> m_joints;  ///< by parent link
    RobotDescription m_robot;
};

}  // namespace

RobotDescription readLinks(XmlFile& file, const UrdfElements& elements, const fs::path& folder,
                           const LoadRobotOptions& options) {
    // Both parsers see the same names and numbers then, and each link and joint of one is known to the other.
    const UrdfdomModel parsed = parseByUrdfdom(file.elementsText());
    for (const std::string& error : parsed.errors) file.problem(0, "urdfdom refuses it: " + error);
    if (parsed.model == nullptr || !parsed.errors.empty()) return {};
    return Reader(file, elements, folder, options).run(*parsed.model);
}

}  // namespace elasto::robot
