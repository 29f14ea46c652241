// Compares Elasto with other engines; see README.md beside it.

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <filesystem>
#include <set>

#include "losses.h"
#include "peer.h"
#include "plan.h"
#include "random_drops.h"
#include "work_precision.h"

using namespace elasto::peers;

int main(int argc, char** argv) {
    CLI::App app("Elasto beside other engines", "elasto-peers");
    std::string cases = ELASTO_PEERS_FOLDER;
    std::string output = ".";
    std::string format = "svg";
    std::string part;
    int drops = 0;
    app.add_option("--plan", cases, "Folder of plan.json and the scenes");
    app.add_option("--output", output, "Folder for CSV files and pictures");
    app.add_option("--format", format, "Of the pictures: svg or png");
    app.add_option("--only", part, "work-precision, random-drops or losses")
        ->check(CLI::IsMember({"work-precision", "random-drops", "losses"}));
    app.add_option("--drops", drops, "Number of random drops instead of the plan's");
    CLI11_PARSE(app, argc, argv);
    try {
        Plan plan = loadPlan(cases);
        if (drops > 0) plan.drops = drops;
        std::filesystem::create_directories(output);
        Peers peers;
        addElasto(peers);
        addBullet(peers);
        addMujoco(peers);
        addSimbody(peers);
        addOde(peers);
        std::set<std::string> versions;
        for (const auto& peer : peers) versions.insert(peer->version());
        fmt::print("Compared:");
        for (const std::string& version : versions) fmt::print(" {}.", version);
        fmt::print("\n");
        bool passes = true;
        if (part == "losses") {
            runLosses(cases);
            return 0;
        }
        if (part != "random-drops") passes = runWorkPrecision(plan, cases, peers, output, format) && passes;
        if (part != "work-precision") passes = runRandomDrops(plan, cases, peers, output) && passes;
        if (part.empty()) runLosses(cases);
        fmt::print("\n{}\n", passes ? "All targets are met." : "Some targets are missed.");
        return passes ? 0 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "elasto-peers: {}\n", error.what());
        return 2;
    }
}
