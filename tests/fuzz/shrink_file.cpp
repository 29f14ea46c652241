#include "shrink_file.h"

#include "mutate_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace elasto::fuzz {

namespace {

using Json = nlohmann::ordered_json;
using Shows = std::function<bool(const std::string&)>;

std::string textOf(FileKind kind, const Json& json) {
    const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace);
    return kind == FileKind::Recording ? sealed(text) : text;
}

/// Leaves out items of a tree, from the root on: large parts come first.
void thin(FileKind kind, Json& document, const Json::json_pointer& at, const Shows& shows) {
    for (std::size_t i = document[at].size(); i-- > 0;) {
        if (!document[at].is_structured()) return;
        Json less = document;
        Json& parent = less[at];
        const auto item = std::next(parent.begin(), static_cast<std::ptrdiff_t>(i));
        parent.erase(item);
        if (shows(textOf(kind, less))) document = std::move(less);
    }
    if (!document[at].is_structured()) return;
    std::vector<Json::json_pointer> parts;
    std::size_t index = 0;
    for (const auto& [key, value] : document[at].items()) {
        if (value.is_structured()) parts.push_back(document[at].is_object() ? at / key : at / index);
        ++index;
    }
    for (const Json::json_pointer& part : parts) thin(kind, document, part, shows);
}

/// Leaves out pieces of the text, halves first.
std::string cut(FileKind kind, std::string text, const Shows& shows) {
    for (std::size_t piece = text.size() / 2; piece > 0; piece /= 2) {
        for (std::size_t at = 0; at < text.size();) {
            std::string less = text;
            less.erase(at, piece);
            if (kind == FileKind::Recording) less = sealed(less);
            if (shows(less)) {
                text = std::move(less);
            } else {
                at += piece;
            }
        }
    }
    return text;
}

}  // namespace

std::string shrink(FileKind kind, std::string text, int tries, const Shows& shows) {
    const Shows counted = [&](const std::string& less) { return tries-- > 0 && shows(less); };
    // Numbers that only the text can hold would be lost.
    Json document = isJson(kind) && !isDeep(text) ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
    if (!document.is_discarded() && counted(textOf(kind, document))) {
        thin(kind, document, Json::json_pointer(), counted);
        return textOf(kind, document);
    }
    return cut(kind, std::move(text), counted);
}

}  // namespace elasto::fuzz
