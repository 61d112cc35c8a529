#include "PlanOfRows.h"

#include "Console.h"
#include "Launching.h"
#include "Proof.h"

#include "Arch/Arch.h"
#include "Plan/RowsPlan.h"
#include "Support/Json.h"
#include "Support/Nearest.h"

#include <algorithm>
#include <vector>

namespace sluice::tool {
namespace {

constexpr int64_t mostColumns = 1 << 24, mostRows = int64_t{1} << 30;

/// A number that --set gives.
struct Given {
  const char *name;
  int64_t *value;
  int64_t least, most;
  std::optional<int64_t> otherwise = {}; // where --set does not say it
};

/// Reads all of them; else why not.
std::optional<Error> readInto(const std::vector<Given> &all, const Options &options) {
  const std::string what = "plan " + options.kernel;
  std::string names;
  for (const Given &given : all)
    names += (names.empty() ? "" : ", ") + std::string(given.name);
  for (const auto &[name, text] : options.set)
    if (std::ranges::find(all, name, &Given::name) == all.end())
      return inputError(what + ": " + name + " is none of " + names);
  for (const Given &given : all) {
    const auto text = options.set.find(given.name);
    const bool said = text != options.set.end();
    const auto number = said ? parseNumber(text->second) : given.otherwise;
    if (!number || *number < given.least || *number > given.most)
      return inputError(what + ": --set " + given.name + (said ? "=" + text->second : "") + ": " +
                        std::to_string(given.least) + " to " + std::to_string(given.most));
    *given.value = *number;
  }
  return std::nullopt;
}

int said(const std::string &chosen, const Options &options) {
  JsonWriter json;
  json.beginObject().member("chosen", chosen).endObject();
  auto written = writeText("", (options.json ? json.str() : chosen) + "\n");
  return written ? kExitGood : report(written.error());
}

/// How wide pieces of a row are.
int planPieces(const Options &options) {
  int64_t columns = 0, most = 0;
  if (auto wrong =
          readInto({{"cols", &columns, 1, mostColumns}, {"most", &most, 1, mostColumns}}, options))
    return refuse(*wrong, options);
  return said("columns=" + std::to_string(columnsOfPiece(columns, most)), options);
}

/// How many blocks of rows a CTA takes, and its stages; 0: threads load its block, of pieces as
/// wide as a warp.
int planShareOf(const Options &options) {
  RowsProblem p;
  int64_t bytes = 0, parts = 0;
  const std::vector<Given> all = {
      {"rows", &p.rows, 0, mostRows},    {"cols", &p.columns, 1, mostColumns},
      {"bytes", &bytes, 2, 4}, // of an element
      {"height", &p.height, 1, 64},      {"stages", &p.staying, 1, 16},
      {"held", &p.held, 1, 256},         {"pad", &p.pad, 0, mostColumns, 0},
      {"inputs", &p.inputs, 1, 64, 1},   {"outputs", &p.outputs, 0, 64, 1},
      {"vectors", &p.vectors, 0, 64, 0}, {"folds", &p.folds, 0, 64, 1},
      {"parts", &parts, 1, 8, 1},        {"piece", &p.piece, 0, mostColumns, 0},
  };
  if (auto wrong = readInto(all, options))
    return refuse(*wrong, options);
  p.type = bytes == 4 ? DType::f32 : DType::bf16;
  p.loaded = p.outputs ? LoadedRows::chosen : LoadedRows::inRings;
  const Arch *arch = options.arch.empty() ? &defaultArch(Target::sm_90a) : findArch(options.arch);
  if (!arch || arch->target != Target::sm_90a)
    return refuse(inputError(unknownName("machine", options.arch, {"h100", "h200"})), options);
  return said(planShare(p, parts, *arch).settings, options);
}

} // namespace

std::optional<int> planOfRows(const Options &options) {
  if (options.kernel == "pieces")
    return planPieces(options);
  if (options.kernel == "share")
    return planShareOf(options);
  return std::nullopt;
}

} // namespace sluice::tool
