// Boxes of tensors on the host, element by element: in shared memory each lies where the swizzle
// puts its address. PTX ISA "Tensors: bounding box", "swizzling modes".
#include "Host/HostMachine.h"
#include "Support/HostTensor.h"
#include "Support/PackedFloats.h"

#include <cstring>

namespace sluice::host {
namespace {

constexpr int padding = 0xa5; // anything: it is not initialised

/// Bits 4 to 6 of an address by bits 7 to 9, as many as the swizzle has units.
uint32_t swizzled(uint32_t address, int swizzle) {
  const uint32_t mask = swizzle ? uint32_t(swizzle) / 16 - 1 : 0;
  return address ^ (address >> 7 & mask) << 4;
}

DType addedAs(values::Element element) {
  switch (element) {
  case values::Element::f16:
    return DType::f16;
  case values::Element::bf16:
    return DType::bf16;
  case values::Element::i32:
    return DType::i32;
  default:
    return DType::f32;
  }
}

void addElement(DType type, std::byte *to, const std::byte *from) {
  if (type == DType::i32) { // wraps
    uint32_t a, b;
    std::memcpy(&a, to, 4), std::memcpy(&b, from, 4);
    a += b;
    std::memcpy(to, &a, 4);
    return;
  }
  storeElement(type, to, loadElement(type, to) + loadElement(type, from));
}

template <class Visit> void forBox(const TensorMap &map, const int *at, const Visit &visit);

template <class Visit> void forGroups(TensorMap map, const int *at, const Visit &visit) {
  std::vector<int> from(at, at + map.rank);
  from[0] /= packedGroup, map.box[0] /= packedGroup, map.extents[0] /= packedGroup;
  map.elementBytes = packedGroup;
  map.strides[0] = uint64_t(packedGroup * map.packedBits / 8);
  map.packedBits = 0;
  forBox(map, from.data(), visit);
}

/// Calls visit(bytes from the start of the box, the element in memory or null) for every element,
/// of packed numbers for every sixteen of them: a tensor has all of these or none (R52).
template <class Visit> void forBox(const TensorMap &map, const int *at, const Visit &visit) {
  if (map.packedBits)
    return forGroups(map, at, visit);
  uint64_t elements = 1;
  for (int d = 0; d < map.rank; ++d)
    elements *= map.box[d];
  for (uint64_t e = 0; e < elements; ++e) {
    uint64_t rest = e;
    int64_t offset = 0;
    bool inside = true;
    for (int d = 0; d < map.rank; ++d) {
      const int64_t index = at[d] + int64_t(rest % map.box[d]);
      rest /= map.box[d];
      inside &= index >= 0 && index < int64_t(map.extents[d]);
      offset += index * int64_t(map.strides[d]);
    }
    visit(uint32_t(e) * uint32_t(map.elementBytes),
          inside ? reinterpret_cast<std::byte *>(map.address) + offset : nullptr);
  }
}

/// In shared memory, with padding.
uint32_t bytesOf(const TensorMap &map) {
  uint32_t bytes = uint32_t(map.elementBytes);
  for (int d = 0; d < map.rank; ++d)
    bytes *= map.box[d];
  return bytes;
}

/// What a barrier is told of: bytes of the tensor.
int64_t bytesThatComplete(const TensorMap &map) {
  return map.packedBits ? int64_t(bytesOf(map)) * map.packedBits / 8 : int64_t(bytesOf(map));
}

} // namespace

void HostMachine::checkBox(const TensorMap &map, int rank, uint32_t shared) {
  const std::string about = "a box of " + std::string(map.tensor);
  if (rank != map.rank)
    grid_.fail(about + " at " + std::to_string(rank) + " coordinates, it has " +
               std::to_string(map.rank));
  if (shared % 128)
    grid_.fail(about + " at byte " + std::to_string(placeOf(shared).address - 1024) +
               " of shared memory, no multiple of 128");
}

void HostMachine::loadBox(const TensorMap &map, const int *at, int rank, uint32_t to,
                          uint32_t barrier, uint32_t mask) {
  checkBox(map, rank, to);
  if (map.packedBits && at[0] % 128)
    grid_.fail("a box of " + std::string(map.tensor) + " from number " + std::to_string(at[0]) +
               " on, no multiple of 128");
  const uint32_t size = map.packedBits ? packedGroup : uint32_t(map.elementBytes);
  const uint32_t comes = map.packedBits ? size * uint32_t(map.packedBits) / 8 : size;
  const auto load = [&](uint32_t start, uint32_t signal) {
    const Place place = placeOf(start);
    bytesAt(place, bytesOf(map), size);
    forBox(map, at, [&](uint32_t offset, const std::byte *element) {
      const Place one{place.cta, swizzled(place.address + offset, map.swizzle)};
      std::byte *const there = bytesAt(one, size, size);
      if (element)
        std::memcpy(there, element, comes);
      else
        std::memset(there, 0, comes);
      std::memset(there + comes, padding, size - comes);
    });
    arrive(signal, 0, -bytesThatComplete(map));
  };
  if (mask == 0)
    return load(to, barrier);
  for (uint32_t rank = 0; rank < 32; ++rank)
    if (mask >> rank & 1)
      load(addressInCluster(to, rank), addressInCluster(barrier, rank));
}

void HostMachine::prefetchBox(const TensorMap &map, const int *, int rank) {
  checkBox(map, rank, 0);
}

void HostMachine::storeBox(const TensorMap &map, const int *at, int rank, uint32_t from, bool add) {
  checkBox(map, rank, from);
  const uint32_t size = uint32_t(map.elementBytes);
  bytesAt({&grid_.cta(), from}, bytesOf(map), size);
  forBox(map, at, [&](uint32_t offset, std::byte *element) {
    const auto *own = static_cast<std::byte *>(shared(swizzled(from + offset, map.swizzle), size));
    if (element && add)
      addElement(addedAs(values::Element(map.element)), element, own);
    else if (element)
      std::memcpy(element, own, size);
  });
}

} // namespace sluice::host
