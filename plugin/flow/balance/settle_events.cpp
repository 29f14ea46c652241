#include "balance/settle_events.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace elasto::flow {

namespace {

/// Of the tick: nearer to its end an event is at its end.
constexpr double kAtEnd = 1e-12;

Seen seenAs(bool isInContact) {
    return isInContact ? Seen::InContact : Seen::Apart;
}

}  // namespace

Seen seenOf(const Law& law, double s, double v, double s_damper) {
    if (frictionOf(law) != nullptr) return Seen::Neither;
    return seenAs(evaluate(law, s, v, s_damper).contact);
}

void settleEvents(std::vector<Seen>& seen, const std::vector<ElementTick>& ends, double h,
                  std::vector<ContactEvent>& events) {
    std::erase_if(events, [&](const ContactEvent& event) {
        const Seen told = seenAs(event.begin);
        return std::exchange(seen[static_cast<std::size_t>(event.element)], told) == told;
    });
    for (std::size_t e = 0; e < seen.size(); ++e) {
        const ElementTick& end = ends[e];
        if (seen[e] == Seen::Neither || seen[e] == seenAs(end.force.contact)) continue;
        seen[e] = seenAs(end.force.contact);
        const auto isOwn = [&](const ContactEvent& event) { return event.element == static_cast<int>(e); };
        const auto last = std::find_if(events.rbegin(), events.rend(), isOwn);
        if (last != events.rend() && last->time >= (1 - kAtEnd) * h) {
            events.erase(std::next(last).base());
        } else {
            events.push_back({static_cast<int>(e), end.force.contact, h, std::abs(end.v)});
        }
    }
}

}  // namespace elasto::flow
