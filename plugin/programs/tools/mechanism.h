#pragma once
/// @file mechanism.h
/// How joints and locked axes tie the bodies of a scene together: a tree of what places what, the loops that close it,
/// and the degrees of freedom that are left.

#include <elasto/scene/description.h>

#include <Eigen/Geometry>

#include <array>
#include <optional>
#include <vector>

namespace elasto::tools {

/// What a body may do by itself, as its factors and moments of inertia say.
struct BodyFreedom {
    std::array<bool, 3> slides = {true, true, true};  ///< its centre of mass, by world axis
    int turns = 3;                                    ///< about how many axes: 0, 1 or 3
    Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< turns = 1: in the world, where it stays
    double inertia = 0;                               ///< turns = 1: about it [kg.m^2]
    bool isJoint = true;                              ///< no joint leaves just this: what is left out is allowed here

    bool isFree() const { return slides[0] && slides[1] && slides[2] && turns == 3; }
};
BodyFreedom freedomOf(const SceneBody& body);

/// A coordinate of a joint: how frame_b's body moves against frame_a's, as both stand at the start, in the world.
struct MachineCoordinate {
    bool turns = false;
    Eigen::Vector3d axis, point;
};

/// A row that a joint holds: a direction fixed in body a along which a point of body b stays (slides), or a direction
/// of body a that stays at right angles to one of body b (turns). As they stand at the start, in the world.
struct MachineRow {
    bool turns = false;
    Eigen::Vector3d a = Eigen::Vector3d::Zero(), b = Eigen::Vector3d::Zero();  ///< directions; b where it turns
    Eigen::Vector3d point = Eigen::Vector3d::Zero();                           ///< of body b, where it does not turn
};

/// A joint of the scene, or what holds a body against the world by itself.
struct MachineEdge {
    int joint = -1;  ///< index in Scene::joints; -1: a body's own freedom
    int a = kWorld, b = kWorld;
    std::vector<MachineCoordinate> coordinates;
    std::vector<MachineRow> rows;
    bool isOfTree = false;            ///< it places a body; else it closes a loop
    bool isReversed = false;          ///< it places body a
    std::vector<bool> isIndependent;  ///< of the tree, by coordinate: its start is given; else it follows from a loop
    std::vector<std::size_t> kept;    ///< of a loop: which rows nothing else holds

    bool isWhole() const { return kept.size() == rows.size(); }
};

/// Joints first, a body's own freedom where none places it. What is measured or driven is kept in the tree, so that
/// loops close in plain hinges and balls.
class Mechanism {
public:
    /// @param isNeeded by joint: something acts on its coordinate
    Mechanism(const Scene& scene, const std::vector<bool>& isNeeded);

    const std::vector<MachineEdge>& edges() const { return m_edges; }
    /// The edge that places a body; none for fixed and kinematic ones. Index in edges().
    std::optional<std::size_t> carrierOf(int body) const;
    /// Degrees of freedom: of all dynamic bodies together.
    std::size_t freedoms() const { return m_freedoms; }
    /// Loops whose rows depend on one another where the scene starts, and not beside it, or cannot be given a start:
    /// edges that close them.
    const std::vector<std::size_t>& doubtful() const { return m_doubtful; }

private:
    using Poses = std::vector<Eigen::Isometry3d>;  ///< by body: from where it starts to where it is

    bool isGround(int body) const;
    void addEdges(const std::vector<bool>& isNeeded);
    void spanTree(const std::vector<std::size_t>& order);
    void place(const std::vector<std::size_t>& chosen);
    /// Coordinates of the tree, in the order in which it is placed.
    struct Column {
        std::size_t edge, coordinate;
    };
    Poses posesAt(double step) const;
    Eigen::RowVectorXd derivative(const MachineEdge& edge, const MachineRow& row, const Poses& poses) const;
    void findLoops();
    /// Which coordinates have a start, and which follow from the loops. @param rows of all loops, at the start
    void findStarts(const std::vector<Eigen::RowVectorXd>& rows);
    /// Whether its start is given only together with others'.
    bool isOfSeveral(const Column& column) const;

    const Scene& m_scene;
    double m_length = 1;  ///< of the mechanism, by which rows of points are scaled [m]
    std::vector<MachineEdge> m_edges;
    std::vector<int> m_carrier;         ///< by body: edge; -1: none
    std::vector<std::size_t> m_placed;  ///< edges of the tree, from the world on
    std::vector<Column> m_columns;
    std::vector<std::size_t> m_doubtful;
    std::size_t m_freedoms = 0;
};

}  // namespace elasto::tools
