// Recording runs; compiled for each of Bullet's precisions.

#include <elasto/scene/load_scene.h>
#include <elasto/scene/recorder.h>

#include <catch2/catch.hpp>

#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace elasto;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

Scene fallingBall() {
    return parseScene(R"({"elasto": 1, "name": "ball", "duration": 1, "rate": 100,
        "bodies": [{"name": "ball", "mass": 0.2, "inertia": [1, 1, 1], "position": [0, 0.3, 0]}],
        "elements": [{"name": "gap", "type": "ElastoGap", "axis": [0, 1, 0], "frame_a": {"body": "world"},
                      "frame_b": {"body": "ball"}, "c": 1000, "d": 1}],
        "record": [{"signal": "ball.r_0[2]", "as": "ball.s"}, "gap.s_rel", "gap.f_*", "gap.contact"]})");
}

class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "elasto-recorder-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }
    ~Folder() { fs::remove_all(m_path); }
    fs::path file(const char* name) const { return m_path / name; }
    std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(m_path), fs::directory_iterator()); }

private:
    fs::path m_path;
};

std::string read(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> lines(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> result;
    for (std::string line; std::getline(stream, line);) result.push_back(line);
    return result;
}

}  // namespace

TEST_CASE("a recorder has a row at the start and one per tick") {
    SceneWorld world(fallingBall());
    Recorder recorder(world);
    CHECK(recorder.rows() == 1);
    CHECK(recorder.time() == std::vector<double>{0});
    CHECK(recorder.column("ball.s")[0] == Approx(0.3).epsilon(1e-7));
    for (int i = 0; i < 50; ++i) {
        world.step();
        recorder.record();
    }
    CHECK(recorder.rows() == 51);
    CHECK(recorder.time().back() == 0.5);
    REQUIRE(recorder.column("gap.s_rel").size() == 51);
    CHECK(recorder.column("gap.s_rel") == recorder.column(1));
    CHECK(recorder.column("gap.s_rel")[20] < 0.3);
    // 0.3 m take 0.247 s: it has been in contact since, and pushed.
    const std::vector<double>& contact = recorder.column("gap.contact");
    CHECK(std::count(contact.begin(), contact.begin() + 25, 1.0) == 0);
    CHECK(std::count(contact.begin(), contact.end(), 1.0) > 0);
    const std::vector<double>& mean = recorder.column("gap.f_mean");
    CHECK(*std::min_element(mean.begin(), mean.end()) < -1);
    CHECK(*std::max_element(mean.begin(), mean.end()) == 0);
    CHECK_THROWS_WITH(recorder.column("ball.x"), Contains("no column 'ball.x'"));
}

TEST_CASE("mean forces of the ticks add up to the momentum") {
    SceneWorld world(fallingBall());
    Recorder recorder(world, availableSignals(world.scene()));
    double impulse = 0;
    for (int i = 0; i < 60; ++i) {
        world.step();
        recorder.record();
        impulse -= recorder.column("gap.f_mean").back() * world.tickLength();
    }
    const double momentum = 0.2 * recorder.column("ball.v_0[2]").back();
    CHECK(momentum == Approx(impulse - 0.2 * 9.80665 * 0.6).epsilon(1e-4));
}

TEST_CASE("recorded quaternions do not jump") {
    SceneWorld world(parseScene(R"({"elasto": 1, "name": "top", "gravity": [0, 0, 0], "duration": 2,
        "bodies": [{"name": "top", "mass": 1, "inertia": [1, 1, 1], "orientation": [0, 0, 0, -1],
                    "angularVelocity": [0, 0, 10]}], "record": ["top.q[*]"]})"));
    Recorder recorder(world);
    CHECK(recorder.column("top.q[4]")[0] == -1);
    while (world.ticks() < world.ticksToEnd()) {
        world.step();
        recorder.record();
        const double half = 10 * world.time() / 2;  // more than three turns in all
        CHECK(recorder.column("top.q[3]").back() == Approx(-std::sin(half)).margin(1e-3));
        CHECK(recorder.column("top.q[4]").back() == Approx(-std::cos(half)).margin(1e-3));
    }
}

TEST_CASE("the CSV holds the columns with Modelica's names, bit for bit") {
    const Folder folder;
    SceneWorld world(fallingBall());
    Recorder recorder(world);
    for (int i = 0; i < 30; ++i) {
        world.step();
        recorder.record();
    }
    recorder.writeCsv(folder.file("run.csv"));
    CHECK(folder.files() == 1);
    const std::vector<std::string> rows = lines(read(folder.file("run.csv")));
    REQUIRE(rows.size() == 32);
    CHECK(rows[0] ==
          "\"time\",\"ball.s\",\"gap.s_rel\",\"gap.f_mean\",\"gap.f_c\",\"gap.f_d\",\"gap.f_d2\",\"gap.contact\"");
    for (std::size_t k = 0; k < recorder.rows(); ++k) {
        std::istringstream row(rows[k + 1]);
        std::string cell;
        REQUIRE(std::getline(row, cell, ','));
        CHECK(std::stod(cell) == recorder.time()[k]);
        for (std::size_t i = 0; i < recorder.signals().size(); ++i) {
            REQUIRE(std::getline(row, cell, ','));
            CHECK(std::stod(cell) == recorder.column(i)[k]);
        }
    }
}

TEST_CASE("a streamed run is the same file as one that was kept") {
    const Folder folder;
    SceneWorld first(fallingBall());
    SceneWorld second(fallingBall());
    Recorder kept(first);
    Recorder streamed(second);
    for (int i = 0; i < 20; ++i) {
        first.step();
        second.step();
        kept.record();
        if (i == 5) streamed.streamCsv(folder.file("streamed.csv"));  // with the rows so far
        streamed.record();
    }
    CHECK_FALSE(fs::exists(folder.file("streamed.csv")));
    streamed.finishCsv();
    kept.writeCsv(folder.file("kept.csv"));
    CHECK(read(folder.file("streamed.csv")) == read(folder.file("kept.csv")));
    CHECK(streamed.rows() == 21);
    CHECK(streamed.time().empty());
    second.step();
    streamed.record();
    CHECK(streamed.time().size() == 1);
}

TEST_CASE("an interrupted run leaves the rows so far, a failed one nothing") {
    const Folder folder;
    SceneWorld world(fallingBall());
    {
        Recorder recorder(world);
        recorder.streamCsv(folder.file("interrupted.csv"));
        for (int i = 0; i < 7; ++i) {
            world.step();
            recorder.record();
        }
        recorder.finishCsv();
        recorder.finishCsv();  // once more does nothing
    }
    CHECK(lines(read(folder.file("interrupted.csv"))).size() == 9);
    {
        Recorder recorder(world);
        recorder.streamCsv(folder.file("failed.csv"));
        recorder.record();
    }
    CHECK(folder.files() == 1);
}

TEST_CASE("a file that cannot be written is an error before the first tick") {
    SceneWorld world(fallingBall());
    Recorder recorder(world);
    CHECK_THROWS_AS(recorder.streamCsv("/proc/nothing/run.csv"), FileError);
    CHECK_THROWS_WITH(recorder.writeCsv("/nowhere/run.csv"), Contains("/nowhere/run.csv: cannot be written: "));
    CHECK_THROWS_WITH(recorder.writeCsv("/dev/full"), Contains("No space left on device"));
    // It goes on recording.
    world.step();
    recorder.record();
    CHECK(recorder.time().size() == 2);
}
