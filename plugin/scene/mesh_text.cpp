#include "mesh_text.h"

#include <elasto/scene/input_file.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>

namespace elasto::scene {

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

template <class Number>
std::optional<Number> numberOf(std::string_view word) {
    // from_chars takes no plus sign.
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    Number value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    return value;
}

Eigen::Vector3d takeVertex(std::string_view line, std::size_t lineNumber) {
    Eigen::Vector3d vertex;
    for (int k = 0; k < 3; ++k) {
        const std::string_view word = takeWord(line);
        const std::optional<double> value = numberOf<double>(word);
        if (!value || !std::isfinite(*value)) {
            throw MeshError("line " + std::to_string(lineNumber) + ": \"" + std::string(word) +
                            "\" is not allowed; a vertex must be three finite numbers");
        }
        vertex[k] = *value;
    }
    return vertex;
}

/// Visits what follows a keyword on its lines, with their numbers.
template <class Visit>
void forEachLine(std::string_view content, std::string_view keyword, const Visit& visit) {
    std::size_t lineNumber = 0;
    while (!content.empty()) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        ++lineNumber;
        if (takeWord(line) == keyword) visit(line, lineNumber);
    }
}

/// The vertices on lines that begin with a keyword: `v` in OBJ, `vertex` in STL as text.
std::vector<Eigen::Vector3d> verticesOnLines(std::string_view content, std::string_view keyword) {
    std::vector<Eigen::Vector3d> points;
    forEachLine(content, keyword,
                [&](std::string_view line, std::size_t lineNumber) { points.push_back(takeVertex(line, lineNumber)); });
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

/// The corners on a line `f`: `7`, `7/2` or `7/2/3`, the vertex first, counted from 1; -1 is the last one so far.
std::vector<int> takeCorners(std::string_view line, std::size_t lineNumber, int vertices) {
    std::vector<int> corners;
    for (std::string_view word = takeWord(line); !word.empty(); word = takeWord(line)) {
        const std::optional<int> given = numberOf<int>(word.substr(0, word.find('/')));
        const int index = !given ? -1 : *given < 0 ? vertices + *given : *given - 1;
        if (index < 0 || index >= vertices) {
            throw MeshError("line " + std::to_string(lineNumber) + ": \"" + std::string(word) +
                            "\" is not allowed; a corner must be one of the " + std::to_string(vertices) + " vertices");
        }
        corners.push_back(index);
    }
    return corners;
}

/// Corners of an OBJ's triangles, indices of its vertices.
std::vector<std::array<int, 3>> trianglesOfObj(std::string_view content, int vertices) {
    std::vector<std::array<int, 3>> triangles;
    forEachLine(content, "f", [&](std::string_view line, std::size_t lineNumber) {
        const std::vector<int> corners = takeCorners(line, lineNumber, vertices);
        for (std::size_t k = 2; k < corners.size(); ++k) {
            triangles.push_back({corners[0], corners[k - 1], corners[k]});
        }
    });
    return triangles;
}

/// Corners of an STL's triangles: its vertices, three by three.
std::vector<std::array<int, 3>> trianglesOfStl(int vertices) {
    std::vector<std::array<int, 3>> triangles;
    for (int k = 0; k + 2 < vertices; k += 3) triangles.push_back({k, k + 1, k + 2});
    return triangles;
}

/// Keeps each point once: triangles that share an edge share its ends.
TriangleMesh merged(const std::vector<Eigen::Vector3d>& vertices, const std::vector<std::array<int, 3>>& triangles) {
    TriangleMesh mesh;
    std::map<std::tuple<double, double, double>, int> places;
    std::vector<int> placeOf;
    for (const Eigen::Vector3d& vertex : vertices) {
        const auto next = static_cast<int>(mesh.points.size());
        const auto [place, isNew] = places.try_emplace({vertex.x(), vertex.y(), vertex.z()}, next);
        if (isNew) mesh.points.push_back(vertex);
        placeOf.push_back(place->second);
    }
    for (const std::array<int, 3>& triangle : triangles) {
        std::array<int, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) corners[k] = placeOf[static_cast<std::size_t>(triangle[k])];
        const auto at = [&](std::size_t k) { return mesh.points[static_cast<std::size_t>(corners[k])]; };
        if (hasArea(at(0), at(1), at(2))) mesh.triangles.push_back(corners);
    }
    return mesh;
}

}  // namespace

bool hasArea(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
    constexpr double kRounding = 1e-7;  // of coordinates in single precision
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    return (b - a).cross(c - a).norm() > kRounding * longest * longest;
}

std::string meshEnding(const std::filesystem::path& file) {
    std::string ending = file.extension().string();
    for (char& letter : ending) letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    return ending;
}

std::vector<Eigen::Vector3d> meshVertices(std::string_view content, std::string_view ending) {
    if (ending == ".obj") return verticesOnLines(content, "v");
    return isBinaryStl(content) ? verticesOfBinaryStl(content) : verticesOnLines(content, "vertex");
}

TriangleMesh meshTriangles(std::string_view content, std::string_view ending) {
    const std::vector<Eigen::Vector3d> vertices = meshVertices(content, ending);
    const auto count = static_cast<int>(vertices.size());
    TriangleMesh mesh = merged(vertices, ending == ".obj" ? trianglesOfObj(content, count) : trianglesOfStl(count));
    if (mesh.triangles.empty()) throw MeshError("it has no triangle with an area");
    return mesh;
}

TriangleMesh meshTriangles(const std::filesystem::path& file) {
    std::string problem;
    const std::string content = readFile(file, problem);
    if (!problem.empty()) throw MeshError("it cannot be read: " + problem);
    const std::string ending = meshEnding(file);
    if (ending != ".obj" && ending != ".stl") {
        throw MeshError("the format \"" + ending + "\" is not allowed; it must be a .obj or .stl file");
    }
    return meshTriangles(content, ending);
}

}  // namespace elasto::scene
