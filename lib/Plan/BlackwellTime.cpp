#include "Plan/BlackwellTime.h"

#include "Plan/GemmGrid.h"
#include "Program/BlockScales.h"
#include "Program/TensorMemory.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice {

int64_t BlackwellTime::steps() const {
  return std::max<int64_t>(ceilDiv(p_.K * byteSize(p_.type), arch_.lineBytes), 1);
}

int64_t BlackwellTime::steps(const BlackwellTile &t) const {
  return ceilDiv(steps(), t.split);
}

std::pair<int64_t, int64_t> BlackwellTime::tiles(const BlackwellTile &t) const {
  const int64_t columns = ceilDiv(ceilDiv(p_.N, t.bn), t.clusterN) * t.clusterN;
  if (p_.groups)
    return {ceilDiv(p_.M, t.bm) + p_.groups - 1, columns};
  return {ceilDiv(ceilDiv(p_.M, t.bm), t.clusterM) * t.clusterM, columns};
}

int64_t BlackwellTime::waves(const BlackwellTile &t) const {
  const auto [rows, columns] = tiles(t);
  return std::max<int64_t>(ceilDiv(rows * columns * t.split, atOnce(t)), 1);
}

bool BlackwellTime::persistent(const BlackwellTile &t) const {
  return p_.groups || p_.drawn || waves(t) > 1;
}

int64_t BlackwellTime::active(const BlackwellTile &t) const {
  if (p_.groups)
    return arch_.cores;
  const auto [rows, columns] = tiles(t);
  const int64_t clusters = std::max<int64_t>(rows * columns * t.split / t.ctas(), 1);
  return (p_.drawn ? std::min(clusters, atOnce(t) / t.ctas()) : ceilDiv(clusters, waves(t))) *
         t.ctas();
}

int64_t BlackwellTime::pieces(const BlackwellTile &t) const {
  return piecesOfStep(t.bm, t.bn, arch_.lineBytes / byteSize(p_.type), p_.block);
}

double BlackwellTime::bytesOfFactors(const BlackwellTile &t) const {
  return double(pieces(t) * FactorPieces::rows * FactorPieces::bytes);
}

int64_t BlackwellTime::columnsOfFactors(const BlackwellTile &t) const {
  return t.stages * pieces(t) * FactorPieces::columns;
}

bool BlackwellTime::takesTurns(const BlackwellTile &t) const {
  const int64_t columns = 2 * t.products() * t.bn + columnsOfFactors(t);
  return persistent(t) && columns <= TensorMemory::columns;
}

/// Of an SM, where so many work at a time.
double BlackwellTime::rate(double ofAll, double alone, double active) const {
  return std::min(ofAll * arch_.cores / active, alone);
}

/// Of what a step has of an operand. Threads copy what TMA does not take, and wait for it.
double BlackwellTime::loading(const BlackwellTile &t, double bytes, int64_t rowBytes) const {
  constexpr int64_t role = 4; // warps
  if (GemmGrid::byThreads(rowBytes))
    return bytes / (arch_.copyBytesOfWarp * role) + arch_.loadLatency;
  return bytes / rate(arch_.l2BytesPerCycle, arch_.l2BytesAlone, double(active(t)));
}

/// Of A one; of B as many as its rows have swizzles of 128 bytes; of factors one for 128 lines.
int64_t BlackwellTime::boxes(const BlackwellTile &t) const {
  const int64_t row = t.columnsOfB() * byteSize(p_.type);
  const int64_t ofFactors = p_.block ? 1 + ceilDiv(t.bn, FactorPieces::lines) : 0;
  return 1 + (p_.bByColumns ? 1 : ceilDiv(row, row % 32 ? arch_.lineBytes : partBytes(row))) +
         ofFactors;
}

/// One after the other to the same columns: those of B are the most.
int64_t BlackwellTime::copies(const BlackwellTile &t) const {
  return p_.block ? piecesOf(t.bn, arch_.lineBytes / byteSize(p_.type), p_.block).count() : 0;
}

double BlackwellTime::issue(const BlackwellTile &t) const {
  const double around = arch_.arriveCycles + arch_.waitCycles;
  const double loads = arch_.tmaIssueCycles * double(boxes(t));
  const double products = double(t.products() * arch_.lineBytes) / double(arch_.productBytes);
  return around + std::max(loads, arch_.issueCycles * (products + double(pieces(t))));
}

double BlackwellTime::missesOfA(const BlackwellTile &t) const {
  const auto columns = double(tiles(t).second) / double(t.clusterN);
  return 1 / std::max(columns, 1.0);
}

double BlackwellTime::missesOfB(const BlackwellTile &t) const {
  const auto matrices = double(std::max<int64_t>(p_.groups, 1));
  const auto rows = double(tiles(t).first) / double(t.clusterM);
  return std::min(matrices / std::max(rows, 1.0), 1.0);
}

double BlackwellTime::loadLatency(const BlackwellTile &t) const {
  const double misses = std::max(missesOfA(t), missesOfB(t));
  const double together = std::sqrt(double(active(t)));
  return arch_.tmaLatency + arch_.missLatency * std::min(1.0, misses * together);
}

BlackwellTime::Step BlackwellTime::step(const BlackwellTile &t) const {
  const double line = double(arch_.lineBytes), lanes = double(TensorMemory::lanes);
  // CTAs along N share A's tile, CTAs along M share B's; all that is shared comes to each.
  const double ofA = line * double(t.bm), ofB = line * double(t.columnsOfB());
  const double portA = p_.packedA * ofA / double(t.clusterN),
               portB = p_.packedB * (t.pair ? ofB : ofB / double(t.clusterM));
  const double hbm = rate(arch_.hbmBytesPerCycle, arch_.l2BytesAlone, double(active(t)));
  const double products = double(t.products());
  const double factors = bytesOfFactors(t); // each CTA loads its own
  Step s;
  s.loads = loading(t, portA, p_.rowBytesA) + loading(t, portB, p_.rowBytesB) +
            loading(t, factors, FactorPieces::bytes);
  s.memory = (portA * missesOfA(t) + portB * missesOfB(t) +
              factors * std::max(missesOfA(t), missesOfB(t))) /
             hbm;
  // 64 rows take as long as 128 (UnitTensorMemory::occupy).
  s.products = products * lanes * double(t.bn) * line / arch_.tensorPerCycle;
  const double staged = persistent(t) ? 2 * double(bytesOfC(t)) / double(steps()) : 0;
  s.shared = (2 * (ofA + factors) + (1 + products) * ofB + staged) / arch_.smemBytesPerCycle;
  s.issue = issue(t);
  const double hops = t.ctas() > 1 ? 3 : 2; // arrivals that somebody waits for
  s.round = s.loads + loadLatency(t) + s.products + arch_.wgmmaLatency +
            hops * arch_.barrierLatency + arch_.tmaIssueCycles + arch_.arriveCycles +
            arch_.smemLatency * double(copies(t));
  return s;
}

double BlackwellTime::takeOut(const BlackwellTile &t) const {
  // A warp has 32 rows: a column of theirs is an element of each lane, which is converted.
  const double loaded = double(t.bn) * 32 * sumBytes / arch_.tmemBytesPerCycle;
  const double written = double(bytesOfC(t)) / arch_.smemBytesPerCycle;
  return loaded + double(t.bn / t.split) + written + arch_.smemLatency + arch_.namedBarrierLatency;
}

double BlackwellTime::exchange(const BlackwellTile &t) const {
  if (t.split == 1)
    return 0;
  const double sums = double(t.bn) * 32 * sumBytes; // of a warp
  const double sent = sums / double(t.split) / arch_.peerBytesPerCycle + arch_.barrierLatency;
  const double added = double(t.bm * t.bn * sumBytes) / arch_.smemBytesPerCycle + double(t.bn);
  constexpr double ofIssue = 256; // bytes of two words of each lane
  return sums / ofIssue * arch_.issueCycles + sent + added + 3 * arch_.clusterBarrierLatency;
}

/// In a loop over tiles a role stores box by box, each when the one before has been read (BoxLoop),
/// unless tiles are too short for that (GemmConfig::pacedStore).
double BlackwellTime::store(const BlackwellTile &t) const {
  constexpr double box = 8192; // bytes
  constexpr int64_t few = 4;   // steps
  const double bytes = double(bytesOfC(t));
  const double ofBox = arch_.tmaStoreLatency + arch_.tmaIssueCycles + arch_.waitCycles;
  const bool paced = persistent(t) && t.staging == 1 && steps() >= few;
  const double boxes = paced ? std::max(bytes / box, 1.0) : 1;
  return bytes / rate(arch_.storeBytesPerCycle, arch_.storeBytesAlone, double(active(t))) +
         boxes * ofBox;
}

/// Each tensor once.
BlackwellTime::Predicted BlackwellTime::of(const BlackwellTile &t) const {
  const Step s = step(t);
  const std::array<std::pair<double, const char *>, 6> engines = {
      {{s.loads, "loads"},
       {s.memory, "memory"},
       {s.products, "products"},
       {s.shared, "shared"},
       {s.issue, "issue"},
       {s.round / double(t.stages), "latency"}}};
  const auto slowest = std::ranges::max_element(engines, {}, [](auto &e) { return e.first; });
  const auto all = double(steps(t)), n = double(waves(t));
  const double first = arch_.startCycles + s.round; // until the first step is multiplied
  const double end = takeOut(t) + exchange(t) + store(t);
  double cycles = arch_.launchCycles + first + end;
  const double ofSteps = all * slowest->first;
  if (persistent(t)) // the next tile's steps run while this one is taken out and stored
    cycles += (n - 1) * std::max(ofSteps + (takesTurns(t) ? 0 : takeOut(t)), end);
  cycles += ofSteps - slowest->first;
  const bool ofMemory = cyclesOfMemory(p_, arch_) > cycles;
  return {std::max(cycles, cyclesOfMemory(p_, arch_)), slowest->first,
          ofMemory ? "memory" : slowest->second};
}

} // namespace sluice
