// Changed files of every kind, against what must hold for anything in a file: elasto-fuzz-files --help.
#include "file_kinds.h"
#include "in_child.h"
#include "mutate_file.h"
#include "shrink_file.h"

#include <random_numbers.h>
#include <sanitizers.h>

#include <elasto/scene/input_file.h>
#include <elasto/scene/output_file.h>

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace elasto::fuzz;
using elasto::test::RandomNumbers;
namespace fs = std::filesystem;

namespace {

struct Options {
    unsigned long seed = 1;
    unsigned long count = 1000;
    double seconds = 0;
    std::string kinds = "all";
    fs::path assets = ELASTO_SOURCE_DIR "/assets";
    std::string keep;
    std::string tried;
    std::string seeds;
    bool isShrunk = false;
    bool isPrinted = false;
    int limit = 5;
};

/// What a child has found.
struct Found {
    Reading reading;
    std::array<char, 2000> text;
};

/// What nobody needs to read a file; without it a mistake would take the machine's memory before its time is over.
void limitMemory() {
    constexpr rlim_t kMost = rlim_t(4) << 30;
    const rlimit limit{kMost, kMost};
    if (!elasto::test::kIsSanitized) setrlimit(RLIMIT_AS, &limit);
}

class Trial {
public:
    Trial(const Options& options, fs::path temporary) : m_options(options), m_temporary(std::move(temporary)) {}

    /// Reads a text in a process of its own, so that a crash is a finding.
    FileFinding operator()(FileKind kind, const std::string& text, bool isQuiet) const {
        auto& found = sharedWithChildren<Found>();
        found = {Reading::Read, {}};
        const std::string end = inChild(m_options.limit, isQuiet, [&] {
            limitMemory();
            const FileFinding finding = tryFile(kind, text, m_options.assets, m_temporary);
            found.reading = finding.reading;
            std::strncpy(found.text.data(), finding.text.c_str(), found.text.size() - 1);
        });
        if (!end.empty()) return {Reading::Failed, end};
        return {found.reading, found.text.data()};
    }

private:
    const Options& m_options;
    fs::path m_temporary;
};

/// What two findings of the same mistake have in common: numbers and names may differ.
std::string signature(const FileFinding& finding) {
    constexpr std::size_t kLength = 40;
    std::string text;
    for (const char c : finding.text) {
        if (c < '0' || c > '9') text += c;
    }
    const std::size_t value = text.find(" is ");
    return value == text.npos ? text.substr(0, kLength) : text.substr(value, kLength);
}

struct Summary {
    std::array<std::array<unsigned long, 4>, kFileKinds> counts{};  // by kind and Reading
    unsigned long failed = 0;

    void print() const {
        unsigned long all = 0;
        for (std::size_t kind = 0; kind < counts.size(); ++kind) {
            const auto& [refused, read, ended, wrong] = counts[kind];
            const unsigned long inputs = refused + read + ended + wrong;
            all += inputs;
            if (inputs == 0) continue;
            fmt::print("{:>12}: {} files, {} refused, {} read, {} of them to an end before their time, {} failed\n",
                       nameOf(static_cast<FileKind>(kind)), inputs, refused, read + ended, ended, wrong);
        }
        fmt::print("{} of {} files failed\n", failed, all);
    }
};

std::vector<FileKind> kindsOf(const std::string& text) {
    std::vector<FileKind> kinds;
    if (text == "all") {
        for (int i = 0; i < kFileKinds; ++i) kinds.push_back(static_cast<FileKind>(i));
    } else {
        for (const std::string& name : CLI::detail::split(text, ',')) kinds.push_back(fileKind(name));
    }
    return kinds;
}

std::string endingOf(FileKind kind) {
    if (isXml(kind)) return kind == FileKind::Robot ? "urdf" : "xml";
    if (kind == FileKind::Recording) return "elrec";
    return isJson(kind) ? "json" : kind == FileKind::Table ? "csv" : "runs";
}

int tryOne(const Options& options, const Trial& trial) {
    const std::vector<FileKind> kinds = kindsOf(options.kinds);
    if (kinds.size() != 1) throw std::invalid_argument("--try needs --kinds with the one kind that the file is");
    const FileFinding finding = trial(kinds[0], elasto::readFile(options.tried), false);
    constexpr std::array kReadings = {"refused", "read", "ended before its time", "FAILED"};
    fmt::print("{}: {}\n", kReadings[static_cast<std::size_t>(finding.reading)], finding.text);
    return finding.reading == Reading::Failed ? 1 : 0;
}

int writeSeeds(const Options& options, const std::vector<SeedFile>& seeds) {
    for (const SeedFile& seed : seeds) {
        const fs::path folder = fs::path(options.seeds) / nameOf(seed.kind);
        fs::create_directories(folder);
        std::string name = seed.name;
        std::replace(name.begin(), name.end(), '/', '-');
        elasto::writeFile(folder / name, seed.text);
    }
    return 0;
}

void tell(const Options& options, const char* program, unsigned long seed, FileKind kind, const std::string& text,
          const std::string& changes, const FileFinding& finding, const Trial& trial) {
    fmt::print("FAILED: {} {}:{}: {}\n  {} --seed {} --count 1 --kinds {}\n", nameOf(kind), seed,
               changes.substr(0, 300), finding.text, program, seed, options.kinds);
    std::string shown = text;
    constexpr int kTries = 200;
    // What hangs would hang again each time.
    if (options.isShrunk && !finding.text.starts_with("not done")) {
        shown = shrink(kind, text, kTries, [&](const std::string& less) {
            const FileFinding again = trial(kind, less, true);
            return again.reading == Reading::Failed && signature(again) == signature(finding);
        });
    }
    if (options.keep.empty()) return;
    fs::create_directories(options.keep);
    const fs::path file = fs::path(options.keep) / fmt::format("{}-{}.{}", nameOf(kind), seed, endingOf(kind));
    elasto::writeFile(file, shown);
    fmt::print("  {} --try {} --kinds {}\n", program, file.string(), nameOf(kind));
}

int run(const Options& options, const char* program, const std::vector<SeedFile>& seeds, const Trial& trial) {
    const std::vector<FileKind> kinds = kindsOf(options.kinds);
    const auto start = std::chrono::steady_clock::now();
    const auto isOver = [&] {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        return options.seconds > 0 && passed.count() > options.seconds;
    };
    Summary summary;
    for (unsigned long seed = options.seed; (options.seconds > 0 || seed < options.seed + options.count) && !isOver();
         ++seed) {
        RandomNumbers random(seed);
        const FileKind kind = kinds[static_cast<std::size_t>(random.below(static_cast<int>(kinds.size())))];
        std::vector<const SeedFile*> possible;
        for (const SeedFile& one : seeds) {
            if (one.kind == kind) possible.push_back(&one);
        }
        const SeedFile& base = *possible[static_cast<std::size_t>(random.below(static_cast<int>(possible.size())))];
        std::string changes = " " + base.name;
        const std::string text = mutate(base, seeds, random, changes);
        const FileFinding finding = trial(kind, text, options.count != 1);
        ++summary.counts[static_cast<std::size_t>(kind)][static_cast<std::size_t>(finding.reading)];
        if (options.isPrinted) {
            fmt::print("{} {}:{}: {}\n", nameOf(kind), seed, changes.substr(0, 300), finding.text.substr(0, 300));
        }
        if (finding.reading != Reading::Failed) continue;
        ++summary.failed;
        tell(options, program, seed, kind, text, changes, finding, trial);
    }
    summary.print();
    return summary.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Changed files of every kind, against what must hold for anything in a file."};
    Options options;
    app.add_option("--seed", options.seed, "the first seed")->capture_default_str();
    app.add_option("--count", options.count, "how many seeds")->capture_default_str();
    app.add_option("--seconds", options.seconds, "go on with further seeds for so long, whatever the count");
    app.add_option("--kinds", options.kinds,
                   "which files: all, or some of scene,robot-scene,robot,elements,sweep,recording,table,runs,plan")
        ->capture_default_str();
    app.add_option("--assets", options.assets, "folder of what comes with Elasto")->capture_default_str();
    app.add_option("--keep", options.keep, "folder for the files that fail");
    app.add_option("--limit", options.limit, "how long a file may take [s]")->capture_default_str();
    app.add_option("--try", options.tried, "read this file only");
    app.add_option("--write-seeds", options.seeds, "write the unchanged files into this folder, and do nothing else");
    app.add_flag("--shrink", options.isShrunk, "look for a smaller file that fails in the same way, for --keep");
    app.add_flag("--print", options.isPrinted, "print what is done to the files, and what becomes of them");
    CLI11_PARSE(app, argc, argv);
    std::string temporary = (fs::temp_directory_path() / "elasto-fuzz-XXXXXX").string();
    if (mkdtemp(temporary.data()) == nullptr) {
        std::perror("elasto-fuzz-files: temporary folder");
        return 3;
    }
    int code = 2;
    try {
        // Scenes that a sweep names without a folder.
        setenv("ELASTO_ASSETS", options.assets.c_str(), 1);
        const Trial trial(options, temporary);
        if (!options.tried.empty()) {
            code = tryOne(options, trial);
        } else {
            const std::vector<SeedFile> seeds = seedFiles(options.assets, temporary);
            code = options.seeds.empty() ? run(options, argv[0], seeds, trial) : writeSeeds(options, seeds);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    }
    fs::remove_all(temporary);
    return code;
}
