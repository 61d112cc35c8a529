// What operations and the objects that they name are called, wherever people read about them.
#pragma once

#include "Program/Program.h"

#include <functional>
#include <string>

namespace sluice {

std::string barrierName(const Mbarrier &barrier,
                        int64_t slot); // "full[2]"; "full" when it is alone
std::string flagName(Pipe source, Pipe destination, int64_t id); // "flag MTE1->M id 3"

std::string mutexName(int64_t id); // "mutex 3"

using IndexValue = std::function<int64_t(const Index &)>;
/// The operation with its objects: "wait full[0] parity 0", "TMA load a[1]".
std::string operationText(const Program &program, const Stmt &s, const IndexValue &value);

} // namespace sluice
