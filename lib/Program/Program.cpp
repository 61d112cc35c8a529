#include "Program/Program.h"

namespace sluice {

Operation::Operation() = default;
Operation::Operation(const Operation &) = default;
Operation::Operation(Operation &&) noexcept = default;
Operation &Operation::operator=(const Operation &) = default;
Operation &Operation::operator=(Operation &&) noexcept = default;
Operation::~Operation() = default;

} // namespace sluice
