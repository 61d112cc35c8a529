// The roles of a kernel as its code has them: who runs where, does what, and passes what on.
#pragma once

#include "Program/Program.h"
#include "Support/Json.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// One role; of Ascend one pipe of a core. Statements outside of the roles are those of all warps.
struct RoleRow {
  std::string name;                      // "load"; "MTE2 of aic"; empty: outside of the roles
  int first = 0, warps = 0;              // NVIDIA
  int registers = 0;                     // of a thread (setmaxnreg); 0: those it is launched with
  std::optional<int64_t> rank = {};      // the CTA of each cluster whose role it is; absent: all
  std::vector<std::string> does = {};    // "TMA load A", "wgmma", "st.shared"
  std::vector<std::string> fills = {};   // buffers that others touch too: "a[4]", of four slots
  std::vector<std::string> takes = {};   // buffers that others fill
  std::vector<std::string> signals = {}; // mbarriers and flags; named ones are in the barrier table
  std::vector<std::string> waits = {};
};

std::vector<RoleRow> roleTable(const Program &program);

/// A block of lines for each.
std::string roleTableText(const std::vector<RoleRow> &rows);
/// An array of objects, where a value is expected.
void writeRoleTable(JsonWriter &json, const std::vector<RoleRow> &rows);

} // namespace sluice
