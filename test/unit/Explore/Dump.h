// A program as text, for the reports of the tests here.
#pragma once

#include "Explore/Script.h"
#include "Program/Program.h"

#include <string>

namespace sluice::test {

/// One line per agent: its unrolled actions with their operands.
inline std::string dump(const Program &program, const Launch &launch) {
  const explorer::Unrolled u = explorer::unroll(program, launch, {});
  std::string text;
  for (const Mbarrier &b : program.mbarriers)
    text += b.name + " x" + std::to_string(b.slots) + "; ";
  auto cells = [](const std::vector<explorer::Touch> &touches) {
    std::string list;
    for (const explorer::Touch &t : touches) {
      list += t.write ? " w{" : " r{";
      for (size_t i = 0; i < t.cells.size(); ++i)
        list += (i ? "," : "") + std::to_string(t.cells[i]);
      list += "}";
    }
    return list;
  };
  for (const explorer::Script &s : u.scripts) {
    if (s.actions.empty())
      continue;
    text += "\n" + s.name + ":";
    for (const explorer::Action &a : s.actions) {
      text += "\n    " + explorer::describe(*a.stmt) + (a.lanes ? " [threads]" : " [elected]");
      const bool flags = a.act == explorer::Act::setFlag || a.act == explorer::Act::waitFlag ||
                         a.act == explorer::Act::lockMutex;
      for (int32_t o : a.objects)
        if (a.act == explorer::Act::load) {
          const explorer::Load &l = u.loads[o];
          text += " -> CTA " + std::to_string(l.cta) + " " +
                  (l.barrier < 0 ? "no barrier" : u.mbarriers[l.barrier]) + " " +
                  std::to_string(l.bytes) + " bytes" + cells(l.touches);
        } else {
          const bool counts =
              a.act == explorer::Act::counterAdd || a.act == explorer::Act::counterWait;
          text += " " + (a.act == explorer::Act::named ? std::to_string(o)
                         : counts                      ? u.counters[o]
                         : flags                       ? u.flags[o]
                                                       : u.mbarriers[o]);
        }
      text += " n=" + std::to_string(a.count) + " b=" + std::to_string(a.bytes) + cells(a.touches);
      text += a.scope == Scope::gpu ? " .gpu" : a.scope == Scope::cluster ? " .cluster" : "";
      text += std::string(a.relaxed ? " relaxed" : "") + (a.coResident ? " co-resident" : "");
    }
  }
  return text + "\n";
}

} // namespace sluice::test
