// How soon the gallery shows its first frame, and how many frames per second its renderer draws: springs that all move,
// without a display.
// elasto-bench-gallery [springs [width height]]

#include <epoxy/gl.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <string>

#include "view/context.h"
#include "view/renderer.h"

namespace {

using namespace elasto::view;
using Eigen::Vector3f;

/// A field of weights on springs at a time [s].
void fill(Picture& picture, int springs, float time) {
    picture.clear();
    picture.planes.emplace_back();
    const int columns = static_cast<int>(std::ceil(std::sqrt(1.6 * springs)));
    for (int i = 0; i < springs; ++i) {
        const auto column = static_cast<float>(i % columns);
        const auto row = static_cast<float>(i) / static_cast<float>(columns);
        const float length = 0.3F + 0.12F * std::sin(5 * time + 0.3F * column + 0.2F * std::floor(row));
        Spring spring;
        spring.a = {0.25F * column, 0, -0.25F * std::floor(row)};
        spring.b = spring.a + Vector3f(0, length, 0);
        spring.width = 0.12F;
        spring.coilWidth = 0.016F;
        spring.surface.color = Color::bytes(0, 0, 255);
        spring.surface.specularCoefficient = 0.7F;
        picture.springs.push_back(spring);
    }
}

void measure(const char* name, int springs, const Quality& quality, Renderer& renderer, Target& target) {
    Picture picture;
    fill(picture, springs, 0);
    Camera camera;
    camera.viewpoint.elevation = 0.5F;
    camera.fit(bounds(picture), static_cast<float>(target.width()) / static_cast<float>(target.height()));
    constexpr int kWarmUp = 2;
    constexpr double kSeconds = 3;
    using Clock = std::chrono::steady_clock;
    Clock::time_point start;
    std::clock_t startOfWork = 0;
    double seconds = 0;
    int frames = -kWarmUp;
    while (seconds < kSeconds) {
        if (frames == 0) {
            start = Clock::now();
            startOfWork = std::clock();
        }
        ++frames;
        fill(picture, springs, 0.016F * static_cast<float>(frames));
        renderer.draw(picture, camera, Light::bright(), quality, target);
        glFinish();
        if (frames > 0) seconds = std::chrono::duration<double>(Clock::now() - start).count();
    }
    const double work = static_cast<double>(std::clock() - startOfWork) / CLOCKS_PER_SEC;
    std::printf("  %-44s %8.1f frames/s %9.2f ms of processors per frame %9d triangles\n", name, frames / seconds,
                1e3 * work / frames, renderer.statistics().triangles);
}

/// Runs a command. @return whether it ended well; then time on the clock and of processors [s]
bool timed(const std::string& command, double& seconds, double& work) {
    using Clock = std::chrono::steady_clock;
    rusage before{};
    rusage after{};
    getrusage(RUSAGE_CHILDREN, &before);
    const Clock::time_point start = Clock::now();
    const bool isGood = std::system(command.c_str()) == 0;
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
    getrusage(RUSAGE_CHILDREN, &after);
    const auto sum = [](const rusage& use) {
        return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
               1e-6 * static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
    };
    work = sum(after) - sum(before);
    return isGood;
}

/// From the start of the program to its end after one frame: the first frame took less.
void measureStart() {
    double load = 0;
    getloadavg(&load, 1);
    std::printf("elasto-gallery, one frame, from its start to its end (load of this machine %.1f)\n", load);
    const std::string start = "'" ELASTO_GALLERY "' --demo stiff_stop --frames 1 ";
    const auto row = [&](const char* name, const std::string& options) {
        constexpr int kRuns = 3;
        double least = 1e9;
        double leastWork = 1e9;
        for (int run = 0; run < kRuns; ++run) {
            double seconds = 0;
            double work = 0;
            if (!timed(start + options, seconds, work)) {
                std::printf("  %-44s failed\n", name);
                return;
            }
            least = std::min(least, seconds);
            leastWork = std::min(leastWork, work);
        }
        std::printf("  %-44s %8.2f s on the clock %8.2f s of processors\n", name, least, leastWork);
    };
    const std::filesystem::path picture =
        std::filesystem::temp_directory_path() / ("elasto-bench-gallery-" + std::to_string(getpid()) + ".png");
    row("a picture without a display, best quality", "--screenshot '" + picture.string() + "'");
    std::filesystem::remove(picture);
    if (std::getenv("DISPLAY") != nullptr) row("a window", "");
}

int run(int springs, int width, int height) {
    measureStart();
    const Context context;
    Renderer renderer(ELASTO_SHADERS);
    std::printf("%d moving springs, %d x %d, drawn by %s\n", springs, width, height, rendererName().c_str());
    Target sampled(width, height, 4);
    Target plain(width, height, 1);
    measure("best: soft shadows, 4 samples", springs, Quality::best(), renderer, sampled);
    const int samples = Quality::interactiveSamples();
    Target interactive(width, height, samples);
    measure(samples == 4 ? "window's default: 4 samples" : "window's default here: 1 sample", springs,
            Quality::interactive(), renderer, interactive);
    Quality least = Quality::interactive();
    least.shadows = Shadows::Off;
    least.contactShade = false;
    measure("no shadows, 1 sample", springs, least, renderer, plain);
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const int springs = argc > 1 ? std::atoi(argv[1]) : 1000;
        const int width = argc > 3 ? std::atoi(argv[2]) : 1280;
        const int height = argc > 3 ? std::atoi(argv[3]) : 720;
        if (springs < 1) {
            std::fprintf(stderr, "usage: %s [springs [width height]]\n", argv[0]);
            return 2;
        }
        return run(springs, width, height);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
        return 1;
    }
}
