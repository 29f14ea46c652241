#pragma once
// What the program's own functions of time answered in a tick. Loads and strengths of friction are such functions: a
// replay has the answers in the place of the program.

#include <elasto/errors.h>
#include <elasto/flow_load.h>
#include <elasto/joint_load.h>
#include <elasto/load.h>
#include <elasto/precision.h>

#include <functional>
#include <utility>
#include <vector>

namespace elasto {
inline namespace ELASTO_BULLET_NAMESPACE {

/// Numbers in the order in which they were asked for.
struct CallTape {
    std::vector<double> answers;
    std::size_t next = 0;  ///< of those that are given again
    bool isOn = true;      ///< answers are noted

    double note(double answer) {
        if (isOn) answers.push_back(answer);
        return answer;
    }
    /// @throws InvalidParameter where more is asked for than was then
    double again() {
        if (next >= answers.size()) {
            throw InvalidParameter("recording", "a load is asked more often than in the recorded tick");
        }
        return answers[next++];
    }
};

/// The load, with all that it answers noted. Both it and the tape must outlive what is returned.
inline Load noting(const Load& load, CallTape& tape) {
    Load noted(
        load.body(), load.kind(),
        [&load, &tape](double t) {
            const btVector3 value = load.value(t);
            for (int i = 0; i < 3; ++i) tape.note(static_cast<double>(value[i]));
            return value;
        },
        [&load, &tape](double t) { return tape.note(load.nextBreak(t)); });
    if (load.point().length2() > 0) noted = noted.at(load.point());
    return noted.resolvedIn(load.axes());
}

inline JointLoad noting(const JointLoad& load, CallTape& tape) {
    return JointLoad(
        load.body(), load.link(), [&load, &tape](double t) { return tape.note(load.value(t)); },
        [&load, &tape](double t) { return tape.note(load.nextBreak(t)); });
}

/// A load that answers as was noted.
inline Load playing(btRigidBody& body, Load::Kind kind, CallTape& tape) {
    return Load(
        body, kind,
        [&tape](double) {
            const auto x = static_cast<btScalar>(tape.again());
            const auto y = static_cast<btScalar>(tape.again());
            return btVector3(x, y, static_cast<btScalar>(tape.again()));
        },
        [&tape](double) { return tape.again(); });
}

inline JointLoad playing(btMultiBody& body, int link, CallTape& tape) {
    return JointLoad(
        body, link, [&tape](double) { return tape.again(); }, [&tape](double) { return tape.again(); });
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto
