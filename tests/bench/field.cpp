#include "field.h"

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>

#include <algorithm>
#include <cmath>

namespace elasto::bench {

namespace {

constexpr double kGravity = 9.80665;
constexpr double kRadius = 0.05;
constexpr double kDistance = 0.5;
constexpr int kSubSteps = 200;
const btQuaternion kUpwards(btVector3(0, 0, 1), SIMD_HALF_PI);

/// Bullet takes it into its list; it asks for nothing.
class EmptyConstraint final : public btTypedConstraint {
public:
    explicit EmptyConstraint(btRigidBody& body) : btTypedConstraint(MAX_CONSTRAINT_TYPE, body) {}
    void buildJacobian() override {}
    void getInfo1(btConstraintInfo1* info) override { info->m_numConstraintRows = info->nub = 0; }
    void getInfo2(btConstraintInfo2*) override {}
    void setParam(int, btScalar, int) override {}
    btScalar getParam(int, int) const override { return 0; }
};

btVector3 vec(double x, double y, double z) {
    return {btScalar(x), btScalar(y), btScalar(z)};
}

/// Height of the bounce whose flight and contact together last h, and the speed at the stop.
double speedOfBounce(double h) {
    const double w = std::sqrt(kFieldStiffness / kFieldMass);
    const auto period = [&](double v) {
        const double contact = 2 * (SIMD_PI - std::atan2(v * w, kGravity)) / w;
        return 2 * v / kGravity + contact;
    };
    double low = 0;
    double high = h * kGravity;
    for (int i = 0; i < 60; ++i) {
        const double middle = (low + high) / 2;
        (period(middle) < h ? low : high) = middle;
    }
    return low;
}

/// A limit of one axis, upwards from the stop, as soft as the law.
std::unique_ptr<btTypedConstraint> softLimit(btRigidBody& body, const btVector3& place, double d, double h) {
    auto joint = std::make_unique<btGeneric6DofSpring2Constraint>(body, btTransform::getIdentity());
    joint->getFrameOffsetA() = btTransform(btQuaternion::getIdentity(), place);
    joint->setLinearLowerLimit(vec(1, 0, 1));
    joint->setLinearUpperLimit(vec(-1, 1e6, -1));
    joint->setAngularLowerLimit(vec(1, 1, 1));
    joint->setAngularUpperLimit(vec(-1, -1, -1));
    const double divisor = h * kFieldStiffness + d;
    joint->setParam(BT_CONSTRAINT_STOP_ERP, btScalar(h * kFieldStiffness / divisor), 1);
    joint->setParam(BT_CONSTRAINT_STOP_CFM, btScalar(1 / divisor), 1);
    return joint;
}

}  // namespace

Field::Field(const FieldOptions& options) : m_options(options), m_shape(btScalar(kRadius)) {
    const bool isPushed = options.push != Push::None && options.push != Push::Empty;
    const Course course = options.course;
    const bool falls = course == Course::Flight || (isPushed && course != Course::Series && course != Course::Backlash);
    m_gravity = falls ? kGravity : 0;
    m_world.setGravity(vec(0, -m_gravity, 0));
    m_world.getSimulationIslandManager()->setSplitIslands(options.splitsIslands);
    if (options.push == Push::Elasto) m_plugin = std::make_unique<Plugin>(&m_world);
    btVector3 inertia;
    m_shape.calculateLocalInertia(btScalar(kFieldMass), inertia);
    const int columns = static_cast<int>(std::ceil(std::sqrt(options.bodies)));
    for (int i = 0; i < options.bodies; ++i) {
        const btVector3 place = vec(kDistance * (i % columns), 0, kDistance * (i / columns));
        const btRigidBody::btRigidBodyConstructionInfo info(btScalar(kFieldMass), nullptr, &m_shape, inertia);
        m_bodies.push_back(std::make_unique<btRigidBody>(info));
        btRigidBody& body = *m_bodies.back();
        body.setWorldTransform(btTransform(btQuaternion::getIdentity(), place + vec(0, startHeight(i), 0)));
        body.setActivationState(course == Course::Asleep ? ISLAND_SLEEPING : DISABLE_DEACTIVATION);
        if (course == Course::Impact || course == Course::Hertz) {
            if (isPushed) body.setLinearVelocity(vec(0, speedOfBounce(options.h), 0));
        } else if (course == Course::Series) {
            body.setLinearVelocity(vec(0, 0.1, 0));
        } else if (course == Course::Backlash) {
            body.setAngularVelocity(vec(0, 1, 0));
        }
        m_world.addRigidBody(&body);
        addPush(body, place);
    }
    m_heights.resize(m_bodies.size());
    m_world.setInternalTickCallback(beforeTick, this, true);
    m_world.setInternalTickCallback(afterTick, this, false);
}

Field::~Field() {
    for (const auto& constraint : m_constraints) m_world.removeConstraint(constraint.get());
    for (const auto& body : m_bodies) m_world.removeRigidBody(body.get());
}

double Field::startHeight(int body) const {
    switch (m_options.course) {
        case Course::Flight:
            return 1000;
        case Course::Rest:
        case Course::Asleep:
            return -kFieldMass * kGravity / kFieldStiffness;
        case Course::Bouncing:
            return kDropHeight * (1 + 1.0 * body / m_options.bodies);
        default:
            return 0;
    }
}

double Field::height(int body) const {
    return static_cast<double>(m_bodies[static_cast<std::size_t>(body)]->getWorldTransform().getOrigin().y());
}

void Field::addPush(btRigidBody& body, const btVector3& place) {
    const btTransform onBody(kUpwards);
    const btTransform onGround(kUpwards, place);
    const bool isDamped = m_options.course == Course::Rest || m_options.course == Course::Asleep;
    const double d = isDamped ? 50 : 0;
    if (m_options.push == Push::Empty) {
        m_constraints.push_back(std::make_unique<EmptyConstraint>(body));
    } else if (m_options.push == Push::Spring2) {
        m_constraints.push_back(softLimit(body, place, d, m_options.h));
    } else if (m_options.push == Push::Elasto) {
        switch (m_options.course) {
            case Course::Series:
                m_constraints.push_back(std::make_unique<SpringDamperSeries>(
                    Placement::alongAxis(Placement::world(), body, onGround, onBody),
                    SpringDamperSeriesParameters{.c = 1e4, .d = 1e4}));
                break;
            case Course::Backlash:
                m_constraints.push_back(std::make_unique<ElastoBacklash>(
                    body, onBody, onGround, ElastoBacklashParameters{.c = 1e4, .d = 0, .b = 1.0 / 240}));
                break;
            default: {
                const double n = m_options.course == Course::Hertz ? 1.5 : 1;
                const double s_ref = m_options.course == Course::Hertz ? 1e-5 : 1;
                m_constraints.push_back(std::make_unique<ElastoGap>(
                    body, onBody, onGround, ElastoGapParameters{.c = kFieldStiffness, .d = d, .n = n, .s_ref = s_ref}));
            }
        }
    } else {
        return;
    }
    m_world.addConstraint(m_constraints.back().get());
}

// The baselines without constraints: a few lines each.
void Field::beforeTick(btDynamicsWorld* world, btScalar bulletH) {
    auto& field = *static_cast<Field*>(world->getWorldUserInfo());
    const double h = static_cast<double>(bulletH);
    if (field.m_options.push == Push::ExplicitLaw) {
        for (const auto& body : field.m_bodies) {
            const auto s = static_cast<double>(body->getWorldTransform().getOrigin().y());
            if (s < 0) body->applyCentralForce(vec(0, -kFieldStiffness * s, 0));
        }
        return;
    }
    if (field.m_options.push != Push::SubSteps && field.m_options.push != Push::SubStepsWithPose) return;
    for (std::size_t i = 0; i < field.m_bodies.size(); ++i) {
        btRigidBody& body = *field.m_bodies[i];
        double s = static_cast<double>(body.getWorldTransform().getOrigin().y());
        double v = static_cast<double>(body.getLinearVelocity().y());
        double end = s + h * (v - h * field.m_gravity / 2);
        double impulse = 0;
        if (std::min(s, end) < 0) {  // two parabolas cannot meet the stop and leave it within a tick otherwise
            const double step = h / kSubSteps;
            for (int k = 0; k < kSubSteps; ++k) {  // leapfrog
                s += step / 2 * v;
                const double force = s < 0 ? -kFieldStiffness * s : 0;
                v += step * (force / kFieldMass - field.m_gravity);
                impulse += step * force;
                s += step / 2 * v;
            }
            end = s;
            body.applyCentralForce(vec(0, impulse / h, 0));
        }
        field.m_heights[i] = end;
    }
}

void Field::afterTick(btDynamicsWorld* world, btScalar) {
    auto& field = *static_cast<Field*>(world->getWorldUserInfo());
    if (field.m_options.push != Push::SubStepsWithPose) return;
    for (std::size_t i = 0; i < field.m_bodies.size(); ++i) {
        btTransform pose = field.m_bodies[i]->getWorldTransform();
        pose.getOrigin().setY(btScalar(field.m_heights[i]));
        field.m_bodies[i]->setCenterOfMassTransform(pose);
    }
}

}  // namespace elasto::bench
