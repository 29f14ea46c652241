// What can be done to a text without knowing what it means, and which numbers and texts are absurd.

#include "mutate_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace elasto::fuzz {

using test::RandomNumbers;

namespace {

std::size_t below(std::size_t n, RandomNumbers& random) {
    return static_cast<std::size_t>(random.below(static_cast<int>(n)));
}

std::size_t place(const std::string& text, RandomNumbers& random) {
    return below(text.size() + 1, random);
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1);
        lines.push_back(text.substr(begin, end + 1 - begin));
        begin = end + 1;
    }
    return lines;
}

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
}

void changeLines(std::string& text, RandomNumbers& random, std::string& changes) {
    std::vector<std::string> lines = linesOf(text);
    if (lines.empty()) return;
    const std::size_t line = random.chance(0.3) ? 0 : below(lines.size(), random);
    const auto at = lines.begin() + static_cast<std::ptrdiff_t>(line);
    switch (random.below(4)) {
        case 0: {
            const int times = random.chance(0.8) ? 1 : 200;
            lines.insert(at, static_cast<std::size_t>(times), std::string(*at));
            changes += fmt::format(" repeat-line-{}x{}", line, times);
            break;
        }
        case 1:
            lines.erase(at);
            changes += fmt::format(" erase-line-{}", line);
            break;
        case 2: {
            const std::size_t other = below(lines.size(), random);
            std::swap(lines[line], lines[other]);
            changes += fmt::format(" swap-lines-{}-{}", line, other);
            break;
        }
        default:
            lines[line].insert(0, absurdText(random) + (random.chance(0.5) ? "\n" : ""));
            changes += fmt::format(" text-before-line-{}", line);
            break;
    }
    text = joined(lines);
}

/// One of the numbers in the text becomes another one.
void changeNumber(std::string& text, RandomNumbers& random, std::string& changes) {
    const std::size_t from = place(text, random);
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto begin = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(from), text.end(), isDigit);
    if (begin == text.end()) return;
    const auto end = std::find_if_not(begin, text.end(), [&](char c) {
        return isDigit(c) || c == '.' || c == 'e' || c == 'E' || c == '-' || c == '+';
    });
    const std::string number = absurdNumber(random);
    changes += " number-" + number;
    text.replace(begin, end, number);
}

void insertText(std::string& text, RandomNumbers& random, std::string& changes) {
    const std::array inserted = {"&bad;",
                                 "&nbsp;",
                                 "&#0;",
                                 "&#xD800;",
                                 "&#x110000;",
                                 "&amp;",
                                 "&",
                                 "<",
                                 ">",
                                 "\"",
                                 "<![CDATA[",
                                 "<!DOCTYPE r [<!ENTITY a \"&a;&a;\">]>",
                                 "<!--",
                                 "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
                                 "{",
                                 "]",
                                 ",",
                                 ",,",
                                 "\\u0000",
                                 "\\ud800",
                                 "\xEF\xBB\xBF",
                                 "\r\n",
                                 "\t"};
    const char* const chosen = inserted[below(inserted.size(), random)];
    text.insert(place(text, random), chosen);
    changes += fmt::format(" insert-{}", chosen);
}

}  // namespace

std::string mutateBytes(std::string text, RandomNumbers& random, std::string& changes) {
    switch (random.below(7)) {
        case 0: {
            const int flips = 1 + random.below(4);
            for (int i = 0; i < flips && !text.empty(); ++i) {
                char& byte = text[below(text.size(), random)];
                byte = static_cast<char>(byte ^ (1 << random.below(8)));
            }
            changes += fmt::format(" flip-{}-bits", flips);
            break;
        }
        case 1:
            text.resize(place(text, random));
            changes += fmt::format(" cut-to-{}-bytes", text.size());
            break;
        case 2: {
            const std::size_t from = place(text, random);
            const std::size_t count = 1 + below(40, random);
            text.erase(from, count);
            changes += fmt::format(" erase-{}-bytes-at-{}", count, from);
            break;
        }
        case 3: {
            std::string bytes(1, static_cast<char>(random.below(256)));
            if (random.chance(0.2)) bytes = std::string(100000, random.chance(0.5) ? '[' : '\0');
            text.insert(place(text, random), bytes);
            changes += fmt::format(" insert-{}-bytes", bytes.size());
            break;
        }
        case 4:
            changeNumber(text, random, changes);
            break;
        case 5:
            insertText(text, random, changes);
            break;
        default:
            changeLines(text, random, changes);
            break;
    }
    return text;
}

std::string absurdNumber(RandomNumbers& random) {
    constexpr std::array kNumbers = {"1e308",
                                     "-1e308",
                                     "1.7976931348623157e308",
                                     "1e400",
                                     "-0",
                                     "-0.0",
                                     "0",
                                     "1e-320",
                                     "5e-324",
                                     "1e-30",
                                     "1e30",
                                     "-1e9",
                                     "1e39",
                                     "4294967296",
                                     "2147483648",
                                     "-1",
                                     "9223372036854775807",
                                     "9223372036854775808",
                                     "18446744073709551616",
                                     "123456789012345678901234567890",
                                     "NaN",
                                     "nan",
                                     "inf",
                                     "-Infinity",
                                     "0x10",
                                     "1,5",
                                     "1e",
                                     "00",
                                     "+1",
                                     ".5",
                                     "1e5"};
    return kNumbers[below(kNumbers.size(), random)];
}

double otherNumber(double number, RandomNumbers& random) {
    switch (random.below(6)) {
        case 0:
            return -number;
        case 1:
            return number * random.uniform(0.1, 3);
        case 2:
            return number * random.logarithmic(-4, 4);
        case 3:
            return std::round(number) + random.below(5) - 2;
        case 4:
            return random.below(3);
        default:
            return random.uniform(-2, 2);
    }
}

std::string absurdText(RandomNumbers& random) {
    switch (random.below(9)) {
        case 0:
            return "";
        case 1:
            return std::string(static_cast<std::size_t>(random.logarithmic(3, 5.5)), random.chance(0.5) ? 'a' : '*');
        case 2:
            return "a\x1b[31mred\a\b\x7f";
        case 3:
            return std::string("nul\0nul", 7);
        case 4:
            return "\xff\xfe\xc0\x80\xed\xa0\x80";
        case 5:
            return "a&b<c>\"d'e\nf\r\t\\";
        case 6:
            return "../../../../nothing/here";
        case 7:
            return "%s%n{}{0}$(x)[1].[*]./~1~/";
        default:
            return "\xe2\x80\xae\xf0\x9f\x98\x80 \xc3\xa9";
    }
}

bool isDeep(const std::string& json) {
    constexpr int kMost = 1000;
    int depth = 0;
    for (const char c : json) {
        if (c == '[' || c == '{') ++depth;
        if (c == ']' || c == '}') --depth;
        if (depth > kMost) return true;
    }
    return false;
}

std::string mutate(const SeedFile& seed, const std::vector<SeedFile>& seeds, RandomNumbers& random,
                   std::string& changes) {
    std::vector<const SeedFile*> others;
    for (const SeedFile& other : seeds) {
        if (other.kind == seed.kind) others.push_back(&other);
    }
    const SeedFile& other = *others[below(others.size(), random)];
    std::string text = seed.text;
    if (random.chance(0.02)) {
        changes += " nothing";
        return text;
    }
    const bool isTree = (isJson(seed.kind) || isXml(seed.kind)) && random.chance(0.85);
    const bool staysValid = random.chance(0.4);
    if (isTree) {
        text = isJson(seed.kind) ? mutateJson(text, other.text, staysValid, random, changes)
                                 : mutateXml(text, other.text, staysValid, random, changes);
    }
    if (!isTree || (!staysValid && random.chance(0.1))) {
        const int times = 1 + random.below(3);
        for (int i = 0; i < times; ++i) text = mutateBytes(text, random, changes);
    }
    // Copies of copies of something long: more of it shows nothing else.
    constexpr std::size_t kMost = 4'000'000;
    if (text.size() > kMost) text.resize(kMost);
    return seed.kind == FileKind::Recording && random.chance(0.9) ? sealed(text) : text;
}

}  // namespace elasto::fuzz
