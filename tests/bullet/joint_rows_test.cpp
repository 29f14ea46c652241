// Every class of joint that the flow takes over, against Bullet's own rows: bodies whose velocities the joint does not
// allow have the same velocities after a short tick of the plugin and of plain Bullet with many iterations.

#include <catch2/catch.hpp>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <type_traits>

#include "test_world.h"

using namespace elasto;
using namespace elasto::test;

namespace {

constexpr double kHz = 1e4;
// Beyond a limit by so little that pushing it back takes no speed.
const btScalar kBeyond = btScalar(byPrecision(1e-10, 3e-6));
// By how much joints are off, so that Bullet has all of its rows: it leaves out those of locked coordinates that are
// met to the last bit.
const double kOff = byPrecision(1e-12, 3e-7);

struct Pair {
    btRigidBody& a;
    btRigidBody& b;
    btTransform frameA, frameB, shift;  ///< frameB against frameA in the end
};

class Random {
public:
    explicit Random(unsigned seed) : m_engine(seed) {}
    double uniform(double least, double most) {
        return least + (most - least) * (static_cast<double>(m_engine()) / 4294967295.0);
    }
    btVector3 vector(double size) {
        const double x = uniform(-size, size);
        const double y = uniform(-size, size);
        return vec(x, y, uniform(-size, size));
    }
    btTransform pose(double size) {
        btQuaternion turn(btScalar(uniform(-1, 1)), btScalar(uniform(-1, 1)), btScalar(uniform(-1, 1)),
                          btScalar(uniform(-1, 1)));
        return btTransform(turn.normalized(), vector(size));
    }

private:
    std::mt19937 m_engine;
};

using Make = std::function<std::unique_ptr<btTypedConstraint>(const Pair&)>;

struct Case {
    std::string name;
    btTransform shift;  // of the joint's frame on b against that on a
    Make make;
};

btTransform turned(int axis, double angle, double way = 0) {
    btVector3 direction(0, 0, 0);
    direction[axis] = 1;
    return btTransform(btQuaternion(direction, btScalar(angle)), direction * btScalar(way));
}

struct Result {
    std::vector<double> velocities;
    bool isUncoupled = false;
    std::string message;
};

Result run(const Case& given, unsigned seed, bool withPlugin) {
    Random random(seed);
    TestWorld world(withPlugin);
    world.world->setGravity(vec(0, 0, 0));
    btContactSolverInfo& info = world.world->getSolverInfo();
    info.m_numIterations = 5000;
    info.m_leastSquaresResidualThreshold = 0;
    btRigidBody& a = world.body(1.5, new btBoxShape(vec(0.1, 0.2, 0.3)), random.pose(1));
    Pair pair{a, a, random.pose(0.3), random.pose(0.3), given.shift};
    const btTransform placed = a.getWorldTransform() * pair.frameA * given.shift * pair.frameB.inverse();
    const btTransform off(btQuaternion(btVector3(1, 1, 1).normalized(), btScalar(kOff)), vec(kOff, kOff, kOff));
    btRigidBody& b = world.body(0.7, new btBoxShape(vec(0.3, 0.15, 0.1)), placed * off);
    a.setLinearVelocity(random.vector(1));
    a.setAngularVelocity(random.vector(2));
    b.setLinearVelocity(random.vector(1));
    b.setAngularVelocity(random.vector(2));
    // The boxes overlap: only the joint counts.
    const std::unique_ptr<btTypedConstraint> joint = given.make({a, b, pair.frameA, pair.frameB, given.shift});
    world.world->addConstraint(joint.get(), true);
    Result result;
    ForceElement* element = nullptr;
    if (withPlugin) {
        element = &world.add<SpringDamperParallel>(a, vec(0, 0, 0), vec(9, 9, 9),
                                                   SpringDamperParameters{.c = 1e-9, .d = 0, .s_rel0 = 1});
    }
    world.tick(1, kHz);
    for (const btRigidBody* body : {&a, &b}) {
        for (int k = 0; k < 3; ++k) {
            result.velocities.push_back(static_cast<double>(body->getLinearVelocity()[k]));
            result.velocities.push_back(static_cast<double>(body->getAngularVelocity()[k]));
        }
    }
    if (element != nullptr) result.isUncoupled = element->uncoupled();
    if (!world.messages.empty()) result.message = world.messages[0];
    world.world->removeConstraint(joint.get());
    return result;
}

using Add = std::function<void(const std::string&, const btTransform&, const Make&)>;

template <class Joint>
Make sixDof(const std::function<void(Joint&)>& set, RotateOrder order = RO_XYZ, bool isCentred = false) {
    return [=](Pair p) {
        if (isCentred) {
            p.frameA.setOrigin(btVector3(0, 0, 0));
            p.frameB.setOrigin(btVector3(0, 0, 0));
            p.b.setCenterOfMassTransform(p.a.getWorldTransform() * p.frameA * p.shift * p.frameB.inverse());
        }
        std::unique_ptr<Joint> joint;
        if constexpr (std::is_same_v<Joint, btGeneric6DofSpring2Constraint>) {
            joint = std::make_unique<Joint>(p.a, p.b, p.frameA, p.frameB, order);
        } else {
            joint = std::make_unique<Joint>(p.a, p.b, p.frameA, p.frameB, true);
        }
        for (int j = 3; j < 6; ++j) joint->setLimit(j, 1, -1);
        joint->calculateTransforms();
        set(*joint);
        return joint;
    };
}

// Springs, servo motors, cones, and angles of which more than one is not locked.
void addEulerCases(const Add& add) {
    using Joint = btGeneric6DofSpring2Constraint;
    const char* const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
    for (int order = 0; order < 6; ++order) {
        const auto axisOf = [&](int place) { return orders[order][place] - 'X'; };
        // A's frame becomes B's by turns about the last, the second and the first axis.
        const auto turns = [&](double last, double second, double first) {
            return turned(axisOf(2), last) * turned(axisOf(1), second) * turned(axisOf(0), first);
        };
        const auto name = [&](const char* what, int k) {
            return std::string("6-dof 2, ") + orders[order] + ", " + what + " " + "xyz"[k];
        };
        const auto rotation = static_cast<RotateOrder>(order);
        for (int k = 0; k < 3; ++k) {
            const btTransform all = turns(0.6, -0.4, 0.5);
            add(name("lower limit", k), all,
                sixDof<Joint>(
                    [k](Joint& joint) { joint.setLimit(3 + k, joint.getAngle(k) + kBeyond, joint.getAngle(k) + 1); },
                    rotation));
            add(name("upper limit", k), all,
                sixDof<Joint>(
                    [k](Joint& joint) { joint.setLimit(3 + k, joint.getAngle(k) - 1, joint.getAngle(k) - kBeyond); },
                    rotation));
            add(name("locked at an angle", k), all,
                sixDof<Joint>(
                    [k](Joint& joint) {
                        joint.setLimit(3 + k, joint.getAngle(k) - kBeyond, joint.getAngle(k) - kBeyond);
                    },
                    rotation));
            add(name("all locked but", k), all,
                sixDof<Joint>(
                    [k](Joint& joint) {
                        for (int j = 0; j < 3; ++j) {
                            if (j != k) joint.setLimit(3 + j, joint.getAngle(j), joint.getAngle(j));
                        }
                    },
                    rotation));
            // Bullet's moments are those of the angles where the second one is 0.
            const btTransform straight = turns(0.6, k == axisOf(1) ? 0.4 : 0, 0.5);
            add(name("motor", k), straight,
                sixDof<Joint>(
                    [k](Joint& joint) {
                        joint.enableMotor(3 + k, true);
                        joint.setTargetVelocity(3 + k, btScalar(0.7));
                        joint.setMaxMotorForce(3 + k, btScalar(1e5));
                    },
                    rotation));
            // Bullet knows the mass that a spring moves only where joints have no lever arms.
            add(name("spring", k), straight,
                sixDof<Joint>(
                    [k](Joint& joint) {
                        for (int j = 0; j < 3; ++j) joint.setLimit(j, 1, -1);
                        joint.enableSpring(3 + k, true);
                        joint.setStiffness(3 + k, 20);
                        joint.setDamping(3 + k, btScalar(0.1));
                        joint.setEquilibriumPoint(3 + k, btScalar(-0.3));
                    },
                    rotation, true));
            add(name("servo", k), straight,
                sixDof<Joint>(
                    [k](Joint& joint) {
                        joint.enableMotor(3 + k, true);
                        joint.setServo(3 + k, true);
                        joint.setTargetVelocity(3 + k, btScalar(0.7));
                        joint.setServoTarget(3 + k, btScalar(-0.9));
                        joint.setMaxMotorForce(3 + k, btScalar(1e5));
                    },
                    rotation));
        }
    }
    for (int k = 0; k < 3; ++k) {
        const std::string axis = std::string(" ") + "xyz"[k];
        const btVector3 aside(k == 0 ? btScalar(0.05) : 0, k == 1 ? btScalar(0.05) : 0, k == 2 ? btScalar(0.05) : 0);
        const btTransform shifted(btQuaternion::getIdentity(), aside);
        // With the other ways free, or Bullet's lever arms do not fit.
        const auto freeWays = [](auto& joint) {
            for (int j = 0; j < 3; ++j) joint.setLimit(j, 1, -1);
        };
        add("6-dof 2, spring along" + axis, shifted,
            sixDof<Joint>(
                [k, freeWays](Joint& joint) {
                    freeWays(joint);
                    joint.enableSpring(k, true);
                    joint.setStiffness(k, 1e4);
                    joint.setDamping(k, 20);
                },
                RO_XYZ, true));
        add("6-dof 2, servo along" + axis, at(0, 0, 0), sixDof<Joint>([k](Joint& joint) {
                joint.setLimit(k, 1, -1);
                joint.enableMotor(k, true);
                joint.setServo(k, true);
                joint.setTargetVelocity(k, btScalar(0.7));
                joint.setServoTarget(k, btScalar(0.2));
                joint.setMaxMotorForce(k, btScalar(1e5));
            }));
        add("6-dof 2, servo nearly there along" + axis, at(0, 0, 0), sixDof<Joint>([k](Joint& joint) {
                joint.setLimit(k, 1, -1);
                joint.enableMotor(k, true);
                joint.setServo(k, true);
                joint.setTargetVelocity(k, btScalar(0.7));
                joint.setServoTarget(k, btScalar(1e-4));
                joint.setMaxMotorForce(k, btScalar(1e5));
            }));
        using Springs = btGeneric6DofSpringConstraint;
        add("6-dof springs along" + axis, shifted, sixDof<Springs>([k, freeWays](Springs& joint) {
                freeWays(joint);
                joint.enableSpring(k, true);
                joint.setStiffness(k, 1e4);
            }));
        add("6-dof springs about" + axis, turned(k, 0.4), sixDof<Springs>([k, freeWays](Springs& joint) {
                freeWays(joint);
                joint.enableSpring(3 + k, true);
                joint.setStiffness(3 + k, 40);
            }));
    }
    // Made where the bodies are: what is off comes after.
    const auto off = [](const Pair& p) {
        const btTransform turn(btQuaternion(btVector3(1, 1, 1).normalized(), btScalar(kOff)), vec(kOff, kOff, kOff));
        p.b.setCenterOfMassTransform(p.b.getWorldTransform() * turn);
    };
    add("hinge 2", at(0, 0, 0), [off](const Pair& p) {
        const btTransform frame = p.a.getWorldTransform() * p.frameA;
        btVector3 anchor = frame.getOrigin();
        btVector3 steering = frame.getBasis().getColumn(2);
        btVector3 axle = frame.getBasis().getColumn(0);
        auto joint = std::make_unique<btHinge2Constraint>(p.a, p.b, anchor, steering, axle);
        off(p);
        return joint;
    });
    add("universal", at(0, 0, 0), [off](const Pair& p) {
        const btTransform frame = p.a.getWorldTransform() * p.frameA;
        auto joint = std::make_unique<btUniversalConstraint>(p.a, p.b, frame.getOrigin(), frame.getBasis().getColumn(2),
                                                             frame.getBasis().getColumn(1));
        off(p);
        return joint;
    });
    const auto cone = [&](const std::string& name, const btTransform& shift, double aboutZ, double aboutY,
                          double twist) {
        add("cone-twist, " + name, shift, [=](const Pair& p) {
            auto joint = std::make_unique<btConeTwistConstraint>(p.a, p.b, p.frameA, p.frameB);
            joint->setLimit(btScalar(aboutZ), btScalar(aboutY), btScalar(twist), 1, btScalar(0.1), 1);
            return joint;
        });
    };
    const double beyond = static_cast<double>(kBeyond);
    const btQuaternion aside(btVector3(0, btScalar(0.6), btScalar(-0.8)), btScalar(0.7));
    cone("round", btTransform(aside) * turned(0, 0.3), 0.7 - beyond, 0.7 - beyond, 3);
    cone("within", btTransform(aside) * turned(0, 0.3), 0.9, 0.8, 1);
    cone("narrow about y", turned(1, 0.5), 2, 0.5 - beyond, 3);
    cone("narrow about z", turned(2, 0.5), 0.5 - beyond, 2, 3);
    // Where A's x swings aside, Bullet's row stops another turn than the twist.
    cone("twist", turned(0, 0.6), 2, 2, 0.6 - beyond);
    cone("twist back", turned(0, -0.6), 2, 2, 0.6 - beyond);
    cone("no swing", turned(0, 0.3), 0.01, 0.01, 3);
    cone("no swing, twist", turned(0, 0.3), 0.01, 0.01, 0.3 - beyond);
}

std::vector<Case> cases() {
    std::vector<Case> all;
    const auto add = [&](const std::string& name, const btTransform& shift, const Make& make) {
        all.push_back({name, shift, make});
    };
    add("ball", btTransform::getIdentity(), [](const Pair& p) {
        return std::make_unique<btPoint2PointConstraint>(p.a, p.b, p.frameA.getOrigin(), p.frameB.getOrigin());
    });
    add("cone-twist", btTransform::getIdentity(),
        [](const Pair& p) { return std::make_unique<btConeTwistConstraint>(p.a, p.b, p.frameA, p.frameB); });
    add("fixed", btTransform::getIdentity(),
        [](const Pair& p) { return std::make_unique<btFixedConstraint>(p.a, p.b, p.frameA, p.frameB); });
    add("gear", btTransform::getIdentity(), [](const Pair& p) {
        return std::make_unique<btGearConstraint>(p.a, p.b, p.frameA.getBasis().getColumn(0),
                                                  p.frameB.getBasis().getColumn(1), btScalar(2.5));
    });
    for (const bool isReferenceA : {false, true}) {
        const std::string suffix = isReferenceA ? ", reference A" : "";
        const auto hinge = [&](const std::string& name, const std::function<void(btHingeConstraint&)>& set) {
            add("hinge" + name + suffix, turned(2, 0.7), [isReferenceA, set](const Pair& p) {
                auto joint = std::make_unique<btHingeConstraint>(p.a, p.b, p.frameA, p.frameB, isReferenceA);
                set(*joint);
                return joint;
            });
        };
        hinge("", [](btHingeConstraint&) {});
        hinge(", motor", [](btHingeConstraint& joint) { joint.enableAngularMotor(true, btScalar(0.8), 1); });
        hinge(", weak motor", [](btHingeConstraint& joint) { joint.enableAngularMotor(true, 9, btScalar(0.002)); });
        hinge(", lower limit", [](btHingeConstraint& joint) {
            joint.setLimit(joint.getHingeAngle() + kBeyond, joint.getHingeAngle() + 1, 1, 1, 0);
        });
        hinge(", upper limit", [](btHingeConstraint& joint) {
            joint.setLimit(joint.getHingeAngle() - 1, joint.getHingeAngle() - kBeyond, 1, 1, 0);
        });
        hinge(", limits about the seam", [](btHingeConstraint& joint) {
            joint.setLimit(joint.getHingeAngle() + kBeyond, joint.getHingeAngle() + 5, 1, 1, 0);
        });
        hinge(", no limits", [](btHingeConstraint& joint) { joint.setLimit(-4, 4); });
        hinge(", locked", [](btHingeConstraint& joint) {
            joint.setLimit(joint.getHingeAngle() - kBeyond, joint.getHingeAngle() - kBeyond, 1, 1, 0);
        });
        const auto slider = [&](const std::string& name, const std::function<void(btSliderConstraint&)>& set) {
            // Where B's frame is the reference, Bullet's lever arms only fit at the middle.
            add("slider" + name + suffix, turned(0, 0.4, isReferenceA ? 0.25 : 0), [isReferenceA, set](const Pair& p) {
                auto joint = std::make_unique<btSliderConstraint>(p.a, p.b, p.frameA, p.frameB, isReferenceA);
                joint->setLowerAngLimit(1);
                joint->setUpperAngLimit(-1);
                set(*joint);
                return joint;
            });
        };
        const btScalar way(isReferenceA ? 0.25 : 0);
        slider("", [](btSliderConstraint&) {});
        slider(", motor", [](btSliderConstraint& joint) {
            joint.setPoweredLinMotor(true);
            joint.setTargetLinMotorVelocity(btScalar(0.3));
            joint.setMaxLinMotorForce(btScalar(1e5));
        });
        slider(", turning motor", [](btSliderConstraint& joint) {
            joint.setPoweredAngMotor(true);
            joint.setTargetAngMotorVelocity(btScalar(0.3));
            joint.setMaxAngMotorForce(btScalar(1e5));
        });
        slider(", weak motors", [](btSliderConstraint& joint) {
            joint.setPoweredLinMotor(true);
            joint.setTargetLinMotorVelocity(-9);
            joint.setMaxLinMotorForce(2000);
            joint.setPoweredAngMotor(true);
            joint.setTargetAngMotorVelocity(20);
            joint.setMaxAngMotorForce(20);
        });
        slider(", lower limit", [way](btSliderConstraint& joint) {
            joint.setLowerLinLimit(way + kBeyond);
            joint.setUpperLinLimit(way + 1);
        });
        slider(", upper limit", [way](btSliderConstraint& joint) {
            joint.setLowerLinLimit(way - 1);
            joint.setUpperLinLimit(way - kBeyond);
        });
        slider(", lower angle", [](btSliderConstraint& joint) {
            joint.setLowerAngLimit(btScalar(0.4) + kBeyond);
            joint.setUpperAngLimit(btScalar(1.4));
        });
        slider(", upper angle", [](btSliderConstraint& joint) {
            joint.setLowerAngLimit(btScalar(-0.4));
            joint.setUpperAngLimit(btScalar(0.4) - kBeyond);
        });
    }
    // Bullet's lever arms of these only fit where ways are 0.
    const auto spring2 = [&](const std::string& name, const btTransform& shift,
                             const std::function<void(btGeneric6DofSpring2Constraint&)>& set) {
        add("6-dof 2" + name, shift, [set](const Pair& p) {
            auto joint = std::make_unique<btGeneric6DofSpring2Constraint>(p.a, p.b, p.frameA, p.frameB);
            for (int j = 3; j < 6; ++j) joint->setLimit(j, 0, 0);
            joint->calculateTransforms();
            set(*joint);
            return joint;
        });
    };
    for (int k = 0; k < 3; ++k) {
        const std::string axis = std::string(" ") + "xyz"[k];
        const auto freeAngle = [k](auto& joint) { joint.setLimit(3 + k, 1, -1); };
        spring2(" way" + axis, at(0, 0, 0), [k](auto& joint) { joint.setLimit(k, 1, -1); });
        spring2(" way with motor" + axis, at(0, 0, 0), [k](auto& joint) {
            joint.setLimit(k, 1, -1);
            joint.enableMotor(k, true);
            joint.setTargetVelocity(k, btScalar(0.7));
            joint.setMaxMotorForce(k, btScalar(1e5));
        });
        spring2(" way with lower limit" + axis, at(0, 0, 0),
                [k](auto& joint) { joint.setLimit(k, joint.getRelativePivotPosition(k) + kBeyond, 1); });
        spring2(" way with upper limit" + axis, at(0, 0, 0),
                [k](auto& joint) { joint.setLimit(k, -1, joint.getRelativePivotPosition(k) - kBeyond); });
        spring2(" angle" + axis, turned(k, 0.5), freeAngle);
        spring2(" angle with motor" + axis, turned(k, 0.5), [k, freeAngle](auto& joint) {
            freeAngle(joint);
            joint.enableMotor(3 + k, true);
            joint.setTargetVelocity(3 + k, btScalar(0.7));
            joint.setMaxMotorForce(3 + k, btScalar(1e5));
        });
        spring2(" angle with lower limit" + axis, turned(k, 0.5),
                [k](auto& joint) { joint.setLimit(3 + k, joint.getAngle(k) + kBeyond, joint.getAngle(k) + 1); });
        spring2(" angle with upper limit" + axis, turned(k, 0.5),
                [k](auto& joint) { joint.setLimit(3 + k, joint.getAngle(k) - 1, joint.getAngle(k) - kBeyond); });
        // Euler angles as Bullet counts them; that about k is 0.
        const btTransform twoAngles = turned(k == 2 ? 1 : 2, 0.4) * turned(k == 0 ? 1 : 0, 0.3);
        spring2(" two free angles" + axis, twoAngles, [k](auto& joint) {
            for (int j = 0; j < 3; ++j) {
                if (j != k) joint.setLimit(3 + j, 1, -1);
            }
        });
        add("6-dof angle" + axis, turned(k, 0.5), [k](const Pair& p) {
            auto joint = std::make_unique<btGeneric6DofConstraint>(p.a, p.b, p.frameA, p.frameB, true);
            joint->calculateTransforms();
            for (int j = 0; j < 3; ++j) joint->setLimit(3 + j, 0, 0);
            joint->setLimit(3 + k, joint->getAngle(k) + kBeyond, joint->getAngle(k) + 1);
            return joint;
        });
        add("6-dof way with motor" + axis, at(0, 0, 0), [k](const Pair& p) {
            auto joint = std::make_unique<btGeneric6DofConstraint>(p.a, p.b, p.frameA, p.frameB, true);
            joint->setLimit(k, 1, -1);
            joint->getTranslationalLimitMotor()->m_enableMotor[k] = true;
            joint->getTranslationalLimitMotor()->m_targetVelocity[k] = btScalar(0.6);
            joint->getTranslationalLimitMotor()->m_maxMotorForce[k] = btScalar(1e5);
            return joint;
        });
    }
    addEulerCases(add);
    return all;
}

}  // namespace

TEST_CASE("the flow holds, drives and limits what Bullet's rows do", "[slow]") {
    for (const Case& given : cases()) {
        // In single precision locked coordinates are often met to the last bit, and Bullet then leaves out their rows.
        const bool isFlickering = given.name.rfind("6-dof angle", 0) == 0 || given.name.rfind("6-dof way", 0) == 0 ||
                                  given.name == "universal";
        if (isFlickering && byPrecision(0, 1) == 1) continue;
        for (unsigned seed = 1; seed <= 4; ++seed) {
            const Result ours = run(given, seed, true);
            const Result plain = run(given, seed, false);
            double worst = 0;
            for (std::size_t i = 0; i < ours.velocities.size(); ++i) {
                worst = std::max(worst, std::abs(ours.velocities[i] - plain.velocities[i]));
            }
            CAPTURE(given.name, seed, worst, ours.message);
            CHECK_FALSE(ours.isUncoupled);
            // The bodies go on turning over the tick, Bullet's rows do not.
            CHECK(worst < byPrecision(2e-3, 2e-2));
        }
    }
}
