// sluice check: prove every kernel of the file; the worst verdict counts.
#include "Console.h"
#include "Load.h"
#include "Verbs.h"

#include "Verify/Report.h"

#include <chrono>

namespace sluice::tool {
namespace {

int exitCode(Verdict::Kind kind) {
  switch (kind) {
  case Verdict::proven:
    return kExitGood;
  case Verdict::violated:
    return kExitViolated;
  case Verdict::unsupported:
    return kExitUnsupported;
  }
  return kExitUnsupported;
}

std::string heading(const Loaded &loaded) {
  return loaded.program.name + " on " + std::string(name(loaded.program.target)) + " (" +
         loaded.arch->name + "), " + loaded.shape + "\n";
}

} // namespace

int checkVerb(const Options &options) {
  auto begin = std::chrono::steady_clock::now();
  auto all = load(options);
  if (!all)
    return report(all.error());
  std::string text;
  std::optional<Verdict> total;
  for (const Loaded &loaded : *all) {
    Verdict verdict = prove(loaded.program, *loaded.arch, loaded.launch);
    text += heading(loaded) + verdictText(verdict);
    total = total ? worst(*total, verdict) : verdict;
  }
  std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
  if (options.json)
    text = verdictJson(*total, passed.count()) + "\n";
  if (auto written = writeText("", text); !written)
    return report(written.error());
  return exitCode(total->kind);
}

} // namespace sluice::tool
