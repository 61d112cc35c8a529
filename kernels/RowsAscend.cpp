// Kernels along rows on the vector cores of Ascend: a tile is shared by the two of a core, half of
// the rows each, and lies in the unified buffer with what is computed of it.
#include "kernels/Rows.h"

#include <algorithm>

namespace sluice::rows {

namespace {

constexpr int64_t columnsAtOnce = 64; // 256 bytes of f32: what an instruction takes in one step
constexpr int64_t mostRows = 64;      // of a vector core

/// What says how warps and CTAs share rows has no meaning here; loaded tiles have two slots.
std::optional<Error> wrongSettings(const KernelEntry &entry, const Parameters &p,
                                   const Arch &arch) {
  const std::pair<const char *, std::string> needed[] = {
      {"parts", "1"},  {"staging", "0"}, {"share", "0"},
      {"per_sm", "1"}, {"stages", "2"},  {"ctas", std::to_string(arch.cores)}};
  for (const auto &[parameter, value] : needed) {
    const auto own = std::ranges::find(entry.parameters, parameter, &Parameter::name);
    if (own == entry.parameters.end())
      continue;
    if (!p.isAuto(parameter) && p.text(parameter) != value && p.text(parameter) != own->value)
      return inputError(entry.name + " " + parameter + "=" + p.text(parameter) +
                        ": on Ascend every core takes blocks of rows, in two slots; leave it at " +
                        own->value);
  }
  return std::nullopt;
}

} // namespace

int64_t columnsForVectors(int64_t columns, int64_t most) {
  const int64_t whole = (columns + columnsAtOnce - 1) / columnsAtOnce * columnsAtOnce;
  return std::min(whole, std::max(most, columnsAtOnce));
}

/// A ring for each input and for the result, each tile once in f32, some results on their way, and
/// half of one for folds; beside them lines of vectors.
int64_t rowsForVectors(const RowsConfig &c, int64_t columns, int64_t inputs, bool stored) {
  const int64_t rings = inputs * c.stages + (stored ? 2 : 0);
  const int64_t ofElement = rings * byteSize(c.type) + 4 * (inputs + 4 + c.scratch) + 2;
  const int64_t vectors = 16 * columns;
  const int64_t rows = (c.onChip - vectors) / (ofElement * columns);
  const int64_t groups = rows / 8 * 8;
  return 2 * std::clamp<int64_t>(groups ? groups : rows, 1, mostRows);
}

RowsConfig withChoices(RowsConfig c) {
  c.scratch = 7;
  return c;
}

std::optional<RowsConfig> addingUp(RowsConfig c, int64_t lines, int64_t inputs, int64_t cores) {
  c.scratch += c.sums + 1;
  const int64_t most = rowsForVectors(c, columnsOfRow(c), inputs, true);
  const auto rounds = [&](int64_t rows) { // of all cores, in the time of one team
    const int64_t teams = lines / rows;
    return double((teams + cores - 1) / cores) / double(teams);
  };
  for (int64_t rows = 2; rows <= most; rows += 2) // half of them each
    if (lines % rows == 0 && (!c.tileRows || rounds(rows) <= rounds(c.tileRows)))
      c.tileRows = rows;
  if (!c.tileRows)
    return std::nullopt;
  c.ctas = lines / c.tileRows;
  return c;
}

KernelEntry alsoForVectors(KernelEntry entry) {
  for (const Target ascend : {Target::ascend910b, Target::ascend950})
    entry.targets.push_back(ascend);
  entry.build = [entry, build = entry.build](const Parameters &p,
                                             const Arch &arch) -> Result<Kernel> {
    if (isAscend(arch.target))
      if (auto wrong = wrongSettings(entry, p, arch))
        return *wrong;
    return build(p, arch);
  };
  return entry;
}

} // namespace sluice::rows
