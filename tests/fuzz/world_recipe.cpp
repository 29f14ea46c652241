#include "world_recipe.h"

#include "../flow/random_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace elasto::fuzz {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using elasto::test::RandomNumbers;

namespace {

Vector3d randomVector(RandomNumbers& random, double size) {
    const double x = random.uniform(-size, size);
    const double y = random.uniform(-size, size);
    return {x, y, random.uniform(-size, size)};
}

Quaterniond randomTurn(RandomNumbers& random) {
    const Quaterniond q(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    return q.normalized();
}

/// Half of all frames stand along the world's axes, as those of people's scenes do.
Quaterniond randomFrame(RandomNumbers& random) {
    return random.chance(0.5) ? Quaterniond::Identity() : randomTurn(random);
}

Vector3d randomLocks(RandomNumbers& random) {
    Vector3d factor;
    for (double& value : factor) value = random.chance(0.5) ? 0 : 1;
    return factor;
}

BodyRecipe randomBody(RandomNumbers& random, const WorldMix& mix, int index) {
    BodyRecipe body;
    body.shape = static_cast<BodyShape>(random.below(kBodyShapes));
    body.size = random.uniform(0.05, 0.3);
    body.mass = random.logarithmic(-2, 3);
    body.isKinematic = mix.kinematic && random.chance(0.08);
    body.position = Vector3d(0.7 * index, 1.5, 0) + randomVector(random, 0.3);
    body.orientation = randomFrame(random);
    body.velocity = randomVector(random, random.logarithmic(-1, 1));
    body.angularVelocity = randomVector(random, random.logarithmic(-1, 1.3));
    if (mix.lockedAxes && random.chance(0.25)) {
        if (random.chance(0.7)) body.angularFactor = random.chance(0.5) ? Vector3d::Zero() : randomLocks(random);
        if (random.chance(0.3)) body.linearFactor = random.chance(0.3) ? Vector3d::Zero() : randomLocks(random);
    }
    return body;
}

/// Another body, or the world.
int randomOther(RandomNumbers& random, int bodies, int than) {
    const int other = random.below(bodies + 1) - 1;
    return other == than ? kWorld : other;
}

JointRecipe randomJoint(RandomNumbers& random, const WorldRecipe& recipe, const WorldMix& mix, int a, int b) {
    JointRecipe joint;
    joint.kind = static_cast<JointKind>(random.below(kJointKinds));
    joint.a = a;
    joint.b = b;
    joint.point = recipe.bodies[static_cast<std::size_t>(b)].position + randomVector(random, 0.4);
    joint.frame = randomFrame(random);
    joint.isLimited = random.chance(0.3);
    joint.low = -random.uniform(0, 0.5);
    joint.high = random.uniform(0, 0.5);
    joint.hasMotor = mix.motors && random.chance(0.15);
    joint.rate = random.uniform(-5, 5);
    joint.impulse = random.logarithmic(-1, 3);
    return joint;
}

void randomLaw(RandomNumbers& random, ElementRecipe& element) {
    element.kind = static_cast<ElementKind>(random.below(kElementKinds));
    element.c = random.chance(0.1) && element.kind != ElementKind::Backlash ? 0 : random.logarithmic(0, 8);
    element.d = random.chance(0.3) ? 0 : random.logarithmic(-2, 5);
    element.n = random.chance(0.7) ? 1 : random.uniform(1, 3);
    element.s_ref = random.chance(0.5) ? 1 : random.logarithmic(-3, 0);
    element.play = random.chance(0.8) ? random.uniform(0, 0.5) : 0;
    element.offset = random.uniform(-0.1, 0.1);
    element.characteristic = random.below(element.kind == ElementKind::Gap ? 4 : 3);
    // A stiff spring that begins far from rest holds more than anything else in the world.
    const double stretch = std::min(0.1, std::sqrt(200 / std::max(element.c, 1.)));
    element.offset *= stretch / 0.1;
}

ElementRecipe randomElement(RandomNumbers& random, const WorldRecipe& recipe) {
    ElementRecipe element;
    const int bodies = static_cast<int>(recipe.bodies.size());
    element.b = random.below(bodies);
    element.a = random.chance(0.4) ? kWorld : randomOther(random, bodies, element.b);
    element.pointB = recipe.bodies[static_cast<std::size_t>(element.b)].position;
    if (random.chance(0.6)) element.pointB += randomVector(random, 0.2);
    element.pointA = element.pointB + randomVector(random, 0.8);
    if (element.a != kWorld && random.chance(0.7)) {
        element.pointA = recipe.bodies[static_cast<std::size_t>(element.a)].position + randomVector(random, 0.2);
    }
    element.frame = randomFrame(random);
    randomLaw(random, element);
    return element;
}

MultiBodyRecipe randomMultiBody(RandomNumbers& random, int bodies) {
    MultiBodyRecipe result;
    result.isFixed = random.chance(0.6);
    result.baseMass = random.logarithmic(-1, 1);
    const int links = 1 + random.below(5);
    for (int i = 0; i < links; ++i) {
        LinkRecipe link;
        link.kind = random.chance(0.6) ? LinkKind::Revolute : static_cast<LinkKind>(random.below(4));
        link.parent = random.chance(0.8) ? i - 1 : random.below(i + 1) - 1;
        link.mass = random.logarithmic(-1, 1);
        link.length = random.uniform(0.1, 0.5);
        link.axis = random.chance(0.5) ? Vector3d::UnitZ() : (randomTurn(random) * Vector3d::UnitX()).eval();
        link.q = random.uniform(-0.5, 0.5);
        link.rate = random.uniform(-3, 3);
        result.links.push_back(link);
    }
    const int elements = 1 + random.below(3);
    for (int i = 0; i < elements; ++i) {
        JointElementRecipe element;
        element.link = random.below(links);
        const LinkKind kind = result.links[static_cast<std::size_t>(element.link)].kind;
        if (kind != LinkKind::Revolute && kind != LinkKind::Prismatic) continue;
        element.isDrive = random.chance(0.3);
        element.inertia = random.logarithmic(-4, -1);
        element.ratio = random.logarithmic(0, 2);
        randomLaw(random, element.law);
        element.law.offset += result.links[static_cast<std::size_t>(element.link)].q;
        result.elements.push_back(element);
    }
    if (bodies > 0 && random.chance(0.4)) result.carried.push_back({random.below(links + 1) - 1, random.below(bodies)});
    return result;
}

std::string vectorText(const Vector3d& v) {
    return fmt::format("({:.6g} {:.6g} {:.6g})", v.x(), v.y(), v.z());
}

bool isLocked(const BodyRecipe& body) {
    return body.angularFactor != Vector3d::Ones() || body.linearFactor != Vector3d::Ones();
}

std::string nameOf(int body) {
    return body == kWorld ? "world" : std::to_string(body);
}

/// The recipe without a body, and without all that hangs on it.
WorldRecipe withoutBody(const WorldRecipe& recipe, int gone) {
    WorldRecipe less = recipe;
    less.bodies.erase(less.bodies.begin() + gone);
    const auto touches = [&](const auto& item) { return item.a == gone || item.b == gone; };
    const auto shift = [&](int& body) {
        if (body > gone) --body;
    };
    const auto drop = [&](auto& items) {
        std::erase_if(items, touches);
        for (auto& item : items) {
            shift(item.a);
            shift(item.b);
        }
    };
    drop(less.joints);
    drop(less.elements);
    for (MultiBodyRecipe& multiBody : less.multiBodies) {
        std::erase_if(multiBody.carried, [&](const auto& pair) { return pair.second == gone; });
        for (auto& pair : multiBody.carried) shift(pair.second);
    }
    return less;
}

}  // namespace

bool WorldRecipe::hasLockedSpin() const {
    return std::any_of(bodies.begin(), bodies.end(), [](const BodyRecipe& body) { return isLocked(body); });
}

bool WorldRecipe::isClosed() const {
    const auto isDriven = [](const JointRecipe& joint) {
        const bool hasSpring = joint.kind == JointKind::SixDofSpring || joint.kind == JointKind::SixDofSpring2 ||
                               joint.kind == JointKind::Hinge2;
        return joint.hasMotor || hasSpring;
    };
    const auto isMoved = [](const BodyRecipe& body) { return body.isKinematic; };
    return !hasLockedSpin() && std::none_of(joints.begin(), joints.end(), isDriven) &&
           std::none_of(bodies.begin(), bodies.end(), isMoved);
}

std::vector<bool> WorldRecipe::bodiesWithElements() const {
    std::vector<bool> result(bodies.size(), false);
    const auto isMovable = [&](int body) {
        return body != kWorld && !bodies[static_cast<std::size_t>(body)].isKinematic;
    };
    const auto tie = [&](int a, int b) {
        if (!isMovable(a) || !isMovable(b)) return false;
        std::vector<bool>::reference one = result[static_cast<std::size_t>(a)];
        std::vector<bool>::reference other = result[static_cast<std::size_t>(b)];
        const bool isNew = one != other;
        if (isNew) one = other = true;
        return isNew;
    };
    for (const ElementRecipe& element : elements) {
        for (const int body : {element.a, element.b}) {
            if (isMovable(body)) result[static_cast<std::size_t>(body)] = true;
        }
    }
    for (bool isMore = true; isMore;) {
        isMore = false;
        for (const JointRecipe& joint : joints) isMore |= tie(joint.a, joint.b);
    }
    return result;
}

WorldMix WorldMix::parse(const std::string& text) {
    if (text == "all") return {};
    WorldMix mix{false, false, false, false, false};
    if (text == "none") return mix;
    std::istringstream words(text);
    for (std::string word; std::getline(words, word, ',');) {
        if (word == "contacts") {
            mix.contacts = true;
        } else if (word == "motors") {
            mix.motors = true;
        } else if (word == "kinematic") {
            mix.kinematic = true;
        } else if (word == "locked") {
            mix.lockedAxes = true;
        } else if (word == "multibodies") {
            mix.multiBodies = true;
        } else {
            throw std::invalid_argument("'" + word +
                                        "' is none of: all, none, contacts, motors, kinematic, locked, multibodies");
        }
    }
    return mix;
}

WorldRecipe makeWorldRecipe(unsigned long seed, const WorldMix& mix) {
    RandomNumbers random(seed);
    WorldRecipe recipe;
    const double rates[] = {30, 60, 60, 144, 240, 1000};
    recipe.hz = rates[random.below(6)];
    recipe.ticks = 40;
    if (random.chance(0.2)) recipe.gravity = 0;
    recipe.hasFloor = mix.contacts && random.chance(0.4);
    const int bodies = 1 + random.below(random.chance(0.2) ? 12 : 5);
    for (int i = 0; i < bodies; ++i) recipe.bodies.push_back(randomBody(random, mix, i));
    // Trees first; then loops and joints beside joints.
    const double jointed = random.chance(0.3) ? 0 : 0.7;
    for (int b = 0; b < bodies; ++b) {
        if (!random.chance(jointed)) continue;
        const int a = random.chance(0.7) ? b - 1 : random.below(b + 1) - 1;
        recipe.joints.push_back(randomJoint(random, recipe, mix, a, b));
    }
    const int more = jointed > 0 && random.chance(0.5) ? random.below(4) : 0;
    for (int i = 0; i < more; ++i) {
        if (!recipe.joints.empty() && random.chance(0.6)) {
            const auto which = static_cast<std::size_t>(random.below(static_cast<int>(recipe.joints.size())));
            JointRecipe joint = randomJoint(random, recipe, mix, recipe.joints[which].a, recipe.joints[which].b);
            if (random.chance(0.5)) {
                joint.point = recipe.joints[which].point;
                joint.frame = recipe.joints[which].frame;
            }
            if (random.chance(0.3)) std::swap(joint.a, joint.b);
            if (joint.b == kWorld) std::swap(joint.a, joint.b);
            recipe.joints.push_back(joint);
        } else {
            const int b = random.below(bodies);
            recipe.joints.push_back(randomJoint(random, recipe, mix, randomOther(random, bodies, b), b));
        }
    }
    const int elements = 1 + random.below(6);
    for (int i = 0; i < elements; ++i) recipe.elements.push_back(randomElement(random, recipe));
    if (mix.multiBodies && random.chance(0.2)) recipe.multiBodies.push_back(randomMultiBody(random, bodies));
    return recipe;
}

std::string textOf(const WorldRecipe& recipe) {
    static const char* const kJointNames[] = {"ball",  "hinge",        "slider",         "fixed",     "cone-twist",
                                              "6-dof", "6-dof spring", "6-dof spring 2", "universal", "hinge 2"};
    static const char* const kElementNames[] = {"gap", "backlash", "series", "spring-damper", "rotational"};
    static const char* const kShapeNames[] = {"box", "sphere", "capsule"};
    static const char* const kLinkNames[] = {"revolute", "prismatic", "spherical", "fixed"};
    std::string text = fmt::format("{:g} Hz, {} ticks, gravity {:g}{}\n", recipe.hz, recipe.ticks, recipe.gravity,
                                   recipe.hasFloor ? ", floor" : "");
    for (std::size_t i = 0; i < recipe.bodies.size(); ++i) {
        const BodyRecipe& body = recipe.bodies[i];
        text += fmt::format("body {}: {} {:.3g} m, {:.3g} kg{} at {} v {} w {}", i,
                            kShapeNames[static_cast<int>(body.shape)], body.size, body.mass,
                            body.isKinematic ? " kinematic" : "", vectorText(body.position), vectorText(body.velocity),
                            vectorText(body.angularVelocity));
        if (isLocked(body)) {
            text += " factors " + vectorText(body.linearFactor) + " " + vectorText(body.angularFactor);
        }
        text += '\n';
    }
    for (const JointRecipe& joint : recipe.joints) {
        text += fmt::format("{} [{}, {}] at {}{}", kJointNames[static_cast<int>(joint.kind)], nameOf(joint.a),
                            nameOf(joint.b), vectorText(joint.point),
                            joint.frame.isApprox(Quaterniond::Identity()) ? "" : " turned");
        if (joint.isLimited) text += fmt::format(" limits {:.3g} {:.3g}", joint.low, joint.high);
        if (joint.hasMotor) text += fmt::format(" motor {:.3g} up to {:.3g}", joint.rate, joint.impulse);
        text += '\n';
    }
    for (const ElementRecipe& element : recipe.elements) {
        text +=
            fmt::format("{} [{}, {}] c={:.3g} d={:.3g} n={:.3g} play={:.3g} at {} {}\n",
                        kElementNames[static_cast<int>(element.kind)], nameOf(element.a), nameOf(element.b), element.c,
                        element.d, element.n, element.play, vectorText(element.pointA), vectorText(element.pointB));
    }
    for (const MultiBodyRecipe& multiBody : recipe.multiBodies) {
        text += fmt::format("multibody, {}:", multiBody.isFixed ? "fixed" : "free");
        for (const LinkRecipe& link : multiBody.links) {
            text += fmt::format(" {} on {}", kLinkNames[static_cast<int>(link.kind)], link.parent);
        }
        for (const JointElementRecipe& element : multiBody.elements) {
            text += fmt::format(", {}{} on {} c={:.3g} d={:.3g}", element.isDrive ? "drive " : "",
                                kElementNames[static_cast<int>(element.law.kind)], element.link, element.law.c,
                                element.law.d);
        }
        for (const auto& [link, body] : multiBody.carried) text += fmt::format(", link {} carries {}", link, body);
        text += '\n';
    }
    return text;
}

std::vector<WorldRecipe> simplerOnes(const WorldRecipe& recipe) {
    std::vector<WorldRecipe> result;
    const auto changed = [&](const auto& change) {
        WorldRecipe other = recipe;
        change(other);
        result.push_back(std::move(other));
    };
    for (std::size_t i = 0; i < recipe.multiBodies.size(); ++i) {
        changed([&](WorldRecipe& r) { r.multiBodies.erase(r.multiBodies.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    for (std::size_t i = 0; i < recipe.bodies.size(); ++i) {
        if (recipe.bodies.size() > 1) result.push_back(withoutBody(recipe, static_cast<int>(i)));
    }
    for (std::size_t i = 0; i < recipe.joints.size(); ++i) {
        changed([&](WorldRecipe& r) { r.joints.erase(r.joints.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    for (std::size_t i = 0; i < recipe.elements.size(); ++i) {
        changed([&](WorldRecipe& r) { r.elements.erase(r.elements.begin() + static_cast<std::ptrdiff_t>(i)); });
    }
    if (recipe.hasFloor) changed([](WorldRecipe& r) { r.hasFloor = false; });
    if (recipe.gravity != 0) changed([](WorldRecipe& r) { r.gravity = 0; });
    for (std::size_t i = 0; i < recipe.joints.size(); ++i) {
        if (recipe.joints[i].isLimited) changed([&](WorldRecipe& r) { r.joints[i].isLimited = false; });
        if (recipe.joints[i].hasMotor) changed([&](WorldRecipe& r) { r.joints[i].hasMotor = false; });
    }
    for (std::size_t i = 0; i < recipe.bodies.size(); ++i) {
        const BodyRecipe& body = recipe.bodies[i];
        if (isLocked(body)) {
            changed([&](WorldRecipe& r) { r.bodies[i].linearFactor = r.bodies[i].angularFactor = Vector3d::Ones(); });
        }
        if (!body.velocity.isZero(0)) changed([&](WorldRecipe& r) { r.bodies[i].velocity.setZero(); });
        if (!body.angularVelocity.isZero(0)) changed([&](WorldRecipe& r) { r.bodies[i].angularVelocity.setZero(); });
        if (body.shape != BodyShape::Box) changed([&](WorldRecipe& r) { r.bodies[i].shape = BodyShape::Box; });
    }
    return result;
}

}  // namespace elasto::fuzz
