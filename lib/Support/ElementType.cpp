#include "Support/ElementType.h"

#include "Support/Spelling.h"

namespace sluice {

static constexpr std::array<std::string_view, 15> dtypeNames = {
    "i1",   "s8",   "i32",  "index", "ue8m0", "e2m1x2", "e2m1", "e2m3",
    "e3m2", "e4m3", "e5m2", "f16",   "bf16",  "tf32",   "f32"};
static constexpr std::array<int64_t, 15> dtypeBits = {8, 8, 32, 64, 8,  8,  4, 6,
                                                      6, 8, 8,  16, 16, 32, 32};

int64_t byteSize(DType type) {
  return (bitsInTensors(type) + 7) / 8;
}
int64_t bitsInTensors(DType type) {
  return dtypeBits[static_cast<size_t>(type)];
}
int64_t bytesInTensors(DType type, int64_t elements) {
  return isPacked(type) ? (elements * bitsInTensors(type) + 7) / 8 : elements * byteSize(type);
}
bool isPacked(DType type) {
  return bitsInTensors(type) < 8;
}
std::string_view name(DType type) {
  return dtypeNames[static_cast<size_t>(type)];
}
std::optional<DType> parseDType(std::string_view text) {
  return parseSpelling<DType>(dtypeNames, text);
}
bool isFloat(DType type) {
  return type >= DType::e2m1;
}

} // namespace sluice
