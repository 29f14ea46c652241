#include <elasto/grade.h>

#include <algorithm>

namespace elasto {

const char* nameOf(Grade grade) {
    switch (grade) {
        case Grade::Exact:
            return "exact";
        case Grade::Approximate:
            return "approximate";
        case Grade::Failed:
            return "failed";
    }
    return "";
}

const char* textOf(GradeCause cause) {
    switch (cause) {
        case GradeCause::None:
            return "";
        case GradeCause::Asked:
            return "the implicit step was asked for";
        case GradeCause::Budget:
            return "the exact method did not come through, and the implicit step solved it";
        case GradeCause::Turning:
            return "what touches turned further than could be followed";
        case GradeCause::Unbalanced:
            return "energy, momentum or joints do not close";
        case GradeCause::FirstOrder:
            return "only steps of first order could be trusted, and rebounds lose energy";
        case GradeCause::Audit:
            return "its two halves end elsewhere";
        case GradeCause::Overlap:
            return "bodies were found inside each other and were moved apart";
        case GradeCause::CutBack:
            return "continuous collision detection stopped the network inside the tick";
        case GradeCause::Uncoupled:
            return "Bullet solved its joints or contacts apart from the elements";
        case GradeCause::Untrusted:
            return "no steps could be trusted, and what moves lost its inner motion";
    }
    return "";
}

const char* remedyOf(GradeCause cause) {
    switch (cause) {
        case GradeCause::None:
            return "";
        case GradeCause::Asked:
            return "Accuracy::Exact makes more of it exact";
        case GradeCause::Budget:
        case GradeCause::Turning:
        case GradeCause::Unbalanced:
        case GradeCause::Audit:
            return "more ticks per second help, and a larger budget may";
        case GradeCause::FirstOrder:
        case GradeCause::Untrusted:
            return "more ticks per second or softer elements help";
        case GradeCause::Overlap:
            return "bodies that start apart and more ticks per second help";
        case GradeCause::CutBack:
            return "no CCD threshold for bodies of networks, or more ticks per second, help";
        case GradeCause::Uncoupled:
            return "joints and shapes that the solution knows help";
    }
    return "";
}

TickGrade& TickGrade::operator+=(const TickGrade& other) {
    grade = std::max(grade, other.grade);
    cause = std::max(cause, other.cause);
    error = std::max(error, other.error);
    return *this;
}

TickGrade TickGrade::of(GradeCause cause) {
    return {cause == GradeCause::Untrusted ? Grade::Failed : Grade::Approximate, cause, 0};
}

}  // namespace elasto
