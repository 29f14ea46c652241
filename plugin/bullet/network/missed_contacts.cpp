#include "network/missed_contacts.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>
#include <optional>
#include <span>

#include "contacts/approach.h"
#include "contacts/contact_corners.h"
#include "contacts/contact_pair_points.h"
#include "contacts/contact_touch.h"
#include "contacts/group_contacts.h"
#include "host/body_status.h"
#include "host/conversion.h"
#include "host/rotation_vector.h"
#include "multibody/multibody_translation.h"
#include "network/body_index.h"
#include "network/multibody_tree.h"
#include "network/tuning.h"

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// The bodies of a network, and links, at some times of its tick.
class MotionSamples {
public:
    explicit MotionSamples(SolvedNetwork& solved) : m_solved(solved), m_index(solved.bodies, solved.bodyPlaces) {
        if (!solved.multi.isTree) return;
        for (const MovedMultiBody& moved : solved.multi.bodies) {
            m_treeStart.push_back(linkStates(*moved.body, moved.start));
            m_treeEnd.push_back(linkStates(*moved.body, moved.end));
        }
    }

    /// @return false if the body has no place in the network: nothing is known of its motion then
    bool isKnown(const btCollisionObject& object) const { return isFixed(object) || state(0, object).has_value(); }

    /// Largest speed of two bodies against each other at the tick's ends [m/s].
    double speed(const btCollisionObject& a, const btCollisionObject& b) const {
        return std::max((velocity(a, 0) - velocity(b, 0)).norm(), (velocity(a, legs()) - velocity(b, legs())).norm());
    }

    /// About how far the way of two bodies against each other leaves the straight line from start to end [m]: as that
    /// of a constant acceleration, and of what else has brought them there.
    double bend(const btCollisionObject& a, const btCollisionObject& b) const {
        const Eigen::Vector3d before = velocity(a, 0) - velocity(b, 0);
        const Eigen::Vector3d after = velocity(a, legs()) - velocity(b, legs());
        const Eigen::Vector3d mean = (displacement(a) - displacement(b)) / m_solved.h;
        return m_solved.h * ((after - before).norm() / 8 + (mean - (before + after) / 2).norm() / 2);
    }

    /// From one of the samples to the next. @param leg of legs()
    Approach approach(const btCollisionObject& object, std::size_t leg) const {
        Approach approach;
        approach.object = &object;
        approach.start = object.getWorldTransform();
        const std::optional<BodyState> from = state(leg, object);
        if (!from) return approach;
        const BodyState to = *state(leg + 1, object);
        const double h = length();
        approach.start = toBullet(*from);
        approach.velocity = toBullet(Eigen::Vector3d((to.position - from->position) / h));
        if (!isBall(*object.getCollisionShape())) {
            approach.spin = toBullet(Eigen::Vector3d(logarithm(to.orientation * from->orientation.conjugate()) / h));
        }
        return approach;
    }
    std::size_t legs() const { return std::max(m_inner.size(), m_treeInner.size()) + 1; }
    double length() const { return m_solved.h / static_cast<double>(legs()); }

    /// Looks at times within the tick too.
    void refine() {
        if (legs() > 1) return;
        for (int part = 1; part < kEvenParts; ++part) {
            const double t = m_solved.h * part / kEvenParts;
            if (m_solved.multi.isTree) {
                addTreeSample(solveTreeTick(m_solved.multi.trees, t, m_solved.settings));
            } else {
                m_inner.push_back(solveTick(m_solved.network, t, m_solved.settings).bodies);
            }
        }
    }

private:
    using LinkStates = std::vector<std::vector<BodyState>>;  // of each multibody

    void addTreeSample(const TreeTickResult& inside) {
        LinkStates& links = m_treeInner.emplace_back();
        for (std::size_t i = 0; i < m_solved.multi.bodies.size(); ++i) {
            const MovedMultiBody& moved = m_solved.multi.bodies[i];
            links.push_back(linkStates(*moved.body, stateOf(moved, inside.trees[i])));
        }
    }
    Eigen::Vector3d velocity(const btCollisionObject& object, std::size_t sample) const {
        const std::optional<BodyState> at = state(sample, object);
        return at ? at->velocity : Eigen::Vector3d::Zero();
    }
    Eigen::Vector3d displacement(const btCollisionObject& object) const {
        const std::optional<BodyState> from = state(0, object);
        if (!from) return Eigen::Vector3d::Zero();
        return state(legs(), object)->position - from->position;
    }
    /// Empty: it is none of the network.
    std::optional<BodyState> state(std::size_t sample, const btCollisionObject& object) const {
        int link = -1;
        if (const btMultiBody* body = multiBodyOf(object, link)) return stateOfLink(sample, *body, link);
        const btRigidBody* body = btRigidBody::upcast(&object);
        const int i = body != nullptr ? m_index.find(*body) : -1;
        if (i < 0) return std::nullopt;
        return bodyState(sample, static_cast<std::size_t>(i));
    }
    std::optional<BodyState> stateOfLink(std::size_t sample, const btMultiBody& body, int link) const {
        const std::vector<MovedMultiBody>& bodies = m_solved.multi.bodies;
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            if (bodies[i].body != &body) continue;
            if (m_solved.multi.isTree) return treeSample(sample)[i][static_cast<std::size_t>(link + 1)];
            const LinkPlace& place = bodies[i].place(link);
            BodyState carrier;
            if (place.body != kWorld) carrier = bodyState(sample, static_cast<std::size_t>(place.body));
            return carried(carrier, place);
        }
        return std::nullopt;
    }
    const LinkStates& treeSample(std::size_t sample) const {
        if (sample == 0) return m_treeStart;
        return sample <= m_treeInner.size() ? m_treeInner[sample - 1] : m_treeEnd;
    }
    const BodyState& bodyState(std::size_t sample, std::size_t body) const {
        if (sample == 0) return m_solved.network.bodies[body];
        return sample <= m_inner.size() ? m_inner[sample - 1][body] : m_solved.result.bodies[body];
    }

    SolvedNetwork& m_solved;
    BodyIndex m_index;
    std::vector<std::vector<BodyTick>> m_inner;
    LinkStates m_treeStart, m_treeEnd;
    std::vector<LinkStates> m_treeInner;
};

/// Where parts of a pair first meet.
std::vector<Touch> meetings(const MotionSamples& motion, const btPersistentManifold& pair) {
    const auto h = static_cast<btScalar>(motion.length());
    std::vector<Touch> touches;
    for (std::size_t leg = 0; leg < motion.legs() && touches.empty(); ++leg) {
        const Approach a = motion.approach(*pair.getBody0(), leg);
        const Approach b = motion.approach(*pair.getBody1(), leg);
        if (boxDistance(a, b) <= Approach::displacement(a, b, h)) touches = firstTouches(a, b, h);
    }
    return touches;
}

/// The way of a pair bends by more than was between its parts at one of the tick's ends.
bool mayHaveMet(const MotionSamples& motion, const btCollisionObject& a, const btCollisionObject& b) {
    const auto bend = static_cast<btScalar>(motion.bend(a, b));
    const Approach ofA = motion.approach(a, 0), ofB = motion.approach(b, 0);
    bool isNear = false;
    for (const btScalar t : {btScalar(0), static_cast<btScalar>(motion.length())}) {
        Touch touch;
        touch.poseA = ofA.at(t);
        touch.poseB = ofB.at(t);
        forEachShape(a, [&](const TouchingShape& shapeA, int) {
            forEachShape(b, [&](const TouchingShape& shapeB, int) {
                if (isNear || !maySweep(shapeA, shapeB)) return;
                touch.a = shapeA;
                touch.b = shapeB;
                if (!areBoxesWithin(touch, bend)) return;
                // How far a surface of triangles is is not searched.
                isNear = !mayBeSearched(shapeA, shapeB) || (findNearest(touch) && touch.distance < bend);
            });
        });
    }
    return isNear;
}

/// Whether the parts that touch have a point.
bool hasPointOf(std::span<const ContactPoint> points, const btCollisionObject& a, const btCollisionObject& b,
                const Touch& touch) {
    return std::any_of(points.begin(), points.end(), [&](const ContactPoint& point) {
        const bool isSame = point.bodyA == &a && point.bodyB == &b;
        return isSame ? point.childA == touch.childA && point.childB == touch.childB
                      : point.bodyA == &b && point.bodyB == &a && point.childA == touch.childB &&
                            point.childB == touch.childA;
    });
}

/// Each manifold of a compound stands for all of it.
void keepOnePerPair(std::vector<btPersistentManifold*>& manifolds) {
    auto end = manifolds.begin();
    for (btPersistentManifold* manifold : manifolds) {
        const bool isKnown = std::any_of(manifolds.begin(), end, [&](const btPersistentManifold* other) {
            return other->getBody0() == manifold->getBody0() && other->getBody1() == manifold->getBody1();
        });
        if (!isKnown) *end++ = manifold;
    }
    manifolds.erase(end, manifolds.end());
}

}  // namespace

std::vector<ContactPoint> missedContacts(SolvedNetwork& solved, const btContactSolverInfo& info) {
    std::vector<ContactPoint> points;
    if (solved.unwatched.empty()) return points;
    // Large networks in implicit ticks cost too much to be solved again: contacts give way there, and the next tick
    // finds them.
    if (solved.result.method == FlowMethod::Implicit && solved.bodies.size() > kMostFollowed) return points;
    keepOnePerPair(solved.unwatched);
    MotionSamples motion(solved);
    bool isBent = false;
    const auto isMet = [&](btPersistentManifold* pair) {
        const btCollisionObject& a = *pair->getBody0();
        const btCollisionObject& b = *pair->getBody1();
        if (!motion.isKnown(a) || !motion.isKnown(b)) return false;
        // Beyond the user's threshold there is no contact.
        const btScalar most = pair->getContactProcessingThreshold();
        if (boxDistance(motion.approach(a, 0), motion.approach(b, 0)) > most) return false;
        // What one part of a compound has struck may bring another one there, too.
        std::vector<Touch> touches = meetings(motion, *pair);
        const bool isAny = !touches.empty();
        std::erase_if(touches, [&](const Touch& touch) {
            return hasPointOf(solved.contacts, a, b, touch) || hasPointOf(points, a, b, touch);
        });
        const auto reach = static_cast<btScalar>(motion.speed(a, b) * solved.h);
        for (Touch& touch : touches) {
            for (const TouchPlace& place : placesOf(touch, reach)) addPoint(*pair, touch, place, info, points);
        }
        isBent = isBent || (!isAny && mayHaveMet(motion, a, b));
        return isAny && !isOfCompound(a, b);
    };
    std::erase_if(solved.unwatched, isMet);
    if (points.empty() && isBent) {
        motion.refine();
        std::erase_if(solved.unwatched, isMet);
    }
    // What has struck may fall on other corners within the tick.
    std::sort(points.begin(), points.end(), inOrder);
    FaceCorners().addTo(points, info);
    return points;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
