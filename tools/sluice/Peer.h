// What of the vendor's library computes the same as a kernel.
#pragma once

#include "Load.h"

#include "Bench/VendorGemm.h"

namespace sluice::tool {

/// The products that write the kernel's output: of gemm one, of grouped_gemm one for each group
/// that has rows, of two_inputs one for each pair. None of kernels that the library has nothing
/// for.
Result<std::vector<VendorProduct>> peerOf(const Loaded &loaded);

/// Multiplications and additions of all of them.
double operations(const std::vector<VendorProduct> &products);

} // namespace sluice::tool
