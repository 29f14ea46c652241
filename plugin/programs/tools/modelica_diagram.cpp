#include "modelica_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <queue>

namespace elasto::tools {

namespace {

constexpr int kSize = 20;    ///< of a component
constexpr int kPitchX = 50;  ///< between columns
constexpr int kPitchY = 40;  ///< between rows

struct Spot {
    int x = 0, y = 0;
};

std::string ownerOf(const std::string& connector) {
    return connector.substr(0, connector.find('.'));
}

/// Where a connector is on its component's icon, as the library draws them.
Spot connectorAt(const Spot& middle, const std::string& connector) {
    const std::string name = connector.substr(connector.find('.') + 1);
    const auto begins = [&](const char* text) { return name.starts_with(text); };
    if (name == "support") return {middle.x - 6, middle.y + kSize / 2};
    if (name == "axis") return {middle.x + 6, middle.y + kSize / 2};
    if (begins("heatPort")) return {middle.x - kSize / 2, middle.y - kSize / 2};
    if (name == "Gc") return {middle.x, middle.y + kSize / 2};
    const bool isLeft = name.ends_with("_a") || name == "solid" || begins("f[") || begins("force") ||
                        begins("torque") || name == "f" || name == "tau" || name == "u";
    return {middle.x + (isLeft ? -1 : 1) * kSize / 2, middle.y};
}

/// As the library colours connections: frames, flanges along and about a line, heat, signals.
const char* colourOf(const std::string& type, const std::string& connector) {
    const std::string name = connector.substr(connector.find('.') + 1);
    if (name.starts_with("frame")) return "{95, 95, 95}";
    if (name.starts_with("heatPort") || name == "solid" || name == "fluid" || name == "port") return "{191, 0, 0}";
    const bool isSignal = name.starts_with("y") || name.starts_with("u") || name == "Gc";
    if (isSignal) return "{0, 0, 127}";
    return type.find("Rotational") == std::string::npos ? "{0, 127, 0}" : "{0, 0, 0}";
}

/// Which column each component is in.
std::vector<int> columnsOf(const ModelicaModel& model, const std::map<std::string, std::size_t>& places) {
    std::vector<std::vector<std::size_t>> beside(places.size());
    for (const ModelicaModel::Connection& connection : model.connections()) {
        if (connection.a.ends_with(".heatPort")) continue;  // all lead to one place: they tell nothing of the machine
        const std::size_t a = places.at(ownerOf(connection.a)), b = places.at(ownerOf(connection.b));
        beside[a].push_back(b);
        beside[b].push_back(a);
    }
    std::vector<int> columns(places.size(), -1);
    for (std::size_t first = 0; first < columns.size(); ++first) {
        if (columns[first] >= 0) continue;
        columns[first] = 0;
        std::queue<std::size_t> next;
        for (next.push(first); !next.empty(); next.pop()) {
            for (const std::size_t one : beside[next.front()]) {
                if (columns[one] >= 0) continue;
                columns[one] = columns[next.front()] + 1;
                next.push(one);
            }
        }
    }
    return columns;
}

std::string polyline(const std::vector<Spot>& places) {
    std::string text;
    for (const Spot& place : places) text += fmt::format("{}{{{}, {}}}", text.empty() ? "" : ", ", place.x, place.y);
    return "{" + text + "}";
}

}  // namespace

ModelicaDiagram diagramOf(const ModelicaModel& model) {
    std::map<std::string, std::size_t> index;
    for (const ModelicaComponent& component : model.components()) index.emplace(component.name(), index.size());
    const std::vector<int> columns = columnsOf(model, index);
    std::vector<Spot> places;
    std::map<int, int> rows;
    Spot least{-100, -100}, most{100, 100};
    ModelicaDiagram diagram;
    for (const int column : columns) {
        const Spot place{-80 + kPitchX * column, 80 - kPitchY * rows[column]++};
        places.push_back(place);
        most.x = std::max(most.x, place.x + kSize);
        least.y = std::min(least.y, place.y - kSize);
        diagram.placements.push_back(
            fmt::format("annotation(Placement(transformation(extent = {{{{{}, {}}}, {{{}, {}}}}})))",
                        place.x - kSize / 2, place.y - kSize / 2, place.x + kSize / 2, place.y + kSize / 2));
    }
    for (const ModelicaModel::Connection& connection : model.connections()) {
        const std::size_t a = index.at(ownerOf(connection.a)), b = index.at(ownerOf(connection.b));
        const Spot from = connectorAt(places[a], connection.a), to = connectorAt(places[b], connection.b);
        const int middle = (from.x + to.x) / 2;
        diagram.lines.push_back(fmt::format("annotation(Line(points = {}, color = {}))",
                                            polyline({from, {middle, from.y}, {middle, to.y}, to}),
                                            colourOf(model.components()[a].type(), connection.a)));
    }
    diagram.extent = fmt::format("Diagram(coordinateSystem(extent = {}))", polyline({least, most}));
    return diagram;
}

}  // namespace elasto::tools
