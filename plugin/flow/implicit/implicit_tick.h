#pragma once
// A tick of a network in sub-steps, each with one strictly convex minimisation (see kick.h).
//
// Poses are known at the sub-steps' ends, velocities between them (leapfrog): kick, drift, kick, ... drift, kick.
// Elements keep their energy (element_push.h); contacts, friction, joints and limits act in the kicks. It has no events
// to find and always ends; the iterations of Newton's method, all that is not known beforehand, are bounded.

#include "constraints/contact_geometry.h"
#include "implicit/kick.h"

#include <elasto/flow.h>

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace elasto::flow::implicit {

/// What a tick of the implicit step gave.
struct ImplicitTick {
    FlowNetwork end;
    Eigen::VectorXd P, heat;            ///< of elements, then of soft contacts
    std::vector<ContactTick> contacts;  ///< impulses, and creep
    std::vector<double> bounded;        ///< impulses of motors and limits
    std::vector<Reaction> reactions;    ///< that rows ask for
    std::vector<ContactEvent> events;
    double work = 0;       ///< of loads, motors, surfaces and bodies that nothing can move [J]
    double driveWork = 0;  ///< of motors alone [J]
    double limitLoss = 0;  ///< energy that impacts at limits took [J]
    double jointLoss =
        0;                ///< and joints that met velocities which they do not allow, or that contradict each other [J]
    double putRight = 0;  ///< work of joints that close and of contacts and friction that take back what they gave
                          ///< way [J], >= 0; not in `work`
    int substeps = 0;
    int iterations = 0;    ///< of Newton's method
    bool isSolved = true;  ///< all minima were found
};

/// How many sub-steps a tick is worth, within those that the settings allow: by how far its bodies turn, and where
/// something touches by how far its undamped elements oscillate. Where nothing does they keep their energy however
/// stiff they are.
int substepsFor(const FlowNetwork& network, double h, const FlowSettings& settings);

/// Iterations of Newton's method that every kick has: what they leave is little beside what they solve.
inline constexpr int kFewestIterations = 8;

/// Solves ticks one after the other; storage is kept.
class ImplicitStep {
public:
    /// @param network with contacts whose offsets are those of the start, and whose impulses are those of a tick of h
    /// @param dt of the sub-steps, > 0; the last one is shorter where they do not fit into h
    /// @param iterations of Newton's method that all kicks may take together; each has some whatever others took
    void solve(const FlowNetwork& network, double h, double dt, ElementDrift::Form form, int iterations,
               ImplicitTick& result);

private:
    /// From the end of the last one's middle drift to that of the next one's; the first and the last are half ones.
    struct Span {
        double begin, end;  // [s]
        double drift;       // that follows; 0: none
        bool isFirst;

        double length() const { return end - begin; }
        // Compliance yields to forces, not to impulses, or rest would be no rest.
        double softness() const { return drift > 0 ? drift / length() : 1; }
    };
    /// Bodies of a row with its gradient in the world, those that nothing moves included.
    struct WorldEnds {
        struct End {
            int body;
            Vector6 gradient;
        };
        std::array<End, 4> ends;
        int count = 0;

        static WorldEnds of(const BlockRow& row);
        template <GearedLink Link>
        static WorldEnds of(const Link& link, const Row& row) {
            WorldEnds ends;
            forEachEnd(link, row,
                       [&](int index, const auto& linear, const auto& turn) { ends.add(index, linear, turn); });
            return ends;
        }
        void add(int body, const Eigen::Vector3d& linear, const Eigen::Vector3d& angular);
        std::span<const End> all() const { return {ends.data(), static_cast<std::size_t>(count)}; }
    };
    struct Source {
        enum class Kind { Joint, Bounded, Turning } kind;
        std::size_t index;
        BlockRow row;  // of the own coordinate alone
        WorldEnds ends;
        double closing = 0;  // rate at which a joint is closed that was found apart
    };
    struct ElementSource {
        std::size_t law;
        WorldEnds ends;
        double s;
        double bend = 0;  // of the coordinate's displacement over the drift, what its rate in the middle does not tell
    };
    struct PointSource {
        std::size_t contact;
        Eigen::Vector3d normal, first, second;  // unit vectors
        Eigen::Vector3d armA, armB;
    };
    /// What a contact remembers from kick to kick.
    struct ContactHistory {
        double force = 0, forceBefore = 0;                   // normal [N]
        Eigen::Vector3d friction = Eigen::Vector3d::Zero();  // on a [N]
        Eigen::Vector3d turning = Eigen::Vector3d::Zero();   // on a [N.m]
        Eigen::Vector3d creep = Eigen::Vector3d::Zero();     // displacement that it has given [m]
        bool bears = false;
    };

    void begin();
    void findPattern();
    void findFirmness(double dt);
    void placeMiddle(double ahead);
    void findFree(const Span& kick);
    void addRows(const Span& kick);
    std::optional<KickClamp> clampOf(const WorldEnds& ends, double compliance, double force, const Span& kick) const;
    void addJoints(const Span& kick);
    void addBounded(const Span& kick);
    double targetOf(const BoundedRow& motor, const Span& kick) const;
    void addElements(const Span& kick);
    void fillColumn(const FlowContact& contact, const PointSource& source, int column, const Eigen::Vector3d& direction,
                    KickPoint& point) const;
    void addContact(std::size_t contact, const Span& kick);
    void addTurning(std::size_t contact, const Eigen::Vector3d& normal, const Span& kick);
    void addElement(std::size_t law, const WorldEnds& ends, double s, const Span& kick);
    KickElement kickElement(const ElementSource& source, const Span& kick) const;
    void solveKick(const Span& kick);
    void solveOnce();
    bool bendElements(const Span& kick);
    Row measure(std::size_t element, const std::vector<Motion>& motions) const;
    void setVelocities(std::vector<Motion>& motions) const;
    void take(const Span& kick);
    void takeClamps(const Span& kick);
    void takeBounded(std::size_t index, double impulse, double rate);
    void takePoints(const Span& kick);
    void takeElements(const Span& kick);
    void drift(double t, double dt);
    void readEnd();

    const Motion& at(const std::vector<Motion>& motions, int body) const;
    const FlowBody& body(int index) const { return m_network->bodies[static_cast<std::size_t>(index)]; }
    /// The row in y; adds up the rate that it has without impulses of rows.
    KickEnds reduced(const WorldEnds& ends, double& free) const;
    double drivenRate(const WorldEnds& ends) const;
    double rateNow(const WorldEnds& ends) const;
    double workingRate(const WorldEnds& ends, double after, const Span& kick) const;
    bool keepsEnergy() const { return m_form == ElementDrift::Form::KeepsEnergy; }
    template <class Rate>
    Rate workingRate(const Rate& before, const Rate& after, const Span& kick) const {
        if (kick.isFirst || !keepsEnergy()) return after;
        return kick.drift > 0 ? Rate((before + after) / 2) : before;
    }
    double workOf(const KickPoint& point, const PointSource& source, const Span& kick) const;
    Eigen::Vector3d creepAfter(const KickPoint& point, const PointSource& source, double drift) const;

    const FlowNetwork* m_network = nullptr;
    ImplicitTick* m_result = nullptr;
    double m_h = 0;
    int m_iterations = 0;  // that are left for this kick and those that follow
    int m_kicks = 0;       // solutions that follow
    ElementDrift::Form m_form = ElementDrift::Form::KeepsEnergy;
    double m_firmness = 0;  // compliance of contacts over the response of their points
    std::vector<HybridLaw> m_laws;
    std::vector<std::size_t> m_softs;  // contacts of the laws after the elements'
    std::vector<Motion> m_now, m_middle, m_free, m_end;
    std::vector<Eigen::Quaterniond> m_turnedTo;  // orientation at which the angular velocity was found
    std::vector<InverseMassRoot> m_roots;
    std::vector<Vector6> m_scale, m_y;
    std::vector<Vector6> m_behind;  // impulses of elements that belong to the drift behind
    std::vector<Turns> m_turns;
    std::vector<Turns> m_boundedTurns;
    std::vector<double> m_z, m_jointForce, m_jointStart, m_boundedForce;
    std::vector<ContactHistory> m_histories;
    std::vector<EliminationOrder::Edge> m_edges;
    Kick m_kick;
    std::vector<Source> m_clampSources;
    std::vector<ElementSource> m_elementSources;
    std::vector<PointSource> m_pointSources;
};

}  // namespace elasto::flow::implicit
