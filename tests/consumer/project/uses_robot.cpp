// A URDF robot in a world: a bar begins to fall from the horizontal.
#include <elasto/plugin.h>
#include <elasto/robot/load_robot.h>
#include <elasto/robot/robot.h>

#include <BulletCollision/btBulletCollisionCommon.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>

#include <cmath>
#include <cstdio>

int main() {
    const char* text = R"(<robot name="pendulum">
        <link name="world"/>
        <link name="bar"><inertial><origin xyz="0.5 0 0"/><mass value="3"/>
            <inertia ixx="0.01" ixy="0" ixz="0" iyy="0.25" iyz="0" izz="0.25"/></inertial></link>
        <joint name="hinge" type="continuous"><parent link="world"/><child link="bar"/><axis xyz="0 1 0"/></joint>
    </robot>)";
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, -10));
    elasto::Plugin plugin(&world);
    elasto::Robot robot(elasto::parseRobot(text));
    robot.addTo(world);
    world.stepSimulation(btScalar(1) / 100, 1, btScalar(1) / 100);
    const double expected = 3 * 10 * 0.5 / (0.25 + 3 * 0.25) / 100;
    if (std::abs(robot.v(0) - expected) > 1e-6) {
        std::printf("%.9g rad/s instead of %.9g rad/s\n", robot.v(0), expected);
        return 1;
    }
    std::printf("%s precision: ok\n", elasto::kPrecision);
}
