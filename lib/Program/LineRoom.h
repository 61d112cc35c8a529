// The room of what bulk copies bring as a tensor has it, beside its elements.
#pragma once

#include "Program/Types.h"

namespace sluice {

/// Bytes that a copy's source and destination lie alike in: copies that lie otherwise are 6 to 8 %
/// slower (bench/ROWS.md, "Lines that lie alike in 128 bytes").
constexpr int64_t lineAlike = 128;
/// Bytes that a line of `lines`, or a whole `span`, has more than its elements: a head in front,
/// and so many that the elements may begin wherever the tensor's do.
constexpr int64_t lineRoom = lineMargin + lineAlike;

} // namespace sluice
