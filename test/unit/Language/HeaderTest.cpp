// The public headers bring no MLIR with them: kernels compile fast and need no MLIR to be
// installed.
#include "sluice/Compile.h"
#include "sluice/Kernel.h"
#include "sluice/KernelBuilder.h"

#include <gtest/gtest.h>

#if defined(MLIR_IR_MLIRCONTEXT_H) || defined(MLIR_IR_MLIRCONTEXT_H_) ||                           \
    defined(LLVM_ADT_STRINGREF_H) || defined(MLIR_SUPPORT_LLVM_H)
#error "a public header includes MLIR"
#endif

namespace mlir {
class Value; // an error if MLIR had defined it as anything else
} // namespace mlir

namespace sluice {
namespace {

template <typename T, typename = void> struct IsComplete : std::false_type {};
template <typename T> struct IsComplete<T, decltype(void(sizeof(T)))> : std::true_type {};

TEST(Header, NoMlir) {
  EXPECT_FALSE(IsComplete<mlir::Value>::value);
  EXPECT_FALSE(IsComplete<Kernel::State>::value);
}

} // namespace
} // namespace sluice
