#include <elasto/scene/printable.h>

#include <algorithm>

namespace elasto {

namespace {

/// Bytes of the UTF-8 character that the text begins with; 0 for what is none, or a control character.
std::size_t printableBytes(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
    for (std::size_t k = 1; k < length; ++k) {
        if (byte(k) < 0x80 || byte(k) > 0xbf) return 0;
    }
    const bool isControl = first == 0xc2 && byte(1) < 0xa0;
    const bool isOverlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool isSurrogate = first == 0xed && byte(1) > 0x9f;
    const bool isBeyondUnicode = first == 0xf4 && byte(1) > 0x8f;
    return isControl || isOverlong || isSurrogate || isBeyondUnicode ? 0 : length;
}

std::string escaped(std::string_view text, std::string_view kept) {
    constexpr const char* kDigits = "0123456789abcdef";
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const bool isKept = kept.find(text.front()) != std::string_view::npos;
        const std::size_t bytes = isKept ? 1 : printableBytes(text);
        if (bytes == 0) {
            const auto byte = static_cast<unsigned char>(text.front());
            result += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
        }
        result += text.substr(0, bytes);
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return result;
}

}  // namespace

std::string printable(std::string_view text) {
    return escaped(text, "\n\t");
}

std::string printableLine(std::string_view text) {
    return escaped(text, "");
}

std::string printableNames(const std::vector<std::string>& names) {
    constexpr std::size_t kMostBytes = 2000;
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const std::string name = printableLine(names[i]);
        if (text.size() + name.size() > kMostBytes) {
            return text + (text.empty() ? "" : " ") + "and " + std::to_string(names.size() - i) + " more";
        }
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

}  // namespace elasto
