// A picture that is refilled with as much as before takes no new memory.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "../../demos/view/batches.h"
#include "studio.h"

namespace {
int g_allocations = 0;
}

void* operator new(std::size_t size) {
    ++g_allocations;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace elasto::view {
namespace {

void fill(Picture& picture, float shift) {
    picture.clear();
    picture.planes.emplace_back();
    for (int i = 0; i < 50; ++i) {
        const Eigen::Vector3f place(0.1F * static_cast<float>(i), shift, 0);
        Box box;
        box.pose.position = place;
        picture.boxes.push_back(box);
        Spring spring;
        spring.a = place;
        spring.b = place + Eigen::Vector3f(0, 0.5F, 0);
        picture.springs.push_back(spring);
        Arrow arrow;
        arrow.from = place;
        arrow.vector = {0, 0.3F, 0};
        picture.arrows.push_back(arrow);
        Gear gear;
        gear.pose.position = place;
        picture.gears.push_back(gear);
        Line line;
        line.b = place;
        picture.lines.push_back(line);
    }
}

TEST_CASE("Refilling a picture and sorting it allocates nothing") {
    Picture picture;
    Batches batches;
    const Camera camera;
    fill(picture, 0);
    batches.fill(picture, camera, 480, 1);
    const int before = g_allocations;
    fill(picture, 0.01F);
    batches.fill(picture, camera, 480, 1);
    const int after = g_allocations;
    CHECK(after == before);
    CHECK(batches.objects() == 6 * 50);
    // What the test would see.
    picture.boxes.resize(5000);
    batches.fill(picture, camera, 480, 1);
    CHECK(g_allocations > after);
}

TEST_CASE("Meshes that are not drawn any more are given up") {
    Picture picture;
    Batches batches;
    const Camera camera;
    picture.hulls.push_back({{}, Eigen::Vector3f::Ones(), std::make_shared<Mesh>(), {}});
    const std::weak_ptr<const Mesh> mesh = picture.hulls.front().mesh;
    batches.fill(picture, camera, 480, 1);
    picture.clear();
    CHECK_FALSE(mesh.expired());
    for (int frame = 0; frame < 700; ++frame) batches.fill(picture, camera, 480, 1);
    CHECK(mesh.expired());
}

}  // namespace
}  // namespace elasto::view
