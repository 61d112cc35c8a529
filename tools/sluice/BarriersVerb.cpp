// sluice barriers: the table of barriers, derived from what the kernel does, and whose they are.
#include "Console.h"
#include "Load.h"
#include "Standing.h"
#include "Verbs.h"

#include "Diagnose/BarrierTable.h"
#include "Program/RoleTable.h"

namespace sluice::tool {

int barriersVerb(const Options &options) {
  auto loaded = loadOne(options);
  if (!loaded)
    return refuse(loaded.error(), options);
  std::vector<BarrierRow> rows = barrierTable(loaded->program, loaded->launch);
  nameBarriers(rows, loaded->barrierNames);
  const Standing standing = standingOf(*loaded);
  warn(standing);
  const auto more = [&](JsonWriter &json) {
    if (!standing.warning.empty())
      standing.writeWarning(json);
  };
  std::string text =
      options.json ? barrierTableJson(rows, more) + "\n"
                   : barrierTableText(rows) + "\n" + roleTableText(roleTable(loaded->program));
  if (auto written = writeText("", text); !written)
    return report(written.error());
  return kExitGood;
}

} // namespace sluice::tool
