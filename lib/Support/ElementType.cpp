#include "Support/ElementType.h"

#include "Support/Spelling.h"

namespace sluice {

static constexpr std::array<std::string_view, 12> dtypeNames = {
    "i1", "s8", "i32", "index", "ue8m0", "e2m1x2", "e4m3", "e5m2", "f16", "bf16", "tf32", "f32"};
static constexpr std::array<int64_t, 12> dtypeBytes = {1, 1, 4, 8, 1, 1, 1, 1, 2, 2, 4, 4};

int64_t byteSize(DType type) {
  return dtypeBytes[static_cast<size_t>(type)];
}
std::string_view name(DType type) {
  return dtypeNames[static_cast<size_t>(type)];
}
std::optional<DType> parseDType(std::string_view text) {
  return text == "e2m1" ? DType::e2m1x2 : parseSpelling<DType>(dtypeNames, text);
}
bool isFloat(DType type) {
  return type >= DType::e4m3;
}

} // namespace sluice
