#include "judge.h"

#include <elasto/errors.h>
#include <elasto/reference/reference.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "compare.h"
#include "run_scene.h"
#include "scene_facts.h"

namespace elasto::differential {

namespace {

constexpr std::size_t kMostJoints = 8;
/// Far below what is called wrong. More joints cost CVODE minutes: its matrices of a mechanism are dense. What needs
/// more steps than these is compared with finer ticks.
ReferenceOptions quickReference(const Scene& scene) {
    const auto size = static_cast<long>(1 + scene.joints.size());
    ReferenceOptions options;
    options.rtol = 1e-11;
    options.rtolStiff = 1e-10;
    options.maxSteps = 300'000 / (size * size);
    return options;
}

/// What CVODE solves as it is: it leaves out shapes and limits, and a motor holds its speed there whatever that takes
/// between two times that are asked for.
bool isForOracle(const Scene& scene) {
    constexpr double kStrongEnough = 1e5;
    if (canTouch(scene) || scene.joints.size() > kMostJoints) return false;
    return std::none_of(scene.joints.begin(), scene.joints.end(), [](const SceneJoint& joint) {
        return joint.limits || (joint.motor && joint.motor->maxForce < kStrongEnough);
    });
}

/// The scene with a push of kDisturbance on the last body that moves, in a way that joints allow: a force and a torque
/// for a while, not a jump against them.
Scene disturbed(Scene scene, double by) {
    constexpr double kWhile = 1. / 60;
    for (std::size_t i = scene.bodies.size(); i-- > 0;) {
        const SceneBody& body = scene.bodies[i];
        if (body.motion != BodyMotion::Dynamic) continue;
        SceneLoad load;
        load.type = TimeCourse::Type::Constant;
        load.endTime = kWhile;
        load.body = static_cast<int>(i);
        load.name = "disturbance";
        load.vector = Eigen::Vector3d(0.8, 0.48, 0.36) * (by * body.mass / kWhile);
        scene.loads.push_back(load);
        load.name = "twist";
        load.quantity = SceneLoad::Quantity::Torque;
        load.vector = Eigen::Vector3d(0.48, 0.36, 0.8) * (by * body.inertia.minCoeff() / kWhile);
        scene.loads.push_back(load);
        break;
    }
    return scene;
}

/// Runs of one scene that are compared with each other.
class Case {
public:
    explicit Case(const Scene& scene)
        : m_scene(scene),
          m_signals(judgedSignals(scene)),
          m_bounds(boundsHere()),
          m_bound(canTouch(scene) ? m_bounds.apartTouching : m_bounds.apart) {}

    double bound() const { return m_bound; }

    Run run(const Scene& scene, double rate, int every, const Asked& asked = {}) const {
        return runScene(scene, rate, every, m_signals, m_bounds, asked);
    }
    Difference difference(const Trajectory& reference, const Run& run) const {
        return compare(reference, run.rows, run);
    }
    Difference compare(const Trajectory& reference, const Trajectory& rows, const Run& of) const {
        return differenceOf(m_scene, reference, rows, m_signals, m_bounds, m_bound, of.energyInPlay);
    }
    /// CVODE's solution at these times, where it has one.
    std::optional<Trajectory> oracle(const Scene& scene, const std::vector<double>& times) {
        if (!isForOracle(scene)) return std::nullopt;
        try {
            return solveReference(scene, times, quickReference(scene));
        } catch (const std::exception&) {  // what it does not solve, or not in so many steps
            return std::nullopt;
        }
    }

private:
    const Scene& m_scene;
    std::vector<Signal> m_signals;
    Bounds m_bounds;
    double m_bound;
};

int timesFiner(double rate) {
    return std::max(2, static_cast<int>(std::lround(kFineRate / rate)));
}

std::string inWords(const Difference& difference) {
    return fmt::format(
        "{} is off by {:.3g} ({:.3g} % of its range); first beyond the bound at {:.6g} s: {} = {:.9g} "
        "instead of {:.9g}",
        difference.signal, difference.error, 100 * difference.share, difference.firstTime, difference.firstSignal,
        difference.actual, difference.expected);
}

/// What it is compared with, and whether that can be trusted.
struct Reference {
    std::string name;
    Trajectory rows;
    bool isChaotic = false;
    std::string doubt;                       ///< the undisturbed one is alone: it is the one that is wrong
    std::vector<std::string> messages = {};  ///< that it gave
};

Reference fineReference(const Case& looked, const Scene& scene, double rate) {
    const int finer = timesFiner(rate);
    Run run = looked.run(scene, finer * rate, finer);
    return {fmt::format("{:.0f} Hz", finer * rate), std::move(run.rows), false, {}, std::move(run.messages)};
}

/// Whether what is disturbed goes elsewhere. Two that were disturbed and agree tell of a third that it is wrong.
void questionFine(const Case& looked, const Scene& scene, const Run& run, Reference& reference) {
    const double rate = scene.rate;
    const int finer = timesFiner(rate);
    const Run more = looked.run(disturbed(scene, kDisturbance), finer * rate, finer);
    const bool agrees = looked.compare(reference.rows, more.rows, run).share <= looked.bound();
    if (agrees) return;
    const Run less = looked.run(disturbed(scene, -kDisturbance), finer * rate, finer);
    if (looked.compare(reference.rows, less.rows, run).share <= looked.bound()) return;
    if (looked.compare(more.rows, less.rows, run).share <= looked.bound()) {
        reference.doubt = fmt::format("the run at {:.0f} Hz is off by {:.3g} % from two that were disturbed and agree",
                                      finer * rate, 100 * looked.compare(more.rows, reference.rows, run).share);
        reference.rows = more.rows;
        return;
    }
    reference.isChaotic = true;
}

void questionOracle(Case& looked, const Scene& scene, const Run& run, Reference& reference) {
    const auto other = looked.oracle(disturbed(scene, kDisturbance), run.rows.time);
    reference.isChaotic = other && !(looked.compare(reference.rows, *other, run).share <= looked.bound());
}

/// Share at 60 Hz; < 0 where it does not end.
double shareAt60(Case& looked, const Scene& scene) {
    constexpr double kCoarse = 60;
    const Run run = looked.run(scene, kCoarse, 1);
    if (!run.refusal.empty()) return -1;
    std::optional<Trajectory> rows = looked.oracle(scene, run.rows.time);
    if (!rows) rows = fineReference(looked, scene, kCoarse).rows;
    return looked.difference(*rows, run).share;
}

}  // namespace

Judgement judge(const Scene& scene, const JudgeOptions& options) {
    Case looked(scene);
    Judgement judgement;
    const Run run = looked.run(scene, scene.rate, 1, options.asked);
    const auto say = [&](const std::vector<std::string>& messages, const std::string& text) {
        judgement.verdict = messages.empty() ? Verdict::Silent : Verdict::Announced;
        judgement.text = text;
        if (!run.counts.empty()) judgement.text += "\n    counted: " + run.counts;
        for (const std::string& message : messages) judgement.text += "\n    announced: " + message;
    };
    if (!run.refusal.empty()) {
        judgement.judge = judgement.signal = "refused";
        judgement.firstTime = run.rows.time.empty() ? 0 : run.rows.time.back();
        judgement.text = run.refusal;
        judgement.verdict = Verdict::Broken;
        return judgement;
    }
    judgement.inexactTicks = run.inexactTicks;
    judgement.estimates = estimatesOf(run.kept);
    Reference reference{"CVODE", {}, false, {}, {}};
    std::optional<Trajectory> oracle;
    if (!run.hasMotorGivenWay) oracle = looked.oracle(scene, run.rows.time);
    if (oracle) {
        reference.rows = std::move(*oracle);
    } else {
        reference = fineReference(looked, scene, scene.rate);
    }
    if (reference.rows.time.size() != run.rows.time.size()) {
        judgement.verdict = Verdict::Broken;
        judgement.judge = judgement.signal = reference.name;
        judgement.text = "the run that it is compared with ended early";
        return judgement;
    }
    Difference difference = looked.difference(reference.rows, run);
    judgement.judge = reference.name;
    judgement.share = difference.share;
    judgement.place = difference.place;
    judgement.signal = difference.signal;
    std::vector<Breach> breaches = run.breaches;
    if (difference.share <= looked.bound() && !run.hasFailed) {
        // What has handed on all that it had stands still elsewhere too.
        std::erase_if(breaches, [](const Breach& breach) { return breach.what == kStandsStill; });
    }
    if (!breaches.empty()) {
        const Breach& worst = *std::max_element(breaches.begin(), breaches.end(), [](const Breach& x, const Breach& y) {
            return x.share / (x.bound + 1e-300) < y.share / (y.bound + 1e-300);
        });
        judgement.judge = judgement.signal = worst.what;
        judgement.firstTime = worst.time;
        std::string text;
        for (const Breach& breach : breaches) {
            text += fmt::format("{}{}: {:.3g} instead of at most {:.3g}, first at {:.6g} s",
                                text.empty() ? "" : "\n    ", breach.what, breach.share, breach.bound, breach.time);
        }
        text += fmt::format("\n    against {}: {:.3g} %", reference.name, 100 * difference.share);
        say(run.messages, text);
        return judgement;
    }
    if (difference.share > looked.bound()) {
        if (!oracle && !options.asksIfAnnouncedIsChaotic && !run.messages.empty() && !reference.messages.empty()) {
            judgement.firstTime = difference.firstTime;
            say(run.messages, inWords(difference));
            return judgement;
        }
        if (oracle) {
            questionOracle(looked, scene, run, reference);
        } else {
            questionFine(looked, scene, run, reference);
        }
        if (reference.isChaotic) {
            judgement.verdict = Verdict::Chaotic;
            return judgement;
        }
        std::string text = inWords(difference);
        bool isFineWrong = false;
        if (!reference.doubt.empty()) {
            difference = looked.difference(reference.rows, run);
            isFineWrong = difference.share <= looked.bound();
            text =
                difference.share > looked.bound() ? inWords(difference) + "\n    " + reference.doubt : reference.doubt;
        }
        if (oracle) {
            const int finer = timesFiner(scene.rate);
            const Run fine = looked.run(scene, finer * scene.rate, finer);
            if (fine.refusal.empty()) {
                text += fmt::format("\n    at {:.0f} Hz: {:.3g} %", finer * scene.rate,
                                    100 * looked.difference(reference.rows, fine).share);
            }
        }
        judgement.firstTime = difference.firstTime;
        say(isFineWrong ? reference.messages : run.messages, text);
    }
    if (options.comparesRates && scene.rate > 60) judgement.coarse = shareAt60(looked, scene);
    return judgement;
}

const char* nameOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Right:
            return "right";
        case Verdict::Chaotic:
            return "chaotic";
        case Verdict::Announced:
            return "wrong, announced";
        case Verdict::Silent:
            return "wrong in silence";
        case Verdict::Broken:
            return "broken";
    }
    return "";
}

}  // namespace elasto::differential
