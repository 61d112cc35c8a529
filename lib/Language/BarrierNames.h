// What an author calls the barriers of pipelines.
#pragma once

#include "sluice/Kernel.h"

#include <map>
#include <string>
#include <vector>

namespace sluice {

/// For each array of barriers whose author names them: what each of it is called.
using BarrierNames = std::map<std::string, std::vector<std::string>>;
BarrierNames barrierNames(const Kernel &kernel);

} // namespace sluice
