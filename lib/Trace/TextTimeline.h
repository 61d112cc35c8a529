// A timeline in characters: one line a row, one column a stretch of cycles.
#pragma once

#include "Simulate/Timeline.h"

#include <string>

namespace sluice::trace {

/// At most `columns` wide. Digits and letters: the slot worked on; '#': work without a slot; '.':
/// waiting. Empty when no event was recorded.
std::string textTimeline(const Timeline &timeline, size_t columns);

} // namespace sluice::trace
