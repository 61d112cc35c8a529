// sluice emit: source for the target.
#include "Console.h"
#include "Load.h"
#include "Proof.h"
#include "Verbs.h"

#include "Emit/Emit.h"
#include "Machine/Json.h"

#include <filesystem>

namespace sluice::tool {
namespace {

/// The file that `-o` means: a folder gets kernel.cu in it. "": stdout.
std::string outputFile(const std::string &output, const std::string &kernel) {
  if (!output.empty() && std::filesystem::is_directory(output))
    return (std::filesystem::path(output) / (kernel + ".cu")).string();
  return output;
}

/// 0 or the exit code; prints the refusal.
int refuse(const Loaded &loaded, const Options &options) {
  auto reason = unproven(loaded);
  if (!reason)
    return kExitGood;
  if (options.unproven) {
    note(reason->message);
    return kExitGood;
  }
  reason->message += "; --unproven emits it all the same";
  int code = report(*reason);
  return code == kExitUsage ? kExitViolated : code;
}

Result<std::string> emitOne(const Loaded &loaded) {
  if (isAscend(loaded.program.target))
    return unsupportedError("unsupported: Ascend C is not printed in this version; check, run and "
                            "trace take " +
                            std::string(name(loaded.program.target)));
  auto source = emitCuda(loaded.program);
  if (!source)
    return source.error();
  return source->text;
}

std::string filesJson(const std::vector<std::string> &files) {
  JsonWriter json;
  json.beginObject().member("files", files).endObject();
  return json.str() + "\n";
}

} // namespace

int emitVerb(const Options &options) {
  auto all = load(options);
  if (!all)
    return report(all.error());
  bool folder = std::filesystem::is_directory(options.output);
  if (all->size() > 1 && !options.output.empty() && !folder)
    return report(inputError("-o " + options.output + ": the file holds " +
                             std::to_string(all->size()) + " kernels; name an existing folder"));
  if (options.json && options.output.empty())
    return report(inputError("--json needs -o: the source goes to a file then"));
  std::vector<std::string> files;
  for (const Loaded &loaded : *all) {
    if (int code = refuse(loaded, options))
      return code;
    auto text = emitOne(loaded);
    if (!text)
      return report(text.error());
    files.push_back(outputFile(options.output, loaded.program.name));
    if (auto written = writeText(files.back(), *text); !written)
      return report(written.error());
  }
  if (options.json)
    return writeText("", filesJson(files)) ? kExitGood : kExitUsage;
  return kExitGood;
}

} // namespace sluice::tool
