// sluice arch: what is known of a machine, each number with its source.
#include "Console.h"
#include "Proof.h"
#include "Verbs.h"

#include "Arch/Datasheet.h"
#include "Support/Json.h"
#include "Support/Nearest.h"

namespace sluice::tool {
namespace {

/// One of that name, or what a target means.
const Arch *machineNamed(const std::string &word) {
  if (const Arch *arch = findArch(word))
    return arch;
  const auto target = parseTarget(word);
  return target ? &defaultArch(*target) : nullptr;
}

/// All machines, the first of a target the one that the target means.
std::string overview(bool json) {
  JsonWriter writer;
  writer.beginArray();
  std::string text;
  for (const Datasheet &sheet : datasheets()) {
    const Arch &arch = sheet.arch();
    const std::string target(name(arch.target));
    const bool meant = &defaultArch(arch.target) == &arch;
    text += arch.name + std::string(13 - arch.name.size(), ' ') + target +
            (meant ? "" : std::string(12 - target.size(), ' ') + "by --arch alone") + "\n";
    writer.beginObject().member("machine", arch.name).member("target", target);
    writer.member("default", meant).endObject();
  }
  writer.endArray();
  return json ? writer.str() + "\n" : text;
}

} // namespace

int archVerb(const Options &options) {
  std::string text = overview(options.json);
  if (const std::string &word = options.kernel; !word.empty()) {
    const Arch *arch = machineNamed(word);
    if (!arch) {
      std::vector<std::string> names = archNames();
      for (Target t : {Target::sm_90a, Target::sm_100a, Target::ascend910b, Target::ascend950})
        names.emplace_back(name(t));
      return refuse(inputError(unknownName("machine or target", word, names)), options);
    }
    text = options.json ? factsJson(*arch) + "\n" : factsText(*arch);
  }
  if (auto written = writeText("", text); !written)
    return report(written.error());
  return kExitGood;
}

} // namespace sluice::tool
