#pragma once
/// @file reference_run.h
/// The oracle of a scene at the ticks of a session, computed beside it.

#include "history.h"

#include <elasto/scene/description.h>

#include <memory>
#include <string>
#include <vector>

namespace elasto::play {

inline namespace ELASTO_BULLET_NAMESPACE {

class Session;

/// CVODE's solution of the scene as it is at the session's start, without drags, balls and later edits. It is computed
/// in a thread of its own and read as far as it has come; what is read does not depend on when. Collisions of shapes
/// and limits of joints are not part of it: see comparableRun().
class ReferenceRun {
public:
    /// Starts with the scene that the session's run began with (edits at its first tick are in it).
    explicit ReferenceRun(const Session& session);
    ~ReferenceRun();  ///< does not wait: the thread ends by itself after the piece that it is solving
    ReferenceRun(const ReferenceRun&) = delete;
    ReferenceRun& operator=(const ReferenceRun&) = delete;

    /// False once the session's start has other inputs, or another rate: then a new one is needed.
    bool fits(const Session& session) const;
    /// Solves at least up to a tick, in the background.
    void request(long tick);
    /// Waits until all that was requested is there. @return false if the reference failed
    bool wait();
    /// Rows 0 .. the tick that is reached; null: none yet. It stays valid and unchanged.
    std::shared_ptr<const History> history() const;
    /// Why there is none, or no more: "" if all is well.
    std::string failure() const;

private:
    struct Shared;

    static void work(const std::shared_ptr<Shared>& shared, const Scene& scene, double rate);

    std::string m_key;  ///< says what the session started from
    std::shared_ptr<Shared> m_shared;
};

/// The scene that the session's run began with: with the edits of parameters, motors and gravity and the switches that
/// were made at its first tick. An element that was switched off there has a law without force.
Scene sceneAtStart(const Session& session);
/// How long the session does what its reference does.
struct ComparableRun {
    /// What the reference does not know of.
    enum class End {
        None,     ///< nothing: up to the last tick
        Edit,     ///< of a parameter, a motor, gravity, a switch: the run's start has the old numbers
        Pull,     ///< of a body by hand
        Contact,  ///< shapes touch, or a joint reaches a limit
    };
    long last = 0;  ///< tick at which it ends
    End end = End::None;
};
ComparableRun comparableRun(const Session& session);

/// How far a run is from the reference.
struct RunError {
    double nrmse = 0;    ///< [-]; infinite: it broke off
    std::string signal;  ///< which one that is, e.g. "gap.s_rel"; "" without elements
};
/// NRMSE (elasto/reference/nrmse.h) over the ticks 0 .. last, as far as both have rows: that of the element whose s
/// (s_rel, phi_rel) is farthest off.
RunError errorOf(const Scene& scene, const History& run, const History& reference, long last);

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
