#include "families.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace elasto::differential {

const std::vector<Family>& families() {
    static const std::vector<Family> all = {
        {"line", makeLine},     {"law", makeLaw},     {"chain", makeChain}, {"wheel", makeWheel}, {"gear", makeGear},
        {"crank", makeCrank},   {"cam", makeCam},     {"drive", makeDrive}, {"door", makeDoor},   {"web", makeWeb},
        {"bounce", makeBounce}, {"plate", makePlate}, {"grip", makeGrip},   {"cart", makeCart},
    };
    return all;
}

std::string Identity::text() const {
    return family + ":" + std::to_string(seed) + ":" + std::to_string(index);
}

Identity Identity::parse(const std::string& text) {
    const auto number = [&](const std::string& part) {
        std::uint64_t value = 0;
        const auto end = std::from_chars(part.data(), part.data() + part.size(), value);
        if (part.empty() || end.ptr != part.data() + part.size() || end.ec != std::errc()) {
            throw std::invalid_argument("'" + text + "' is no machine; it must be like chain:1:17");
        }
        return value;
    };
    const std::size_t first = text.find(':');
    const std::size_t second = first == std::string::npos ? first : text.find(':', first + 1);
    if (second == std::string::npos) {
        throw std::invalid_argument("'" + text + "' is no machine; it must be like chain:1:17");
    }
    Identity identity{text.substr(0, first), number(text.substr(first + 1, second - first - 1)),
                      number(text.substr(second + 1))};
    const auto& all = families();
    if (std::none_of(all.begin(), all.end(), [&](const Family& family) { return family.name == identity.family; })) {
        throw std::invalid_argument("'" + identity.family + "' is no family");
    }
    return identity;
}

Json makeScene(const Identity& identity, const std::vector<int>& rates) {
    Draws draws(identity.seed, identity.family, identity.index);
    const auto& all = families();
    const auto family =
        std::find_if(all.begin(), all.end(), [&](const Family& one) { return one.name == identity.family; });
    int rate = static_cast<int>(std::lround(draws.magnitude(30, 2000)));
    if (!rates.empty()) rate = rates[static_cast<std::size_t>(draws.from(0, static_cast<int>(rates.size()) - 1))];
    Json scene = family->make(draws).scene();
    scene["name"] = identity.text();
    const auto& bodies = scene["bodies"];
    const bool isDriven = std::any_of(bodies.begin(), bodies.end(), [](const Json& b) { return b.contains("path"); });
    if (isDriven) rate = kBeat * std::max(1, (rate + kBeat / 2) / kBeat);
    scene["rate"] = rate;
    if (draws.chance(0.3)) turn(scene, draws.orientation());
    return scene;
}

}  // namespace elasto::differential
