#include <elasto/errors.h>
#include <elasto/robot/joint_trajectory.h>

#include <catch2/catch.hpp>

#include <limits>

using namespace elasto;
using Interpolation = JointTrajectory::Interpolation;

namespace {

JointTrajectory parsed(const std::string& text, Interpolation interpolation = Interpolation::Linear) {
    return parseJointTrajectory(text, "moves.csv", interpolation);
}

std::string fileRefusal(const std::string& text) {
    try {
        parsed(text);
    } catch (const FileError& refused) {
        return refused.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a trajectory is read from comma-separated values") {
    const JointTrajectory moves = parsed("# from a planner\ntime, hip,knee\r\n0,1,-1\n\n 0.5 ,2,-3\n2,2,1e1\n");
    CHECK(moves.names() == std::vector<std::string>{"hip", "knee"});
    const std::size_t knee = moves.column("knee");
    CHECK(moves.at(knee, -1) == -1);
    CHECK(moves.at(knee, 0.25) == -2);
    CHECK(moves.rate(knee, 0.25) == -4);
    CHECK(moves.rate(knee, 0.5) == Approx(13 / 1.5));  // from there on
    CHECK(moves.at(knee, 3) == 10);
    CHECK(moves.rate(knee, 2) == 0);
    CHECK(moves.rate(knee, -0.1) == 0);
    CHECK(moves.nextBreak(0.5) == 2);
    CHECK(moves.nextBreak(2) == std::numeric_limits<double>::infinity());
    CHECK(moves.column("ankle") == 2);
}

TEST_CASE("a trajectory is read from a text of CombiTimeTable that names its columns") {
    const JointTrajectory moves = parsed("#1\ndouble moves(2,3)\n# columns: time hip knee\n0 1 2\n1 3 4\n");
    CHECK(moves.at(moves.column("knee"), 0.5) == 3);
}

TEST_CASE("a cubic trajectory passes through its rows with a continuous rate, and begins and ends at rest") {
    const JointTrajectory moves = parsed("time,a\n0,0\n1,2\n3,1\n4,5\n", Interpolation::Cubic);
    for (const auto& [t, value] : {std::pair(0.0, 0.0), {1.0, 2.0}, {3.0, 1.0}, {4.0, 5.0}})
        CHECK(moves.at(0, t) == Approx(value).margin(1e-15));
    const double small = 1e-7;
    CHECK(moves.rate(0, 0) == 0);
    CHECK(moves.rate(0, 4 - small) == Approx(0).margin(1e-4));
    // Of the parabola through three rows: (left 2 + right 1) / 3 of the slopes 2 and -1/2.
    CHECK(moves.rate(0, 1) == Approx((2 * 2 - 0.5) / 3));
    for (double t = 0.05; t < 4; t += 0.1) {
        CHECK(moves.rate(0, t) == Approx((moves.at(0, t + small) - moves.at(0, t - small)) / (2 * small)).margin(1e-6));
    }
    CHECK(moves.rate(0, 1 - small) == Approx(moves.rate(0, 1)).margin(1e-5));
    CHECK(moves.nextBreak(0) == std::numeric_limits<double>::infinity());
}

TEST_CASE("a cubic trajectory of a parabola is that parabola between inner rows") {
    const JointTrajectory moves = parsed("time,a\n-1,1\n0,0\n0.5,0.25\n2,4\n3,9\n", Interpolation::Cubic);
    for (const double t : {0.1, 0.4, 0.8, 1.9}) {
        CHECK(moves.at(0, t) == Approx(t * t));
        CHECK(moves.rate(0, t) == Approx(2 * t));
    }
}

TEST_CASE("a file that is no trajectory is refused with line and value") {
    CHECK(fileRefusal("hip,time\n0,1\n") == "moves.csv:1: 'hip' is not allowed; the first column is time");
    CHECK(fileRefusal("time,hip\n0,1\n0.5,x\n") == "moves.csv:3: 'x' is no number");
    CHECK(fileRefusal("time,hip\n0,1\n0.5,nan\n") == "moves.csv:3: 'nan' is no number");
    CHECK(fileRefusal("time,hip\n0,1\n1\n") == "moves.csv:3: has 1 numbers; the first line names 2 columns");
    CHECK(fileRefusal("time,hip\n1,1\n1,2\n") ==
          "moves.csv:3: time '1' is not allowed; it must be later than that of the row before");
    CHECK(fileRefusal("time,hip\n") == "moves.csv: has no row of numbers");
    CHECK(fileRefusal("") == "moves.csv: has no row of numbers");
    CHECK(fileRefusal("#1\ndouble moves(1,2)\n0 1\n") ==
          "moves.csv: table moves does not name its columns; a line `# columns: time ...` behind its head does");
    CHECK(fileRefusal("#1\ndouble moves(2,2)\n# columns: time hip\n0 1 0 2\n") ==
          "moves.csv: row 2 of table moves is not later than the one before");
    CHECK_THROWS_AS(JointTrajectory({"a"}, {0, 1}, {1}, Interpolation::Linear), InvalidParameter);
    CHECK_THROWS_AS(JointTrajectory({"a"}, {1, 0}, {1, 2}, Interpolation::Linear), InvalidParameter);
}
