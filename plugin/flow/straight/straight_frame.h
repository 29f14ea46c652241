#pragma once
// Networks whose directions stay fixed over the tick ("straight"): recognised, written in element coordinates, and the
// bodies' end state recovered from the impulses. Most scenes with stops on slides and shafts are of this kind, and only
// for them the closed forms are exact.

#include "bodies/direction_rules.h"
#include "bodies/geometry.h"
#include "rigid/free_motion.h"
#include "straight/row_network.h"
#include "straight/straight_record.h"

#include <array>
#include <vector>

namespace elasto::flow {

/// Bodies and elements of one connected network, seen from its start. Its storage only grows.
class StraightFrame {
public:
    /// Takes rows of all elements and responses of all bodies at the network's present state. The network must outlast
    /// the other calls.
    void look(const FlowNetwork& network);

    /// True if no direction, lever arm or response can change over h by more than rounding.
    bool isStraight(double h);
    /// The network in element coordinates.
    /// @param rows those of the last network, which has much in common with this one
    void write(RowNetwork& rows);
    /// The state at the start: s, v, s_damper and phases.
    void start(const RowNetwork& rows, RowState& state) const;
    /// End state of body i after h from the impulses P and their integrals sigma. Exact if isStraight.
    BodyTick endOf(int i, double h, const Eigen::VectorXd& P, const Eigen::VectorXd& sigma);

private:
    struct Response {  // acceleration of a body by a unit element force
        int element;
        Eigen::Vector3d linear;
        Eigen::Vector3d angular;
    };
    struct BodyRows {
        std::vector<Response> responses;
        Eigen::Vector3d linearLoad[3];
        Eigen::Vector3d angularLoad[3];
        Eigen::Vector3d gyroscopic;
        bool turns;  ///< something can make it turn, or it does; known with the displacements
    };

    void findResponses();
    void findDisplacements(double h);
    bool isSlide(const FlowElement& element, const Row& row) const;
    Displacement pushOf(int element, int body) const;
    template <class Visit>
    bool forMotionsOf(const FlowElement& element, const Visit& visit) const;
    bool turnsFreely(int i) const;
    Motion motionOf(int body) const;

    const FlowNetwork* m_network = nullptr;
    StraightRecord m_record;
    bool m_isRecorded = false;    ///< responses and rows of the last network are those of this one
    std::uint64_t m_written = 0;  ///< networks that are recorded
    std::vector<Row> m_rows;
    std::vector<BodyRows> m_bodies;                      // at least as many as the network has
    std::array<std::vector<Displacement>, 5> m_motions;  // by velocities and loads, of all bodies
    std::vector<double> m_pushSizes;                     // by element: the largest response to its force
    FreeMotion m_free;
    std::vector<DelassusMatrix::Entry> m_entries;  // of one row of W
};

}  // namespace elasto::flow
