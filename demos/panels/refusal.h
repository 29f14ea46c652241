#pragma once
/// @file refusal.h
/// What refuses an edit.

#include <elasto/errors.h>

#include <stdexcept>
#include <string>

namespace elasto::panels {

/// Does an edit. @return the message of what refuses it; empty if nothing does
template <class Edit>
std::string refusalOf(Edit&& edit) {
    try {
        edit();
    } catch (const InvalidParameter& refusal) {
        return refusal.what();
    } catch (const std::out_of_range& refusal) {
        return refusal.what();
    }
    return "";
}

}  // namespace elasto::panels
