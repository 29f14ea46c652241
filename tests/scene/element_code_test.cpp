// Elements as C++: the text compiles, and makes the elements that the scene makes.

#include "complete_scene.h"

#include <elasto/elasto.h>
#include <elasto/scene/element_code.h>
#include <elasto/scene/scene_world.h>

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <vector>

using namespace elasto;

namespace {

Scene complete() {
    return parseScene(completeScene().dump());
}

/// What element_code.inc makes of the complete scene's bodies.
class Copied {
public:
    explicit Copied(SceneWorld& scene) {
        btDynamicsWorld& world = scene.world();
        btRigidBody& box = scene.body("box");
        btRigidBody& ball = scene.body("ball");
        btRigidBody& can = scene.body("can");
        btRigidBody& pill = scene.body("pill");
        btRigidBody& floor = scene.body("floor");
        btRigidBody& lift = scene.body("lift");
        btRigidBody& arm = scene.body("arm");
        btRigidBody& rod = scene.body("rod");
        btRigidBody& tool = scene.body("tool");
        btRigidBody& mount = scene.body("mount");
#include "element_code.inc"
        for (const ForceElement* element :
             {static_cast<const ForceElement*>(&gap), static_cast<const ForceElement*>(&bumper),
              static_cast<const ForceElement*>(&lash), static_cast<const ForceElement*>(&lash2),
              static_cast<const ForceElement*>(&series), static_cast<const ForceElement*>(&spring),
              static_cast<const ForceElement*>(&damper), static_cast<const ForceElement*>(&parallel),
              static_cast<const ForceElement*>(&springDamper), static_cast<const ForceElement*>(&torsion),
              static_cast<const ForceElement*>(&bushing), static_cast<const ForceElement*>(&joint),
              static_cast<const ForceElement*>(&bump), static_cast<const ForceElement*>(&rub),
              static_cast<const ForceElement*>(&bearing), static_cast<const ForceElement*>(&clutch),
              static_cast<const ForceElement*>(&mesh), static_cast<const ForceElement*>(&rope),
              static_cast<const ForceElement*>(&angleStop)}) {
            placements.push_back(element->placement());
            laws.push_back(element->law());
        }
        for (int i = world.getNumConstraints() - 1; i >= 0; --i) {
            btTypedConstraint* constraint = world.getConstraint(i);
            for (ForceElement* element : std::initializer_list<ForceElement*>{
                     &gap, &bumper, &lash, &lash2, &series, &spring, &damper, &parallel, &springDamper, &torsion,
                     &bushing, &joint, &bump, &rub, &bearing, &clutch, &mesh, &rope, &angleStop}) {
                if (constraint != element) continue;
                ++added;
                world.removeConstraint(constraint);
                break;
            }
        }
    }

    std::vector<Placement> placements;
    std::vector<Law> laws;
    int added = 0;
};

}  // namespace

TEST_CASE("the code of elements of all types is the text that compiles here") {
    const Scene scene = complete();
    std::string code;
    for (const SceneElement& element : scene.elements) code += codeOf(element, scene);
    std::ifstream file(ELASTO_SOURCE_DIR "/tests/scene/element_code.inc");
    CHECK(code == std::string(std::istreambuf_iterator<char>(file), {}));
}

TEST_CASE("the code of elements makes the elements of the scene") {
    SceneWorld world(complete());
    const Copied copied(world);
    REQUIRE(copied.laws.size() == world.scene().elements.size());
    CHECK(copied.added == static_cast<int>(copied.laws.size()));
    for (std::size_t i = 0; i < copied.laws.size(); ++i) {
        INFO(world.scene().elements[i].name);
        const ForceElement& element = world.element(i);
        const Placement& wanted = element.placement();
        const Placement& made = copied.placements[i];
        CHECK(copied.laws[i] == element.law());
        CHECK(&made.bodyA() == &wanted.bodyA());
        CHECK(&made.bodyB() == &wanted.bodyB());
        CHECK(made.geometry() == wanted.geometry());
        CHECK(made.isGearPair() == wanted.isGearPair());
        CHECK(made.ratio() == wanted.ratio());
        if (made.isGearPair()) continue;  // its frames may be turned together about the wheel's axis
        CHECK((made.pointA() - wanted.pointA()).norm() < 1e-15);
        CHECK((made.pointB() - wanted.pointB()).norm() < 1e-15);
        CHECK((made.axis() - wanted.axis()).norm() < 1e-15);
        CHECK(made.frameA().angularDistance(wanted.frameA()) < 1e-7);
        CHECK(made.frameB().angularDistance(wanted.frameB()) < 1e-7);
    }
}
