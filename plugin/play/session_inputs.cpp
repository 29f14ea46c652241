#include "session.h"

#include <elasto/errors.h>

#include <algorithm>
#include <set>
#include <stdexcept>

namespace elasto::play {
inline namespace ELASTO_BULLET_NAMESPACE {

namespace {

/// An edit of a parameter that can be taken back.
struct Step {
    int element = 0;
    std::string symbol;
    double before = 0;
    double after = 0;
};

/// What can be taken back and brought again after some inputs: all of it follows from them, so that it fits at any time
/// that one goes to.
struct UndoStacks {
    std::vector<Step> undo;
    std::vector<Step> redo;

    UndoStacks(const Inputs& inputs, long tick) {
        for (const Input& input : inputs) {
            const auto* edit = std::get_if<ParameterEdit>(&input.action);
            if (edit != nullptr && input.tick <= tick) take(*edit);
        }
    }

private:
    void take(const ParameterEdit& edit) {
        switch (edit.kind) {
            case ParameterEdit::Kind::Undo:
                if (undo.empty()) return;  // only in a recording that somebody else has made, as below
                redo.push_back(undo.back());
                undo.pop_back();
                return;
            case ParameterEdit::Kind::Redo:
                if (redo.empty()) return;
                undo.push_back(redo.back());
                redo.pop_back();
                return;
            case ParameterEdit::Kind::New:
                break;
        }
        redo.clear();
        const bool goesOn = edit.continues && !undo.empty() && undo.back().element == edit.element &&
                            undo.back().symbol == edit.parameter;
        if (goesOn) {
            undo.back().after = edit.value;
        } else {
            undo.push_back({edit.element, edit.parameter, edit.before, edit.value});
        }
    }
};

/// True if the new action takes the place of the last one within the same tick: what lies between was never seen by the
/// physics.
bool replaces(const Action& last, const Action& next) {
    if (last.index() != next.index()) return false;
    if (const auto* edit = std::get_if<ParameterEdit>(&next)) {
        const auto& old = std::get<ParameterEdit>(last);
        return edit->continues && old.kind == ParameterEdit::Kind::New && old.element == edit->element &&
               old.parameter == edit->parameter;
    }
    if (const auto* placing = std::get_if<JointPlacing>(&next)) {
        return std::get<JointPlacing>(last).joint == placing->joint;
    }
    if (const auto* target = std::get_if<JointTarget>(&next)) return std::get<JointTarget>(last).joint == target->joint;
    if (const auto* motor = std::get_if<MotorEdit>(&next)) return std::get<MotorEdit>(last).joint == motor->joint;
    return std::holds_alternative<DragMove>(next) || std::holds_alternative<TurnMove>(next) ||
           std::holds_alternative<IterationsEdit>(next) || std::holds_alternative<GravityEdit>(next);
}

std::size_t checked(int index, std::size_t count, const char* what) {
    if (index < 0 || static_cast<std::size_t>(index) >= count) {
        throw std::out_of_range(std::string("session: no ") + what + " " + std::to_string(index) + "; there are " +
                                std::to_string(count));
    }
    return static_cast<std::size_t>(index);
}

}  // namespace

/// The inputs that belong to the present tick, on the way through a recorded run.
void Session::applyDue() {
    auto input = std::lower_bound(m_inputs.begin(), m_inputs.end(), m_tick,
                                  [](const Input& one, long tick) { return one.tick < tick; });
    for (; input != m_inputs.end() && input->tick == m_tick; ++input) {
        try {
            act(input->action);
        } catch (const std::exception& error) {
            // Only in a recording that somebody else has made.
            m_refusedInput = ReplayDifference{m_tick, m_world->time(), "", refusalOf(input->action, error)};
            if (m_check && !m_check->difference) m_check->difference = m_refusedInput;
            continue;
        }
        m_controls.take(input->action);
    }
}

void Session::act(const Action& action) {
    perform(action, *m_world, m_scene.bodies.size());
    const bool movesEnergy = std::holds_alternative<ElementSwitch>(action) ||
                             std::holds_alternative<JointPlacing>(action) ||
                             std::holds_alternative<JointTarget>(action) || std::holds_alternative<JointsHold>(action);
    if (movesEnergy) m_history->noteSwitch(m_tick);
}

/// Something new happens now.
void Session::put(Action action) {
    act(action);
    m_controls.take(action);
    branch();
    append(std::move(action));
    m_trouble.reset();
    m_sample = playedSample(*m_world);
}

void Session::append(Action action) {
    if (!m_inputs.empty() && m_inputs.back().tick == m_tick && replaces(m_inputs.back().action, action)) {
        if (auto* edit = std::get_if<ParameterEdit>(&action)) {
            const auto& old = std::get<ParameterEdit>(m_inputs.back().action);
            edit->before = old.before;
            edit->continues = old.continues;
        }
        m_inputs.back().action = std::move(action);
        return;
    }
    m_inputs.push_back({m_tick, std::move(action)});
}

/// In the past: what was recorded after the present tick becomes a ghost.
void Session::branch() {
    if (isAtEnd()) return;
    leave(m_tick);
    std::erase_if(m_inputs, [this](const Input& input) { return input.tick > m_tick; });
    m_marks.resize(static_cast<std::size_t>(m_tick) + 1);
}

/// What the run was after a tick becomes a ghost; nothing of it counts any more. Inputs and marks stay to be cut.
void Session::leave(long fork) {
    Ghost ghost{m_nextGhost++, fork, m_history->cutAfter(fork), m_inputs, m_marks, m_run};
    if (lastTick() > fork) m_ghosts.push_back(std::move(ghost));
    m_run = static_cast<int>(m_forks.size());
    m_forks.push_back(fork);
    m_snapshots.dropAfter(fork);
    for (std::vector<long>& ticks : m_contacts) {
        ticks.erase(std::upper_bound(ticks.begin(), ticks.end(), fork), ticks.end());
    }
    if (m_firstForeign > fork) m_firstForeign = -1;
    if (m_check) m_check->ticks = std::min(m_check->ticks, fork);
}

void Session::takeUp(int id) {
    const auto found =
        std::find_if(m_ghosts.begin(), m_ghosts.end(), [id](const Ghost& ghost) { return ghost.id == id; });
    if (found == m_ghosts.end()) throw std::out_of_range("session: no ghost " + std::to_string(id));
    Ghost taken = std::move(*found);
    m_ghosts.erase(found);
    const long fork = *std::min_element(m_forks.begin() + taken.run + 1, m_forks.end());
    leave(fork);
    m_inputs = std::move(taken.inputs);
    m_marks = std::move(taken.marks);
    m_trouble.reset();
    // Its ticks after the fork are run again: with its inputs they have its bits.
    const long tick = std::min(m_tick, lastTick());
    startFrom(m_snapshots.latest(std::min(fork, tick)).value_or(0));
    goTo(tick);
}

void Session::dismissGhost(int id) {
    std::erase_if(m_ghosts, [id](const Ghost& ghost) { return ghost.id == id; });
}

// --- Dragging and throwing ---

void Session::beginDrag(int body, const Eigen::Vector3d& point, const Eigen::Vector3d& target) {
    const Movable dragged(*m_world, checked(body, bodies(), "body"));
    if (!dragged.isMovedByForces()) {
        throw InvalidParameter("drag", "body '" + dragged.name() + "' is not moved by forces");
    }
    const DragConstants constants = dragConstants(dragged, point);
    put(DragBegin{body, point, target, constants.c, constants.d});
}

void Session::moveDrag(const Eigen::Vector3d& target) {
    if (m_controls.drag && m_controls.drag->target != target) put(DragMove{target});
}

void Session::endDrag() {
    if (m_controls.drag) put(DragEnd{});
}

std::optional<DragView> Session::drag() const {
    if (!m_controls.drag) return std::nullopt;
    const DragBegin& drag = *m_controls.drag;
    const Movable body(*m_world, static_cast<std::size_t>(drag.body));
    return DragView{drag.body, body.toWorld(drag.point), drag.target, dragForce(drag, body, tickLength())};
}

void Session::beginTurn(int body) {
    const Movable turned(*m_world, checked(body, bodies(), "body"));
    const DragConstants constants = turnConstants(turned);
    const Eigen::Quaterniond orientation = m_sample.bodies[static_cast<std::size_t>(body)].orientation;
    put(TurnBegin{body, orientation, constants.c, constants.d});
}

void Session::moveTurn(const Eigen::Quaterniond& orientation) {
    if (m_controls.turn) put(TurnMove{orientation.normalized()});
}

void Session::endTurn() {
    if (m_controls.turn) put(TurnEnd{});
}

void Session::throwBall(const Eigen::Vector3d& position, const Eigen::Vector3d& velocity) {
    if (m_balls == 0) throw InvalidParameter("throw", "there are no balls in this session");
    std::size_t thrown = 0;
    for (const Input& input : m_inputs) {
        if (input.tick <= m_tick && std::holds_alternative<Throw>(input.action)) ++thrown;
    }
    put(Throw{static_cast<int>(thrown % m_balls), position, velocity});
}

// --- Parameters ---

std::string Session::bodyName(int body) const {
    return Movable(*m_world, checked(body, bodies(), "body")).name();
}

bool Session::isMovedByForces(int body) const {
    return Movable(*m_world, checked(body, bodies(), "body")).isMovedByForces();
}

const Law& Session::law(int element) const {
    return ElementHandle(*m_world, checked(element, m_elements.size(), "element")).law();
}

bool Session::isEnabled(int element) const {
    return ElementHandle(*m_world, checked(element, m_elements.size(), "element")).isEnabled();
}

double Session::parameter(int element, const std::string& symbol) const {
    return parameterOf(law(element), symbol);
}

double Session::startParameter(int element, const std::string& symbol) const {
    return parameterOf(m_elements[checked(element, m_elements.size(), "element")].law, symbol);
}

void Session::setParameter(int element, const std::string& symbol, double value, bool continues) {
    const double before = parameter(element, symbol);
    if (value == before) return;
    put(ParameterEdit{element, symbol, value, before, continues, ParameterEdit::Kind::New});
    ++m_edits;
}

void Session::resetParameter(int element, const std::string& symbol) {
    setParameter(element, symbol, startParameter(element, symbol));
}

std::size_t Session::undoDepth() const {
    return UndoStacks(m_inputs, m_tick).undo.size();
}

bool Session::canRedo() const {
    return !UndoStacks(m_inputs, m_tick).redo.empty();
}

void Session::undo() {
    const UndoStacks stacks(m_inputs, m_tick);
    if (stacks.undo.empty()) return;
    const Step& step = stacks.undo.back();
    put(ParameterEdit{step.element, step.symbol, step.before, step.after, false, ParameterEdit::Kind::Undo});
}

void Session::redo() {
    const UndoStacks stacks(m_inputs, m_tick);
    if (stacks.redo.empty()) return;
    const Step& step = stacks.redo.back();
    put(ParameterEdit{step.element, step.symbol, step.after, step.before, false, ParameterEdit::Kind::Redo});
}

void Session::setEnabled(int element, bool enabled) {
    if (isEnabled(element) == enabled) return;
    put(ElementSwitch{element, enabled});
}

void Session::setMotor(int joint, double velocity, double maxForce) {
    checked(joint, m_world->joints(), "joint");
    put(MotorEdit{joint, velocity, maxForce});
}

SceneMotor Session::motor(int joint) const {
    SceneMotor now = m_scene.joints.at(static_cast<std::size_t>(joint)).motor.value();
    for (const Input& input : m_inputs) {
        if (input.tick > m_tick) break;
        const auto* edit = std::get_if<MotorEdit>(&input.action);
        if (edit != nullptr && edit->joint == joint) now = {.velocity = edit->velocity, .maxForce = edit->maxForce};
    }
    return now;
}

JointSample Session::joint(int joint) const {
    return sampleOf(m_joints[checked(joint, m_joints.size(), "joint")], *m_world);
}

double Session::startOfJoint(int joint) const {
    const PlayedJoint& played = m_joints[checked(joint, m_joints.size(), "joint")];
    const Robot& robot = robotsOf(*m_world)[static_cast<std::size_t>(played.robot)]->robot();
    return robot.start().q[static_cast<std::size_t>(played.joint)];
}

void Session::placeJoint(int joint, double q) {
    const PlayedJoint& placed = m_joints[checked(joint, m_joints.size(), "joint")];
    const bool isHeld = robotsOf(*m_world)[static_cast<std::size_t>(placed.robot)]->heldJoint(placed.joint) != nullptr;
    put(JointPlacing{joint, q, isHeld || placed.servo == RobotServo::Mode::Position});
}

void Session::setTarget(int joint, std::optional<double> target) {
    const PlayedJoint& driven = m_joints[checked(joint, m_joints.size(), "joint")];
    if (!target && !driven.servo) {
        // Of holds that followed one another, as other robots were held, too, the first.
        for (auto input = m_inputs.rbegin(); input != m_inputs.rend(); ++input) {
            const auto* hold = std::get_if<JointsHold>(&input->action);
            if (hold == nullptr || input->tick > m_tick) continue;
            const auto place = static_cast<std::size_t>(joint);
            if (hold->joints.empty() || !(hold->joints[place].c > 0)) break;
            target = hold->joints[place].target;
        }
    }
    put(JointTarget{joint, target});
}

bool Session::canHoldJoints() const {
    return std::any_of(m_joints.begin(), m_joints.end(), [](const PlayedJoint& joint) { return joint.canBeHeld; });
}

bool Session::areJointsHeld(int robot) const {
    for (std::size_t k = 0; k < m_controls.held.size(); ++k) {
        if (m_joints[k].robot == robot && m_controls.held[k].c > 0) return true;
    }
    return false;
}

void Session::holdJoints(bool isHeld, std::optional<int> robot) {
    const std::vector<RobotGuest*> robots = robotsOf(*m_world);
    if (robot) checked(*robot, robots.size(), "robot");
    JointsHold hold{m_controls.held};
    hold.joints.resize(m_joints.size());
    bool isChanged = false;
    for (int i = 0; i < static_cast<int>(robots.size()); ++i) {
        const RobotGuest& one = *robots[static_cast<std::size_t>(i)];
        if ((robot && *robot != i) || !one.canBeHeld() || areJointsHeld(i) == isHeld) continue;
        const std::vector<HeldJoint> own = JointHold::holding(one.robot(), tickLength());
        for (std::size_t k = 0; k < m_joints.size(); ++k) {
            if (m_joints[k].robot != i) continue;
            hold.joints[k] = isHeld ? own[static_cast<std::size_t>(m_joints[k].joint)] : HeldJoint();
        }
        isChanged = true;
    }
    if (!isChanged) return;
    const auto isFree = [](const HeldJoint& joint) { return !(joint.c > 0); };
    if (std::all_of(hold.joints.begin(), hold.joints.end(), isFree)) hold.joints.clear();
    put(std::move(hold));
}

Scene Session::editedScene() const {
    Scene scene = m_scene;
    scene.rate = rate();
    scene.solverIterations = m_controls.iterations;
    scene.gravity = m_controls.gravity;
    for (std::size_t i = 0; i < scene.elements.size(); ++i) scene.elements[i].law = law(static_cast<int>(i));
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
        if (scene.joints[i].motor) scene.joints[i].motor = motor(static_cast<int>(i));
    }
    return scene;
}

Scene Session::presentScene() const {
    Scene scene = editedScene();
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
        SceneBody& body = scene.bodies[i];
        const BodyState& now = m_sample.bodies[i];
        body.orientation = now.orientation;
        body.position = now.position - now.orientation * body.centreOfMass;
        if (body.motion == BodyMotion::Kinematic) body.motion = BodyMotion::Fixed;
    }
    return scene;
}

void Session::setIterations(int iterations) {
    if (iterations != m_controls.iterations) put(IterationsEdit{iterations});
}

void Session::setGravity(const Eigen::Vector3d& gravity) {
    if (gravity != m_controls.gravity) put(GravityEdit{gravity});
}

/// Whether a run that starts again would do what is recorded.
bool Session::hasStandingInputsAlone() const {
    const auto stands = [](const Input& input) {
        const Action& action = input.action;
        return input.tick == 0 &&
               (std::holds_alternative<ParameterEdit>(action) || std::holds_alternative<ElementSwitch>(action) ||
                std::holds_alternative<MotorEdit>(action) || std::holds_alternative<IterationsEdit>(action) ||
                std::holds_alternative<GravityEdit>(action) || std::holds_alternative<JointsHold>(action) ||
                std::holds_alternative<JointTarget>(action));
    };
    return std::all_of(m_inputs.begin(), m_inputs.end(), stands);
}

/// What stays in force when the run starts again: the present values, as inputs before the first tick.
Inputs Session::standingInputs() const {
    Inputs standing;
    for (std::size_t i = 0; i < m_elements.size(); ++i) {
        const auto element = static_cast<int>(i);
        for (const Parameter& p : parametersOf(m_elements[i])) {
            const double before = startParameter(element, p.symbol);
            const double now = parameter(element, p.symbol);
            if (now != before) {
                standing.push_back({0, ParameterEdit{element, p.symbol, now, before, false, ParameterEdit::Kind::New}});
            }
        }
        if (!isEnabled(element)) standing.push_back({0, ElementSwitch{element, false}});
    }
    std::set<int> motors;
    for (auto input = m_inputs.rbegin(); input != m_inputs.rend(); ++input) {
        const auto* motor = std::get_if<MotorEdit>(&input->action);
        if (motor != nullptr && input->tick <= m_tick && motors.insert(motor->joint).second) {
            standing.push_back({0, *motor});
        }
    }
    if (m_controls.iterations != m_scene.solverIterations) {
        standing.push_back({0, IterationsEdit{m_controls.iterations}});
    }
    if (m_controls.gravity != m_scene.gravity) standing.push_back({0, GravityEdit{m_controls.gravity}});
    if (areJointsHeld()) standing.push_back({0, JointsHold{m_controls.held}});
    for (const auto& [joint, target] : m_controls.targets) standing.push_back({0, JointTarget{joint, target}});
    return standing;
}

}  // namespace ELASTO_BULLET_NAMESPACE
}  // namespace elasto::play
