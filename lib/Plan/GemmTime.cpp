#include "Plan/GemmTime.h"

#include "Arch/GemmCosts.h"

#include <algorithm>

namespace sluice {

GemmTime::GemmTime(const GemmGrid &grid)
    : grid_(grid), p_(grid.problem), arch_(grid.arch), cost_(*grid.arch.gemm) {}

/// Each tile that a CTA has steps of is one turn, in which it takes sums over and hands them on;
/// those of CTAs that have steps of one tile alone come one after the other at the end.
GemmTime::Predicted GemmTime::ofStream(const GemmShape &s) const {
  const GemmShares shares = grid_.shares(s);
  const auto [ofStep, limit] = step(s, 1);
  const double turn = double(s.bm * s.bn * sumBytes) / cost_.turnBytesPerCycle;
  const double turns = double(shares.tiles + std::max<int64_t>(shares.ofOne - 2, 0)) * turn;
  const double ofSteps = double(shares.steps) * ofStep;
  const double ends = double(shares.tiles) * tile(s, true) + turns;
  return {cost_.start + std::max(ofSteps, cyclesOfMemory(p_, arch_)) + ends,
          cyclesOfMemory(p_, arch_) > ofSteps ? "memory" : limit};
}

GemmTime::Predicted GemmTime::of(const GemmShape &s) const {
  if (s.streamed)
    return ofStream(s);
  const auto [rows, columns] = grid_.tiles(s);
  const int64_t ctas = rows * columns * s.split;
  const auto waves = double(ceilDiv(ctas, grid_.atOnce(s)));
  const auto steps = double(ceilDiv(grid_.steps(), s.split));
  const auto [ofStep, limit] = stepOfAllWaves(s, ctas);
  const double ofTile = tile(s, grid_.persistent(s));
  const double ofSteps = steps * ofStep, around = waves * ofTile;
  // Of few rows: while memory is behind, some SMs load under the ends of the tiles of others.
  const double beside = grid_.swapped ? ofTile : around;
  return {cost_.start + std::max(ofSteps + around, cyclesOfMemory(p_, arch_) + beside) +
              waves * steps * zeros(s),
          cyclesOfMemory(p_, arch_) > ofSteps ? "memory" : limit};
}

double GemmTime::loading(const GemmShape &s) const {
  if (s.streamed)
    return double(grid_.shares(s).ctas);
  const auto [rows, columns] = grid_.tiles(s);
  return double(std::min<int64_t>(rows * columns * s.split, arch_.cores));
}

double GemmTime::rate(const GemmShape &s, int64_t rowBytes, int64_t tileBytes) const {
  if (grid_.byThreads(rowBytes)) {
    // Lanes take 16 bytes each of whole lines: of 22 pieces, ten lanes have none.
    const int64_t lanes = 32, pieces = std::min(ceilDiv(tileBytes, 16), lanes);
    const int64_t taking = lanes / pieces * pieces;
    const double busy = double(taking) / double(lanes);
    const int64_t role = 3; // warps, beside the one that stores
    return busy * (grid_.copiesAhead(s) ? cost_.copyBytesPerCycle : arch_.copyBytesOfWarp * role);
  }
  const bool lines = rowBytes % arch_.lineBytes == 0 && tileBytes % arch_.sectorBytes == 0;
  const double ofAll = lines ? cost_.loadBytesPerCycle : cost_.apartBytesPerCycle;
  return std::min(ofAll * double(arch_.cores) / std::max(loading(s), 1.0), arch_.l2BytesAlone);
}

int64_t GemmTime::boxes(int64_t rowOfB) const {
  const int64_t wide = p_.bByColumns || rowOfB % 32 ? arch_.lineBytes : partBytes(rowOfB);
  return 1 + ceilDiv(rowOfB, wide);
}

double GemmTime::zeros(const GemmShape &s) const {
  if (p_.groups)
    return 0;
  const int64_t columns = p_.bByColumns ? std::max<int64_t>(s.bn - p_.N, 0) : 0;
  return double(std::max<int64_t>(s.bm - p_.M, 0) + columns) * cost_.zeroRow;
}

int64_t GemmTime::batches(const GemmShape &s, int64_t lines, int64_t bytes) {
  const int64_t ofWarp = ceilDiv(lines, 4 * s.warpgroups());
  const int64_t atOnce = std::max<int64_t>(32 / ceilDiv(bytes, 16), 1);
  return ceilDiv(ceilDiv(ofWarp, atOnce), 4);
}

double GemmTime::copyLatency(const GemmShape &s) const {
  if (!grid_.copiesAhead(s))
    return 0;
  const int64_t size = byteSize(p_.type), line = arch_.lineBytes, depth = line / size;
  const auto of = [&](int64_t rowBytes, bool alongK, int64_t extent) {
    if (!grid_.byThreads(rowBytes))
      return int64_t(0);
    return alongK ? batches(s, extent, line) : batches(s, depth, extent * size);
  };
  const int64_t waits =
      of(p_.rowBytesA, !p_.aByColumns, s.bm) + of(p_.rowBytesB, p_.bByColumns, s.bn);
  const auto [rows, columns] = grid_.tiles(s);
  const bool cold = rows * columns * s.split <= arch_.cores; // nothing beside it, nothing before
  return double(waits) * (s.warpgroups() == 1 ? cost_.aloneCopyBatch
                          : cold              ? cost_.coldCopyBatch
                                              : cost_.copyBatch);
}

double GemmTime::storedBeside(const GemmShape &s) const {
  if (!grid_.persistent(s) || s.staging > 1)
    return 0;
  const auto bytes = double(s.bm * s.columns() * byteSize(p_.out));
  return bytes / double(grid_.steps()) / cost_.loadBytesPerCycle;
}

GemmTime::Step GemmTime::step(const GemmShape &s, double ctas) const {
  const bool cluster = s.clusterM * s.clusterN > 1;
  const int64_t instructions = s.bm / 64 * arch_.lineBytes / arch_.productBytes;
  // None takes less than its operands from shared memory, 64 rows of A and the columns of B.
  const double product =
      std::max(cost_.product + cost_.productColumn * double(s.bn),
               double((64 + s.bn) * arch_.productBytes) / arch_.smemBytesPerCycle);
  double products = double(instructions) * product;
  products += (s.warpgroups() == 1 ? cost_.aloneStep : 0) + (cluster ? cost_.clusterStep : 0);
  // CTAs along M share B's tile, CTAs along N share A's.
  const int64_t rowOfB = p_.bByColumns ? arch_.lineBytes : s.bn * byteSize(p_.type);
  const int64_t rowOfA = p_.aByColumns ? s.bm * byteSize(p_.type) : arch_.lineBytes;
  const double bytes = double(arch_.lineBytes) * s.bm / s.clusterN / rate(s, p_.rowBytesA, rowOfA) +
                       double(arch_.lineBytes) * s.bn / s.clusterM / rate(s, p_.rowBytesB, rowOfB);
  products *= ctas;
  // A warpgroup of its own waits most of the time: others of the SM copy meanwhile.
  const double copied = s.warpgroups() == 1 ? std::max(bytes + copyLatency(s), ctas * bytes)
                                            : ctas * bytes + copyLatency(s);
  const double loads = std::max(copied + storedBeside(s), double(boxes(rowOfB)) * cost_.box);
  const double latency = cost_.loadLatency / double(grid_.stages(s) - 1);
  if (products >= loads && products >= latency)
    return {products, "products"};
  return loads >= latency ? Step{loads, "loads"} : Step{latency, "latency"};
}

GemmTime::Step GemmTime::stepOfAllWaves(const GemmShape &s, int64_t ctas) const {
  const int64_t whole = ctas / grid_.atOnce(s), last = ctas % grid_.atOnce(s);
  const auto [cycles, limit] = step(s, double(grid_.residents(s)));
  if (grid_.copiesAhead(s) && s.warpgroups() == 1 && whole > 0) // the last runs between the others
    return {double(ctas) / double(grid_.atOnce(s)) * cycles, limit};
  const double ofLast = last ? step(s, double(ceilDiv(last, arch_.cores))).first : 0;
  return {double(whole) * cycles + ofLast, limit};
}

double GemmTime::tile(const GemmShape &s, bool persistent) const {
  const int64_t row = s.columns() * byteSize(p_.out);
  const double size = double(s.bm * row) / GemmCosts::storeBytes;
  const double apart = row % arch_.sectorBytes ? cost_.brokenSector
                       : row % arch_.lineBytes ? cost_.brokenLine
                                               : 0;
  return size * apart + tileInLines(s, persistent, size) + exchange(s);
}

double GemmTime::exchange(const GemmShape &s) const {
  if (s.split == 1)
    return 0;
  const int64_t sent = s.bm * (s.bn - s.columns()) * sumBytes;
  return cost_.exchange + double(sent) / cost_.exchangeBytesPerCycle;
}

double GemmTime::tileInLines(const GemmShape &s, bool persistent, double size) const {
  if (s.staging == 1)
    return persistent ? cost_.nextTile + size * cost_.copy : cost_.tile + size * cost_.store;
  if (!persistent)
    return cost_.tile + size * cost_.store * cost_.partShare;
  const int64_t row = s.bn * byteSize(p_.out);
  const int64_t later = row / partBytes(row) - 1;
  return cost_.tile + size * cost_.store + double(later) * cost_.part;
}

} // namespace sluice
