#pragma once
/// @file check.h
/// Finds what is wrong in a world before the first tick.

#include <elasto/export.h>
#include <elasto/precision.h>

#include <string>
#include <vector>

class btDynamicsWorld;

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

class ForceElement;

/// Something that check() found.
struct Problem {
    /// What may be wrong, and whether that is an error.
    enum class Kind {
        NoPlugin,             ///< error: elements, but no elasto::Plugin
        ForeignSolver,        ///< error: a solver that no Plugin can take over
        BodyNotInWorld,       ///< error: an element's body is in no world, or in another one
        ImmovablePair,        ///< error: both bodies of an element are static or kinematic
        AddedTwice,           ///< error: an element is in the world twice
        DeepInStop,           ///< warning: a stop begins so deep that it throws its bodies apart (5 m/s, 50 rad/s)
        LimitsBesideStop,     ///< warning: a hinge or slider beside a stop has limits of its own
        BodyDamping,          ///< warning: Bullet damps a body more than the element does
        QuadraticIslandScan,  ///< warning: so many constraints that Bullet's search for islands dominates
        BatchedOrder,         ///< warning: a solver mode that lets elements change other islands' rounding
        ContactsOrJoints,     ///< warning: a body has joints or contacts of a kind that makes the element uncoupled
        MultiBodies,          ///< warning: the world has btMultiBody; a ForceElement acts on rigid bodies only
        MultiBodyRefused,     ///< error: a btMultiBody that elements cannot move; warning: not in contact
    };
    Kind kind;            ///< for programs; `message` is for people
    bool isError;         ///< errors: the element cannot work; warnings: it works, less well than it could
    std::string message;  ///< names the element or body, says what to do
    /// The element that it is about, where that is one between rigid bodies which begins; else null.
    const ForceElement* element = nullptr;
};

/// What is wrong in this world, in the order errors, warnings. Changes nothing. Empty: all is well.
///
/// AddedTwice, DeepInStop and LimitsBesideStop are also said by the Plugin, once for each element as its first tick
/// begins (Plugin::setMessageHandler); with BodyNotInWorld that tick throws std::logic_error.
ELASTO_API std::vector<Problem> check(const btDynamicsWorld& world);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
