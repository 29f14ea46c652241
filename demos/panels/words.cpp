#include "words.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace elasto::panels {

std::string lowered(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return result;
}

bool hasWords(std::string_view text, std::string_view search) {
    const std::string all = lowered(text);
    std::istringstream words(lowered(search));
    for (std::string word; words >> word;) {
        if (all.find(word) == std::string::npos) return false;
    }
    return true;
}

}  // namespace elasto::panels
