#include "target.h"

#include <mutate_file.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace elasto::fuzz;
namespace fs = std::filesystem;

extern "C" {
int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed);
std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);
}

namespace {

const fs::path kAssets = ELASTO_SOURCE_DIR "/assets";

const fs::path& temporary() {
    static const fs::path folder = [] {
        std::string name = (fs::temp_directory_path() / "elasto-fuzz-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) {
            std::perror("temporary folder");
            std::exit(3);
        }
        return fs::path(name);
    }();
    return folder;
}

/// Files of this kind that come with Elasto.
const std::vector<SeedFile>& seeds() {
    static const std::vector<SeedFile> ours = [] {
        std::vector<SeedFile> all = seedFiles(kAssets, temporary());
        std::erase_if(all, [](const SeedFile& seed) { return seed.kind != targetKind(); });
        return all;
    }();
    return ours;
}

}  // namespace

int LLVMFuzzerInitialize(int*, char***) {
    setenv("ELASTO_ASSETS", kAssets.c_str(), 1);
    std::atexit([] { fs::remove_all(temporary()); });
    seeds();
    return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string text(reinterpret_cast<const char*>(data), size);
    const FileKind kind = targetKind();
    if (kind == FileKind::Recording) text = sealed(std::move(text));
    const FileFinding finding = tryFile(kind, text, kAssets, temporary());
    if (finding.reading == Reading::Failed) {
        std::fprintf(stderr, "FAILED: %s\n", finding.text.c_str());
        std::abort();
    }
    return 0;
}

/// Half of the changes know what the text is.
std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed) {
    elasto::test::RandomNumbers random(seed);
    if (random.chance(0.5)) return LLVMFuzzerMutate(data, size, most);
    std::string changes;
    const SeedFile present{targetKind(), "", std::string(reinterpret_cast<const char*>(data), size)};
    const std::string text = mutate(present, seeds(), random, changes);
    if (text.empty() || text.size() > most) return LLVMFuzzerMutate(data, size, most);
    std::memcpy(data, text.data(), text.size());
    return text.size();
}
