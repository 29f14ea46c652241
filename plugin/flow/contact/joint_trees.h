#pragma once
// Trees of bodies whose joints leave each body coordinates of its own: what these joints hold follows from the
// coordinates and need not be held.

#include "bodies/body_kinematics.h"
#include "constraints/contact_geometry.h"
#include "contact/joint_search.h"
#include "tree/tree_model.h"

#include <span>
#include <vector>

namespace elasto::flow {

class JointTrees {
public:
    /// Looks for them in a network as it stands. What turns with locked axes, or hangs on what is driven, is in none.
    void find(const FlowNetwork& network);
    /// Leaves all bodies to themselves.
    void clear();
    /// Largest distance by which joints of trees are apart, which trees close [m, rad].
    double apart() const { return m_apart; }
    bool empty() const { return m_count == 0; }

    std::size_t size() const { return m_count; }
    TreeModel& model(std::size_t tree) { return m_models[tree]; }
    const TreeModel& model(std::size_t tree) const { return m_models[tree]; }
    /// Of all trees; a state has as many positions, then as many velocities.
    Eigen::Index coordinates() const { return m_coordinates; }
    /// Of a tree's first one.
    Eigen::Index placeOf(std::size_t tree) const { return m_trees[tree].place; }
    /// Of a coordinate: in metres, not in radians.
    bool isLength(Eigen::Index place) const { return m_isLength[static_cast<std::size_t>(place)] != 0; }

    bool has(int body) const { return body >= 0 && m_places[static_cast<std::size_t>(body)].tree >= 0; }
    std::size_t treeOf(int body) const {
        return static_cast<std::size_t>(m_places[static_cast<std::size_t>(body)].tree);
    }
    /// kTreeBase of a free one.
    int linkOf(int body) const { return m_places[static_cast<std::size_t>(body)].link; }
    /// Joint's row that a tree's coordinates imply.
    bool holds(std::size_t row) const { return m_isHeld[row] != 0; }

    /// A coordinate that is a joint's own: s = offset + sign q.
    struct Own {
        Eigen::Index place = -1;  ///< of q, -1: it is none
        double sign = 0, offset = 0;

        explicit operator bool() const { return place >= 0; }
        double value(const double* positions) const { return offset + sign * positions[place]; }
    };
    /// Such coordinates of a motor or limit: s = own, or own - ratio second.
    struct Pair {
        Own own, second;
        double ratio = 0;

        explicit operator bool() const { return bool(own) && (ratio == 0 || bool(second)); }
    };
    /// The row of an element, motor or limit on such a coordinate.
    template <class Link>
    static BlockRow ownRow(const Link& link, const BodyKinematics& bodies) {
        const Eigen::Vector3d axis = bodies.turnOf(link.a) * link.axis;
        if (link.geometry == Geometry::AboutAxis) return rowAbout(link.a, link.b, -axis);
        const Eigen::Vector3d point = bodies.at(link.b).x + bodies.turnOf(link.b) * link.pointB;
        return rowAt(link.a, link.b, bodies.at(link.a), bodies.at(link.b), point, -axis);
    }
    static ElementRow boundedRow(const BoundedRow& link, const BodyKinematics& bodies) {
        if (!link.isGeared()) return {ownRow(link, bodies), {}, false};
        BlockRow second = ownRow(link.geared, bodies);
        second.gradientA *= -link.geared.ratio;
        second.gradientB *= -link.geared.ratio;
        return {ownRow(link, bodies), second, true};
    }
    const Pair& ofBounded(std::size_t bounded) const { return m_bounded[bounded]; }
    const Own& ofElement(std::size_t element) const { return m_elements[element]; }

    /// Of the network that they were found in. @param velocities of the bodies
    void start(std::span<const Vector6> velocities, double* state) const;
    /// Takes the trees, their bodies and these bodies' velocities to where a state has them.
    void place(const double* state, BodyKinematics& bodies, std::vector<Vector6>& velocities);
    double value(const Own& own) const { return own.value(m_positions.data()); }
    double value(const Pair& pair) const {
        return pair.ratio == 0 ? value(pair.own) : value(pair.own) - pair.ratio * value(pair.second);
    }
    Turns turns(const Pair& pair) const { return {value(pair.own), pair.ratio == 0 ? 0 : value(pair.second)}; }
    /// Of the positions, after place().
    void rates(double* rate) const;
    /// Counts rotations from now on where they have become large. @return true if the state was changed
    bool restartRotations(double* state);

    /// Adds to reactions that rows ask for what joints of trees transmit.
    /// @param accelerations of all coordinates @param pushes by body: force and moment about its centre of mass besides
    /// the network's loads and what joints of trees do
    void countReactions(double t, const double* accelerations, std::span<const Vector6> pushes,
                        std::vector<Reaction>& reactions);

private:
    struct Place {
        int tree = -1;
        int link = kTreeBase;
    };
    struct Tree {
        FlowTree tree;
        std::vector<int> bodies;          ///< of the base (kWorld where it is fixed), then of the links
        std::vector<std::size_t> joints;  ///< of the links, among m_joints
        Eigen::Index place = 0;
    };

    void findJoints();
    bool isUsable(int body) const;
    bool isGround(int body) const;
    void begin(int base);
    void addLink(Tree& tree, std::size_t joint, int parent);
    void grow(Tree& tree, int from);
    void placeAll();
    template <class Link>
    Own ownOf(const Link& link, double s) const;
    Pair pairOf(std::size_t bounded) const;
    int otherEnd(const FoundJoint& joint, int body) const { return joint.a == body ? joint.b : joint.a; }

    const FlowNetwork* m_network = nullptr;
    std::size_t m_count = 0;
    double m_apart = 0;
    Eigen::Index m_coordinates = 0;
    std::vector<Tree> m_trees;  // at least as many
    std::vector<TreeModel> m_models;
    std::vector<Place> m_places;  // by body
    std::vector<char> m_isHeld;   // by row
    std::vector<FoundJoint> m_joints;
    std::vector<std::vector<std::size_t>> m_jointsOf;  // by body
    std::vector<int> m_bases;                          // bodies that trees may begin with
    std::vector<Pair> m_bounded;
    std::vector<Own> m_elements;
    std::vector<char> m_isLength;                   // by coordinate
    std::vector<double> m_positions, m_velocities;  // of all trees, as place() was told
    std::vector<Spatial> m_applied, m_held;
};

}  // namespace elasto::flow
