// What a caller adds to an object that another function writes.
#pragma once

#include "Support/Json.h"

#include <functional>

namespace sluice {

/// Adds members to the open object; null: none.
using MoreMembers = std::function<void(JsonWriter &)>;

} // namespace sluice
