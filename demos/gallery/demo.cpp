#include "gallery/demo.h"

#include <algorithm>
#include <utility>

namespace elasto::gallery {

namespace {

/// Made by whoever registers first: files are initialised in no particular order.
std::vector<Demo>& registry() {
    static std::vector<Demo> demos;
    return demos;
}

bool isBefore(const Demo& a, const Demo& b) {
    return std::pair(a.place, std::string_view(a.name)) < std::pair(b.place, std::string_view(b.name));
}

}  // namespace

const std::vector<Demo>& demos() {
    return registry();
}

const Demo* findDemo(std::string_view name) {
    const std::vector<Demo>& all = demos();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Demo& demo) { return demo.name == name; });
    return found != all.end() ? &*found : nullptr;
}

Registration::Registration(Demo demo) {
    std::vector<Demo>& all = registry();
    all.insert(std::upper_bound(all.begin(), all.end(), demo, isBefore), std::move(demo));
}

}  // namespace elasto::gallery
