#include "exact_rate.h"

#include <elasto/scene/description.h>
#include <fmt/format.h>

namespace elasto::tools {

std::string textOf(const ExactRate& found) {
    if (found.rate) return fmt::format("{:g} Hz makes them exact", *found.rate);
    if (!found.isCut) return fmt::format("no rate up to {:g} Hz makes them exact", found.triedTo);
    if (found.triedTo == 0) return "whether more ticks per second make them exact would take too long to try";
    return fmt::format("{:g} Hz does not make them exact, and higher rates would take too long to try", found.triedTo);
}

ExactRate findExactRate(double rate, double work, const std::function<Exactness(double, double&)>& attempt) {
    ExactRate found;
    for (int times = 2; times <= kMostTimes && times * rate <= kHighestRate; times *= 2) {
        const Exactness exactness = attempt(times * rate, work);
        if (exactness == Exactness::Unknown) {
            found.isCut = true;
            break;
        }
        found.triedTo = times * rate;
        if (exactness == Exactness::NotAll) continue;
        found.rate = found.triedTo;
        break;
    }
    if (!found.isCut && found.triedTo == 0) found.triedTo = rate;  // there is none above it
    return found;
}

}  // namespace elasto::tools
