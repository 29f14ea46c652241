#include "campaign.h"

#include <elasto/scene/load_scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>

#include "children.h"
#include "run_scene.h"
#include "shrink.h"

namespace elasto::differential {

namespace {

/// Longest that a scene may take with all its comparisons [s]: what takes longer hangs.
constexpr int kHangs = 1800;
/// Simpler scenes that are looked at for one that is wrong.
constexpr int kTries = 60;
/// Of so many machines of a family one is looked at for rates that are worse than 60 Hz.
constexpr std::uint64_t kRatesCompared = 4;

Judgement look(const Json& scene, bool comparesRates, const Asked& asked) {
    return judge(parseScene(scene.dump()), {.comparesRates = comparesRates, .asked = asked});
}

Json resultOf(const Judgement& judgement) {
    return {{"verdict", static_cast<int>(judgement.verdict)},
            {"judge", judgement.judge},
            // JSON knows no infinity.
            {"share", std::min(judgement.share, 1e99)},
            {"place", std::min(judgement.place, 1e99)},
            {"signal", judgement.signal},
            {"firstTime", judgement.firstTime},
            {"coarse", judgement.coarse},
            {"inexactTicks", judgement.inexactTicks},
            {"estimates", {judgement.estimates.ticks, judgement.estimates.within, judgement.estimates.near}},
            {"text", judgement.text}};
}

Judgement judgementOf(const std::string& text) {
    const Json result = Json::parse(text);
    Judgement judgement;
    judgement.verdict = static_cast<Verdict>(result["verdict"].get<int>());
    judgement.judge = result["judge"];
    judgement.share = result["share"];
    judgement.place = result["place"];
    judgement.signal = result["signal"];
    judgement.firstTime = result["firstTime"];
    judgement.coarse = result["coarse"];
    judgement.inexactTicks = result["inexactTicks"];
    const Json& estimates = result["estimates"];
    judgement.estimates = {estimates[0].get<int>(), estimates[1].get<int>(), estimates[2].get<int>()};
    judgement.text = result["text"];
    return judgement;
}

bool isWrong(Verdict verdict) {
    return verdict == Verdict::Announced || verdict == Verdict::Silent || verdict == Verdict::Broken;
}

std::filesystem::path fileOf(const std::filesystem::path& folder, const Identity& identity, const char* end) {
    std::string name = identity.text();
    std::replace(name.begin(), name.end(), ':', '_');
    return folder / (name + end);
}

void write(const std::filesystem::path& file, const Json& scene) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream out(file);
    out << scene.dump(1) << '\n';
    if (!out.flush()) throw std::runtime_error("cannot write '" + file.string() + "'");
}

/// A smaller scene that is wrong in the same way: by the same law of nature, or not much less in the same comparison.
/// Elements stay in it: without any it is Bullet's.
Json shrunkOf(const Json& scene, const Judgement& judgement, const Asked& asked) {
    constexpr double kAsWrong = 0.1;
    constexpr double kFewestTicks = 4;
    const auto isCompared = [](const Judgement& one) { return one.judge == "CVODE" || one.judge.ends_with(" Hz"); };
    return shrunk(scene, kTries, [&](const Json& simpler) {
        if (simpler["elements"].empty()) return false;
        if (simpler["duration"].get<double>() * simpler["rate"].get<double>() < kFewestTicks) return false;
        try {
            const Judgement now = look(simpler, false, asked);
            if (now.verdict != judgement.verdict || now.share < kAsWrong * judgement.share) return false;
            return isCompared(judgement) ? isCompared(now) : now.judge == judgement.judge;
        } catch (const std::exception&) {
            return false;  // it is no scene any more
        }
    });
}

std::string sizeOf(const Json& scene) {
    return fmt::format("{} bodies, {} joints, {} elements, {} loads, {} s", scene["bodies"].size(),
                       scene["joints"].size(), scene["elements"].size(), scene["loads"].size(),
                       scene["duration"].get<double>());
}

/// What became of the machines of one family.
struct Row {
    int scenes = 0, right = 0, chaotic = 0, announced = 0, silent = 0, broken = 0;
    int compared = 0, finerIsWorse = 0;
    int rightButInexact = 0;
    Estimates estimates;
    std::vector<double> places;  ///< errors of those that are not chaotic and had exact ticks only [m, rad]
    double worst = 0;
    std::string worstOne;

    void add(const Row& other) {
        scenes += other.scenes;
        right += other.right;
        chaotic += other.chaotic;
        announced += other.announced;
        silent += other.silent;
        broken += other.broken;
        compared += other.compared;
        finerIsWorse += other.finerIsWorse;
        rightButInexact += other.rightButInexact;
        estimates += other.estimates;
        places.insert(places.end(), other.places.begin(), other.places.end());
        if (other.worst > worst) {
            worst = other.worst;
            worstOne = other.worstOne;
        }
    }
};

/// True if the rate is clearly worse than 60 Hz, and not by rounding.
bool isFinerWorse(const Judgement& judgement) {
    constexpr double kSeen = 1e-4;
    return judgement.coarse >= 0 && judgement.share > 2 * judgement.coarse && judgement.share > kSeen;
}

void count(Row& row, const Identity& identity, const Judgement& judgement) {
    ++row.scenes;
    row.right += judgement.verdict == Verdict::Right ? 1 : 0;
    row.chaotic += judgement.verdict == Verdict::Chaotic ? 1 : 0;
    row.announced += judgement.verdict == Verdict::Announced ? 1 : 0;
    row.silent += judgement.verdict == Verdict::Silent ? 1 : 0;
    row.broken += judgement.verdict == Verdict::Broken ? 1 : 0;
    row.compared += judgement.coarse >= 0 ? 1 : 0;
    row.finerIsWorse += isFinerWorse(judgement) ? 1 : 0;
    row.rightButInexact += judgement.verdict == Verdict::Right && judgement.inexactTicks > 0 ? 1 : 0;
    row.estimates += judgement.estimates;
    const bool isCompared = judgement.verdict == Verdict::Right || judgement.verdict == Verdict::Silent;
    if (isCompared && judgement.inexactTicks == 0) row.places.push_back(judgement.place);
    if (judgement.verdict != Verdict::Chaotic && judgement.share > row.worst) {
        row.worst = judgement.share;
        row.worstOne = identity.text();
    }
}

/// How far the exact ones were off.
/// @param length that was asked for [m, rad]
void printPlaces(std::vector<double> places, double length) {
    if (places.empty()) return;
    std::sort(places.begin(), places.end());
    const auto at = [&](double share) {
        return places[static_cast<std::size_t>(share * static_cast<double>(places.size() - 1))];
    };
    const auto within = std::upper_bound(places.begin(), places.end(), length) - places.begin();
    fmt::print(
        "{} with exact ticks only: no place was off by more than {:.2g} m (rad) in half of them, {:.2g} in 90 %, "
        "{:.2g} in 99 %; {:.1f} % kept within {:g}.\n",
        places.size(), at(0.5), at(0.9), at(0.99),
        100 * static_cast<double>(within) / static_cast<double>(places.size()), length);
}

void printRow(const std::string& name, const Row& row) {
    fmt::print("{:<8} {:>6} {:>6} {:>8} {:>10} {:>7} {:>7} {:>9} of {:<4} {:>9.3g} {}\n", name, row.scenes, row.right,
               row.chaotic, row.announced, row.silent, row.broken, row.finerIsWorse, row.compared, 100 * row.worst,
               row.worstOne);
}

std::vector<std::string> familiesOf(const CampaignOptions& options) {
    if (!options.only.empty()) return options.only;
    std::vector<std::string> names;
    for (const Family& family : families()) names.push_back(family.name);
    return names;
}

void printWrong(const Identity& identity, const Json& scene, const Judgement& judgement) {
    fmt::print("WRONG: {} at {} Hz: {} ({})\n    {}\n", identity.text(), scene["rate"].get<int>(),
               nameOf(judgement.verdict), judgement.judge, judgement.text);
}

}  // namespace

int runCampaign(const CampaignOptions& options) {
    const std::vector<std::string> names = familiesOf(options);
    const auto start = std::chrono::steady_clock::now();
    const auto identityOf = [&](int piece) {
        const auto families = static_cast<int>(names.size());
        return Identity{names[static_cast<std::size_t>(piece % families)], options.seed,
                        static_cast<std::uint64_t>(piece / families)};
    };
    const auto next = [&](int piece) {
        if (options.scenes && piece >= *options.scenes) return false;
        const std::chrono::duration<double, std::ratio<60>> passed = std::chrono::steady_clock::now() - start;
        return !options.minutes || passed.count() < *options.minutes;
    };
    const auto work = [&](int piece) {
        const Identity identity = identityOf(piece);
        const Json scene = makeScene(identity, options.rates);
        const Judgement judgement =
            judge(parseScene(scene.dump()), {.comparesRates = identity.index % kRatesCompared == 0,
                                             .asked = options.asked,
                                             .asksIfAnnouncedIsChaotic = !options.countsSilentOnly});
        Json result = resultOf(judgement);
        if (isWrong(judgement.verdict)) {
            if (options.keep) write(fileOf(*options.keep, identity, ".json"), scene);
            if (options.isShrunk) {
                const Json small = shrunkOf(scene, judgement, options.asked);
                result["shrunk"] = sizeOf(small);
                if (options.keep) write(fileOf(*options.keep, identity, "_small.json"), small);
            }
        }
        return result.dump(-1, ' ', true, Json::error_handler_t::replace);
    };
    std::map<std::string, Row> rows;
    const auto take = [&](int piece, const Ended& ended) {
        const Identity identity = identityOf(piece);
        Judgement judgement;
        if (ended.failure.empty()) {
            judgement = judgementOf(ended.text);
        } else {
            judgement.verdict = Verdict::Broken;
            judgement.judge = "its process";
            judgement.text = ended.failure;
        }
        count(rows[identity.family], identity, judgement);
        const Json scene = makeScene(identity, options.rates);
        if (isWrong(judgement.verdict)) {
            printWrong(identity, scene, judgement);
            const Json result = ended.failure.empty() ? Json::parse(ended.text) : Json();
            if (result.contains("shrunk")) {
                fmt::print("    shrunk: {} (of {})\n", result["shrunk"].get<std::string>(), sizeOf(scene));
            }
            fmt::print("  {} --repeat {}\n", options.command, identity.text());
        } else if (isFinerWorse(judgement)) {
            fmt::print("finer is worse: {}: {:.3g} % at {} Hz, {:.3g} % at 60 Hz\n  {} --repeat {}\n", identity.text(),
                       100 * judgement.share, scene["rate"].get<int>(), 100 * judgement.coarse, options.command,
                       identity.text());
        }
        std::fflush(stdout);
    };
    inChildren(options.jobs, kHangs, next, work, take);

    fmt::print(
        "\n{} precision, seed {}. Wrong: more than {} of a signal's range, {} with contacts, or a law of nature "
        "broken.\n\n",
        precisionHere(), options.seed, boundsHere().apart, boundsHere().apartTouching);
    fmt::print("{:<8} {:>6} {:>6} {:>8} {:>10} {:>7} {:>7} {:>17} {:>9}\n", "family", "scenes", "right", "chaotic",
               "announced", "silent", "broken", "worse than 60 Hz", "worst %");
    Row total;
    for (const std::string& name : names) {
        printRow(name, rows[name]);
        total.add(rows[name]);
    }
    printRow("all", total);
    const Estimates& estimates = total.estimates;
    const auto share = [&](int count) { return estimates.ticks > 0 ? 100. * count / estimates.ticks : 100; };
    fmt::print(
        "{} of those that are right had ticks that were not exact.\n"
        "Of {} such ticks {:.1f} % were off by no more than their estimate, {:.1f} % had one of at most 30 times the "
        "error.\n",
        total.rightButInexact, estimates.ticks, share(estimates.within), share(estimates.near));
    printPlaces(total.places, options.asked.accuracy.metres());
    return total.silent + total.broken;
}

int repeat(const Identity& identity, const CampaignOptions& options) {
    const std::filesystem::path folder = options.keep.value_or(".");
    const Json scene = makeScene(identity, options.rates);
    const auto file = fileOf(folder, identity, ".json");
    write(file, scene);
    fmt::print("{}: {} at {} Hz\n", file.string(), sizeOf(scene), scene["rate"].get<int>());
    std::fflush(stdout);
    const Judgement judgement = look(scene, true, options.asked);
    if (!isWrong(judgement.verdict)) {
        fmt::print("{}: {}: {:.3g} % at {}\n", identity.text(), nameOf(judgement.verdict), 100 * judgement.share,
                   judgement.signal);
        return 0;
    }
    printWrong(identity, scene, judgement);
    if (judgement.coarse >= 0) fmt::print("    at 60 Hz: {:.3g} %\n", 100 * judgement.coarse);
    if (options.isShrunk) {
        const Json small = shrunkOf(scene, judgement, options.asked);
        const auto smallFile = fileOf(folder, identity, "_small.json");
        write(smallFile, small);
        fmt::print("{}: {} at {} Hz\n", smallFile.string(), sizeOf(small), small["rate"].get<int>());
        const Judgement again = look(small, false, options.asked);
        printWrong(identity, small, again);
    }
    return 1;
}

}  // namespace elasto::differential
