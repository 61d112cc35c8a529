// Who sees the memory that an operation releases or acquires. PTX ISA "Scope".
#pragma once

namespace sluice {

enum class Scope { cta, cluster, gpu };

} // namespace sluice
