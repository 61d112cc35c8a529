// Tensor memory of sm_100a on the host, and its products, as descriptors say. PTX ISA "Tensor
// Memory", "tcgen05: Instruction Descriptor" (Table 42), "Shared Memory Descriptor" (Table 40).
#include "Host/Operands.h"
#include "Support/E2m1.h"
#include "Support/PackedFloats.h"

#include <cmath>

namespace sluice::host {
namespace {

using values::ColumnsProduct;

constexpr uint32_t lanes = 128, columnsOfLane = 512;
constexpr int mxf8f6f4 = 4, mxf4 = 5, mxf4nvf4 = 6; // Tcgen05Kind

bool isScaled(int kind) {
  return kind >= mxf8f6f4;
}

uint32_t bits(uint64_t word, int first, int count) {
  return uint32_t(word >> first & ((uint64_t{1} << count) - 1));
}

/// Elements by the kind of the instruction and the code in its descriptor; s8 where a kind of
/// floats has no such code.
Element elementOf(int kind, uint32_t code) {
  constexpr Element f16[] = {Element::f16, Element::bf16};
  constexpr Element f8f6f4[] = {Element::e4m3, Element::e5m2, Element::s8, Element::e2m3,
                                Element::e3m2, Element::e2m1, Element::s8, Element::s8};
  return kind == 0                       ? f16[code & 1]
         : kind == 1                     ? Element::tf32
         : kind == 2 || kind == mxf8f6f4 ? f8f6f4[code & 7]
         : kind == 3                     ? Element::s8
                                         : Element::e2m1x2;
}

/// Bytes; 2 is a swizzle of 128 bytes, 4 of 64, 6 of 32.
uint32_t swizzleSpan(uint64_t descriptor) {
  const uint32_t code = bits(descriptor, 61, 3);
  return code == 2 ? 128 : code == 4 ? 64 : code == 6 ? 32 : 0;
}

/// With factors the descriptor has other fields (PTX ISA, its tables): M / 128 at bit 27, the type
/// of factors at 23 (1: ue8m0, 0: ue4m3), their numbers at 4 and 29.
uint32_t rowsOf(const ColumnsProduct &p) {
  return isScaled(p.kind) ? bits(p.instruction, 27, 2) * 128 : bits(p.instruction, 24, 5) * 16;
}

/// Factors of a line that an instruction takes: scale_vec.
uint32_t factorsOf(int kind) {
  return kind == mxf8f6f4 ? 1 : kind == mxf4 ? 2 : 4;
}

std::string wrongOfScaled(const ColumnsProduct &p) {
  const uint32_t n = bits(p.instruction, 17, 6) * 8, factors = factorsOf(p.kind);
  const bool half = p.ctas == 2 && rowsOf(p) == 128;
  const uint32_t step = half ? 128 : uint32_t(8 * p.ctas);
  if ((rowsOf(p) != 128 * uint32_t(p.ctas) && !half) || n == 0 || n > 256 || n % step)
    return "a block-scaled product of " + std::to_string(rowsOf(p)) + " rows and " +
           std::to_string(n) + " columns";
  if (bits(p.instruction, 23, 1) != (p.kind == mxf4nvf4 ? 0u : 1u) || bits(p.instruction, 0, 4) ||
      bits(p.instruction, 6, 1) || bits(p.instruction, 24, 3) || bits(p.instruction, 31, 1))
    return "factors of another type than the kind of the product has, or reserved bits";
  if (bits(p.instruction, 4, 2) % factors || bits(p.instruction, 29, 2) % factors)
    return "factors that do not begin at a multiple of as many as the kind takes";
  if (p.kind != mxf8f6f4 && (bits(p.instruction, 7, 6) != 9 || bits(p.instruction, 13, 4)))
    return "operands that are not of e2m1 along K, or are negated";
  return "";
}

std::string wrongOf(const ColumnsProduct &p) {
  const uint32_t m = bits(p.instruction, 24, 5) * 16, n = bits(p.instruction, 17, 6) * 8;
  const bool ofOne = (m == 128 && n % 16 == 0) || (m == 64 && n % 8 == 0);
  const bool ofPair = (m == 256 || m == 128) && n % 32 == 0;
  if (isScaled(p.kind)) {
    if (std::string wrong = wrongOfScaled(p); !wrong.empty())
      return wrong;
  } else if (!(p.ctas == 1 ? ofOne : ofPair) || n == 0 || n > 256)
    return "a product of " + std::to_string(m) + " rows and " + std::to_string(n) + " columns";
  if (!isScaled(p.kind) && bits(p.instruction, 4, 2) != (p.kind == 3 ? 2u : 1u))
    return "sums of another type than the kind of the product has";
  if (p.columnsOfA && bits(p.instruction, 15, 1))
    return "an operand in tensor memory that is transposed";
  for (const int first : {7, 10}) { // A and B, each with its transposed bit
    const Element element = elementOf(p.kind, bits(p.instruction, first, 3));
    if ((p.kind == 2 || p.kind == mxf8f6f4) && element == Element::s8)
      return "an operand of a type that the kind of the product has not";
    if (isPacked(typeOf(element)) && bits(p.instruction, first == 7 ? 15 : 16, 1))
      return "an operand of 4 or 6 bits that is not along K";
  }
  for (const uint64_t descriptor : {p.columnsOfA ? p.b : p.a, p.b})
    if (swizzleSpan(descriptor) == 0 || bits(descriptor, 46, 3) != 1 || bits(descriptor, 49, 3) ||
        bits(descriptor, 53, 8))
      return "a descriptor without swizzle, or with reserved bits";
  return "";
}

} // namespace

/// Others may have columns of the SM: those of this CTA begin further on.
void HostMachine::allocateColumns(uint32_t address, uint32_t count) {
  Cta &cta = grid_.cta();
  if (!cta.columns.empty() || count < 32 || count > columnsOfLane || (count & (count - 1)))
    grid_.fail("tensor memory is allocated twice, or not by a power of two from 32 to 512");
  cta.columns.assign(size_t(lanes) * columnsOfLane, 0xffffffffu);
  cta.columnCount = count;
  cta.firstColumn = columnsOfLane - count;
  std::memcpy(shared(address, 4), &cta.firstColumn, 4);
}

void HostMachine::freeColumns(uint32_t first, uint32_t count) {
  Cta &cta = grid_.cta();
  if (cta.columns.empty() || first != cta.firstColumn || count != cta.columnCount)
    grid_.fail("other columns of tensor memory are freed than were allocated");
  cta.columns.clear();
}

uint32_t &HostMachine::columnAt(Cta &cta, uint32_t address) {
  const uint32_t lane = address >> 16, column = address & 0xffff;
  if (cta.columns.empty() || lane >= lanes || column < cta.firstColumn ||
      column >= cta.firstColumn + cta.columnCount)
    grid_.fail("column " + std::to_string(column) + " of lane " + std::to_string(lane) +
               " of tensor memory is not allocated");
  return cta.columns[size_t(lane) * columnsOfLane + column];
}

uint32_t &HostMachine::ownColumn(uint32_t address) {
  if ((address >> 16) / lanesOfWarp != uint32_t(grid_.warp().number % 4))
    grid_.fail("a warp reaches for lanes of tensor memory that are not its own");
  return columnAt(grid_.cta(), address);
}
uint32_t HostMachine::column(uint32_t address) {
  return ownColumn(address);
}
void HostMachine::setColumn(uint32_t address, uint32_t word) {
  ownColumn(address) = word;
}

/// Sixteen numbers of 4 or 6 bits lie in front of 16 bytes (PTX ISA "Packing formats").
static void addPacked(DType type, const std::byte *group, std::vector<float> &elements) {
  for (int64_t i = 0; i < packedGroup; ++i)
    elements.push_back(float(packedFloat(type, codeInPacked(type, group, i))));
}

std::vector<float> HostMachine::lineOfShared(const Operand &o, uint32_t rank, uint32_t mn) {
  const DType type = typeOf(o.element);
  const auto size = uint32_t(isPacked(type) ? packedGroup : byteSize(type));
  std::vector<float> elements;
  for (int k = 0; k < bytesOfK / int(size); ++k) {
    const auto *at = static_cast<const std::byte *>(
        sharedOfCluster(addressInCluster(o.address(int(mn), k, size), rank), size));
    if (isPacked(type))
      addPacked(type, at, elements);
    else if (o.element == Element::e2m1x2)
      for (const float number : e2m1Pair(uint8_t(*at)))
        elements.push_back(number);
    else
      elements.push_back(numberOf(o.element, at));
  }
  return elements;
}

/// Of the byte of tensor memory that holds a number of 4 bits (PTX ISA 9.7.16.10.4.3, packing
/// format of A, its figures; Triton pull request 10202); those of 6 have the lowest.
constexpr uint32_t bitsBelowOfFour = 2;

/// Sixteen numbers of 4 or 6 bits (16 bytes) come to a byte each.
static void widen(int bitsOfNumber, std::byte *piece) {
  const DType type = bitsOfNumber == 4 ? DType::e2m1 : DType::e2m3;
  std::byte wide[packedGroup];
  for (int64_t i = 0; i < packedGroup; ++i)
    wide[i] = std::byte(codeInPacked(type, piece, i) << (bitsOfNumber == 4 ? bitsBelowOfFour : 0));
  std::memcpy(piece, wide, sizeof(wide));
}

/// Elements lie side by side in the columns of a lane, the first one in the lowest bits.
std::vector<float> HostMachine::lineOfColumns(const ColumnsProduct &p, uint32_t rank,
                                              uint32_t lane) {
  const Element element = elementOf(p.kind, bits(p.instruction, 7, 3));
  std::byte bytes[bytesOfK];
  for (uint32_t column = 0; column < bytesOfK / 4; ++column)
    std::memcpy(bytes + 4 * column,
                &columnAt(grid_.cluster().ctas[rank], uint32_t(p.a) + (lane << 16) + column), 4);
  std::vector<float> elements;
  const DType type = typeOf(element);
  const auto size = int(byteSize(type));
  for (int at = 0; at < bytesOfK; at += size)
    if (isPacked(type))
      elements.push_back(float(
          packedFloat(type, uint8_t(bytes[at] >> (type == DType::e2m1 ? bitsBelowOfFour : 0)))));
    else if (element == Element::e2m1x2)
      for (const float number : e2m1Pair(uint8_t(bytes[at])))
        elements.push_back(number);
    else
      elements.push_back(numberOf(element, bytes + at));
  return elements;
}

uint32_t HostMachine::firstOf(uint32_t ctas) {
  const auto own = uint32_t(grid_.cta().rank), first = own - own % ctas;
  if (first + ctas > grid_.cluster().ctas.size())
    grid_.fail("an instruction of a pair in a cluster without the other CTA");
  return first;
}

/// PTX ISA "tcgen05.cp": rows of 32 bytes as operands have them, swizzled; or of 16 bytes, 8 of
/// them side by side. Of a pair in each CTA, by the same addresses.
void HostMachine::copyColumns(int rows, int ctas, int bitsOfNumber, uint32_t to, uint64_t from) {
  const bool each = rows == 5, wide = rows == 0 || each;
  const uint32_t span = swizzleSpan(from), bytes = wide ? 32 : 16;
  if (wide != (span != 0) || bits(from, 46, 3) != 1 || bits(from, 49, 3) || bits(from, 52, 9) ||
      (!wide && bits(from, 61, 3)))
    grid_.fail("a descriptor of rows for tensor memory with another swizzle, or reserved bits");
  const Operand source(Element::s8, false, from, wide ? span : 16);
  const uint32_t first = firstOf(uint32_t(ctas));
  for (uint32_t rank = first; rank < first + uint32_t(ctas); ++rank)
    for (uint32_t lane = 0; lane < lanes; lane += each ? uint32_t(lanesOfWarp) : 1) {
      const uint32_t ofLane[] = {lane,      lane,
                                 lane % 64, lane / 64 * 32 + lane % 32,
                                 lane % 32, lane / uint32_t(lanesOfWarp)};
      for (uint32_t at = 0; at < bytes; at += 16) {
        const uint32_t address = source.address(int(ofLane[rows]), int(at), 1);
        std::byte piece[16];
        std::memcpy(piece, sharedOfCluster(addressInCluster(address, rank), 16), 16);
        if (bitsOfNumber)
          widen(bitsOfNumber, piece);
        for (uint32_t column = 0; column < 4; ++column)
          std::memcpy(&columnAt(grid_.cluster().ctas[rank], to + (lane << 16) + at / 4 + column),
                      piece + size_t(4 * column), 4);
      }
    }
}

/// PTX ISA "tcgen05.shift", rows-down: each lane of 32 but the last gets what the next one holds.
void HostMachine::shiftColumns(int ctas, uint32_t columns) {
  if ((columns >> 16) % uint32_t(lanesOfWarp))
    grid_.fail("rows of tensor memory are shifted from a lane that is no multiple of 32");
  const uint32_t first = firstOf(uint32_t(ctas));
  for (uint32_t rank = first; rank < first + uint32_t(ctas); ++rank)
    for (uint32_t lane = 0; lane + 1 < uint32_t(lanesOfWarp); ++lane)
      for (uint32_t column = 0; column < 8; ++column) {
        const uint32_t at = columns + (lane << 16) + column;
        Cta &cta = grid_.cluster().ctas[rank];
        columnAt(cta, at) = columnAt(cta, at + (1u << 16));
      }
}

/// PTX ISA "tcgen05: Block Scaling": of line 32 i + l in lane l of column i, alike in each
/// partition of 32 lanes from the first of the address to `end`; of each line `each`, from byte
/// `number` on.
std::vector<double> HostMachine::scales(Cta &cta, uint32_t address, uint32_t end, uint32_t count,
                                        uint32_t number, uint32_t each, bool powers) {
  std::vector<double> factors;
  for (uint32_t line = 0; line < count; ++line) {
    const uint32_t word = columnAt(cta, address + (line % 32 << 16) + line / 32);
    for (uint32_t lane = line % 32; lane + (address >> 16) < end; lane += 32)
      if (columnAt(cta, address + (lane << 16) + line / 32) != word)
        grid_.fail("factors differ from one partition of 32 lanes to another");
    for (uint32_t i = 0; i < each; ++i) {
      const auto byte = std::byte(word >> 8 * (number + i) & 0xff);
      if (!powers && bool(byte >> 7))
        grid_.fail("a factor of ue4m3 with its highest bit set");
      factors.push_back(loadElement(powers ? DType::ue8m0 : DType::e4m3, &byte));
    }
  }
  return factors;
}

/// Each sum by itself in the order of K. Of a pair the CTA of the even rank has the first half of
/// the rows of A and D and of the columns of B; each has the factors of its rows and of all
/// columns.
void HostMachine::multiplyColumns(const ColumnsProduct &p) {
  if (const std::string wrong = wrongOf(p); !wrong.empty())
    grid_.fail(wrong);
  const Operand left(elementOf(p.kind, bits(p.instruction, 7, 3)), bits(p.instruction, 15, 1), p.a,
                     swizzleSpan(p.a)),
      right(elementOf(p.kind, bits(p.instruction, 10, 3)), bits(p.instruction, 16, 1), p.b,
            swizzleSpan(p.b));
  const uint32_t n = bits(p.instruction, 17, 6) * 8;
  const auto ctas = uint32_t(p.ctas), first = firstOf(ctas);
  std::vector<std::vector<float>> columns;
  for (uint32_t j = 0; j < n; ++j)
    columns.push_back(lineOfShared(right, first + j / (n / ctas), j % (n / ctas)));
  const uint32_t m = rowsOf(p), rows = m / ctas;
  const uint32_t each = factorsOf(p.kind);
  const bool split =
      ctas == 2 && rows == 64; // layout B: halves of the columns, one below the other
  std::vector<double> ofRows, ofColumns;
  const auto takeScales = [&](Cta &cta) {
    const bool powers = p.kind != mxf4nvf4;
    const uint32_t number = bits(p.instruction, 4, 2);
    ofRows = scales(cta, p.scalesA, lanes, rows, bits(p.instruction, 29, 2), each, powers);
    if (!split)
      ofColumns = scales(cta, p.scalesB, lanes, n, number, each, powers);
    else {
      ofColumns = scales(cta, p.scalesB, lanes / 2, n / 2, number, each, powers);
      const auto second =
          scales(cta, p.scalesB + (lanes / 2 << 16), lanes, n / 2, number, each, powers);
      ofColumns.insert(ofColumns.end(), second.begin(), second.end());
    }
  };
  for (uint32_t i = 0; i < m; ++i) {
    const uint32_t rank = first + i / rows, r = i % rows;
    if (isScaled(p.kind) && r == 0)
      takeScales(grid_.cluster().ctas[rank]);
    const uint32_t lane = m == 64 ? r / 16 * 32 + r % 16 : r; // layouts F, D and A
    const auto lineOf = [&](uint32_t half) {
      return p.columnsOfA ? lineOfColumns(p, rank, lane + 64 * half) : lineOfShared(left, rank, r);
    };
    std::vector<float> row = lineOf(0);
    for (uint32_t j = 0; j < n; ++j) {
      const uint32_t half = split ? j / (n / 2) : 0, column = split ? j % (n / 2) : j;
      if (p.columnsOfA && half && column == 0)
        row = lineOf(half);
      uint32_t &d = columnAt(grid_.cluster().ctas[rank], p.d + ((lane + 64 * half) << 16) + column);
      const auto add = [&](auto sum) {
        using T = decltype(sum);
        for (size_t k = 0; k < row.size(); ++k)
          sum += T(row[k]) * T(columns[j][k]);
        d = std::bit_cast<uint32_t>(sum);
      };
      if (isScaled(p.kind)) {
        float sum = p.accumulate ? std::bit_cast<float>(d) : 0.0f;
        for (size_t k = 0; k < row.size(); ++k) {
          const size_t block = k * each / row.size();
          sum += float(double(row[k]) * columns[j][k] * ofRows[r * each + block] *
                       ofColumns[j * each + block]);
        }
        d = std::bit_cast<uint32_t>(sum);
      } else if (p.kind == 3)
        add(p.accumulate ? std::bit_cast<int32_t>(d) : int32_t{0});
      else
        add(p.accumulate ? std::bit_cast<float>(d) : 0.0f);
    }
  }
}

} // namespace sluice::host
