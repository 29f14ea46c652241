#include "mesh_points.h"

#include "collada_points.h"
#include "xml_file.h"

#include <elasto/scene/input_file.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <set>
#include <tuple>

namespace elasto::robot {

namespace {

constexpr std::string_view kSpaces = " \t\r";

/// Takes the first word off a line.
std::string_view takeWord(std::string_view& line) {
    const std::size_t begin = std::min(line.find_first_not_of(kSpaces), line.size());
    const std::size_t end = std::min(line.find_first_of(kSpaces, begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    line.remove_prefix(end);
    return word;
}

Eigen::Vector3d takeVertex(std::string_view line, std::size_t lineNumber) {
    Eigen::Vector3d vertex;
    for (int k = 0; k < 3; ++k) {
        const std::string_view word = takeWord(line);
        const std::optional<double> value = parseNumber(word);
        if (!value) {
            throw MeshError("line " + std::to_string(lineNumber) + ": \"" + std::string(word) +
                            "\" is not allowed; a vertex must be three finite numbers");
        }
        vertex[k] = *value;
    }
    return vertex;
}

/// The vertices on lines that begin with a keyword: `v` in OBJ, `vertex` in STL as text.
std::vector<Eigen::Vector3d> verticesOnLines(std::string_view content, std::string_view keyword) {
    std::vector<Eigen::Vector3d> points;
    std::size_t lineNumber = 0;
    while (!content.empty()) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        ++lineNumber;
        if (takeWord(line) == keyword) points.push_back(takeVertex(line, lineNumber));
    }
    return points;
}

float floatAt(std::string_view content, std::size_t offset) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(content[offset + k])) << (8 * k);
    }
    return std::bit_cast<float>(bits);
}

constexpr std::size_t kStlHeader = 84;
constexpr std::size_t kStlTriangle = 50;

/// A binary STL is known by its length: some begin with "solid" too.
bool isBinaryStl(std::string_view content) {
    if (content.size() < kStlHeader) return false;
    const std::size_t triangles = std::bit_cast<std::uint32_t>(floatAt(content, kStlHeader - 4));
    return content.size() == kStlHeader + triangles * kStlTriangle;
}

std::vector<Eigen::Vector3d> verticesOfBinaryStl(std::string_view content) {
    std::vector<Eigen::Vector3d> points;
    for (std::size_t triangle = kStlHeader; triangle < content.size(); triangle += kStlTriangle) {
        for (std::size_t corner = triangle + 12; corner < triangle + 48; corner += 12) {
            Eigen::Vector3d vertex;
            for (std::size_t k = 0; k < 3; ++k) {
                vertex[static_cast<int>(k)] = static_cast<double>(floatAt(content, corner + 4 * k));
            }
            if (!vertex.allFinite()) throw MeshError("a vertex is not finite");
            points.push_back(vertex);
        }
    }
    return points;
}

std::vector<Eigen::Vector3d> withoutDoubles(const std::vector<Eigen::Vector3d>& points) {
    std::set<std::tuple<double, double, double>> seen;
    std::vector<Eigen::Vector3d> kept;
    for (const Eigen::Vector3d& point : points) {
        if (seen.emplace(point.x(), point.y(), point.z()).second) kept.push_back(point);
    }
    return kept;
}

/// Farthest point by some measure.
template <typename Measure>
const Eigen::Vector3d& farthest(const std::vector<Eigen::Vector3d>& points, const Measure& measure) {
    return *std::max_element(points.begin(), points.end(), [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
        return measure(a) < measure(b);
    });
}

/// Whether the points lie in one plane, on a line or in a point, up to rounding.
bool isFlat(const std::vector<Eigen::Vector3d>& points) {
    constexpr double kThin = 1e-9;  // of the size
    const Eigen::Vector3d& first = points.front();
    const Eigen::Vector3d length =
        farthest(points, [&](const Eigen::Vector3d& p) { return (p - first).norm(); }) - first;
    const double size = length.norm();
    if (!(size > 0)) return true;
    const Eigen::Vector3d along = length / size;
    const Eigen::Vector3d width =
        farthest(points, [&](const Eigen::Vector3d& p) { return along.cross(p - first).norm(); }) - first;
    const Eigen::Vector3d normal = along.cross(width);
    if (normal.norm() <= kThin * size) return true;
    const Eigen::Vector3d up = normal.normalized();
    const auto height = [&](const Eigen::Vector3d& p) { return std::abs(up.dot(p - first)); };
    return height(farthest(points, height)) <= kThin * size;
}

}  // namespace

std::vector<Eigen::Vector3d> meshPoints(std::string_view content, std::string_view ending) {
    std::vector<Eigen::Vector3d> points;
    if (ending == ".obj") {
        points = verticesOnLines(content, "v");
    } else if (ending == ".stl") {
        points = isBinaryStl(content) ? verticesOfBinaryStl(content) : verticesOnLines(content, "vertex");
    } else if (ending == ".dae") {
        points = colladaPoints(content);
    } else {
        throw MeshError("the format \"" + std::string(ending) +
                        "\" is not allowed; a mesh must be a .obj, .stl or .dae file");
    }
    points = withoutDoubles(points);
    if (points.size() < 4) {
        throw MeshError("it has " + std::to_string(points.size()) + " different vertices; a hull must have at least 4");
    }
    if (isFlat(points)) throw MeshError("all its vertices lie in one plane; a hull must have a volume");
    return points;
}

std::vector<Eigen::Vector3d> meshPoints(const std::filesystem::path& file) {
    std::string problem;
    const std::string content = readFile(file, problem);
    if (!problem.empty()) throw MeshError("it cannot be read: " + problem);
    std::string ending = file.extension().string();
    for (char& letter : ending) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    return meshPoints(content, ending);
}

}  // namespace elasto::robot
