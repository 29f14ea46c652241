#include "view/image.h"

#include <unistd.h>
#include <zlib.h>

#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "view/error.h"

namespace {

/// zlib packs a quarter smaller than stb does. @return to be freed with free(); null: it cannot be packed
unsigned char* pack(unsigned char* data, int size, int* packedSize, int /*quality*/) {
    uLongf packed = compressBound(static_cast<uLong>(size));
    auto* bytes = static_cast<unsigned char*>(std::malloc(packed));
    if (bytes == nullptr || compress2(bytes, &packed, data, static_cast<uLong>(size), Z_BEST_COMPRESSION) != Z_OK) {
        std::free(bytes);
        return nullptr;
    }
    *packedSize = static_cast<int>(packed);
    return bytes;
}

}  // namespace

#define STBIW_ZLIB_COMPRESS pack
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

namespace elasto::view {

namespace {

void append(void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw PictureFileError("cannot write the picture '" + file.string() + "': " + reason);
}

}  // namespace

std::array<std::uint8_t, 4> Image::pixel(int x, int y) const {
    assert(x >= 0 && x < width && y >= 0 && y < height);
    const auto first =
        4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return {rgba[first], rgba[first + 1], rgba[first + 2], rgba[first + 3]};
}

std::filesystem::path linkTarget(const std::filesystem::path& file) {
    std::error_code error;
    const bool isLink = std::filesystem::is_symlink(file, error) && std::filesystem::exists(file, error);
    return isLink ? std::filesystem::canonical(file, error) : file;
}

void writePng(const Image& image, const std::filesystem::path& file) {
    // What is opaque everywhere needs no fourth channel.
    std::vector<std::uint8_t> rgb;
    bool isOpaque = true;
    for (std::size_t i = 0; i < image.rgba.size() && isOpaque; i += 4) {
        isOpaque = image.rgba[i + 3] == 255;
        rgb.insert(rgb.end(), image.rgba.begin() + static_cast<std::ptrdiff_t>(i),
                   image.rgba.begin() + static_cast<std::ptrdiff_t>(i + 3));
    }
    const int channels = isOpaque ? 3 : 4;
    std::string bytes;
    if (stbi_write_png_to_func(append, &bytes, image.width, image.height, channels,
                               isOpaque ? rgb.data() : image.rgba.data(), channels * image.width) == 0) {
        refuse(file, "it cannot be packed");
    }
    // A device or a pipe is written to; only a file is replaced by a new one when that is complete.
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    const bool isSpecial = std::filesystem::exists(status) && !std::filesystem::is_regular_file(status) &&
                           !std::filesystem::is_directory(status);
    const std::filesystem::path target = linkTarget(file);
    std::filesystem::path unfinished = target;
    if (!isSpecial) unfinished += ".unfinished-" + std::to_string(getpid());
    errno = 0;
    std::ofstream stream(unfinished, std::ios::binary);
    stream.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    stream.close();
    if (!stream) {
        const std::string reason = errno == 0 ? "the disk takes no more" : std::strerror(errno);
        if (!isSpecial) std::filesystem::remove(unfinished, error);
        refuse(file, reason);
    }
    if (isSpecial) return;
    std::filesystem::rename(unfinished, target, error);
    if (error) {
        const std::string reason = error.message();
        std::filesystem::remove(unfinished, error);
        refuse(file, reason);
    }
}

}  // namespace elasto::view
