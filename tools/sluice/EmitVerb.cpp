// sluice emit: source for the target.
#include "Console.h"
#include "EmitNotes.h"
#include "Hang.h"
#include "Load.h"
#include "Proof.h"
#include "Tensors.h"
#include "Verbs.h"

#include "Diagnose/Check.h"
#include "Emit/Standalone.h"
#include "Launch/DeviceHeaders.h"
#include "Support/FileOutput.h"
#include "Support/Json.h"

#include <algorithm>
#include <filesystem>
#include <utility>

namespace sluice::tool {
namespace {

/// Whether `-o` means a folder: an existing one, or a name that ends in a slash.
bool isFolder(const std::string &output) {
  return output.ends_with("/") || std::filesystem::is_directory(output);
}

/// 0 or the exit code; prints the refusal. What some launch breaks is refused, and what is not
/// even proven for this one; what is proven for this one alone says so in its header.
int refuseUnproven(const Loaded &loaded, const Options &options, const Verdict &verdict) {
  auto reason = unproven(loaded, verdict);
  if (!reason)
    return kExitGood;
  if (options.unproven) {
    warn(placed(*reason));
    return kExitGood;
  }
  reason->message += "; --unproven emits it all the same";
  return refuse(*reason, verdict, options);
}

/// What only printed CUDA C++ has, asked for with Ascend C.
std::optional<Error> refuseCudaOnly(const Loaded &loaded, const Options &options) {
  if (!isAscend(loaded.program.target))
    return std::nullopt;
  if (options.standalone && !isFolder(options.output))
    return inputError("--standalone for " + std::string(name(loaded.program.target)) +
                      " writes a kernel, a main and a CMake file; name a folder, as in -o out/");
  for (const auto &[asked, option] : {std::pair{options.ids, "--ids"},
                                      {options.watchdog, "--watchdog"},
                                      {options.stamps, "--stamps"},
                                      {options.checksums, "--checksums"}})
    if (asked)
      return unsupportedError("unsupported: emit " + std::string(option) +
                              " prints CUDA C++ alone; leave it out for " +
                              std::string(name(loaded.program.target)));
  return std::nullopt;
}

/// The kernel, and of --standalone its host program and what builds both.
Result<std::vector<OutputFile>> emitAscendC(const Loaded &loaded, const Options &options,
                                            const Verdict &verdict) {
  auto source = emitAscend(loaded.program, notesFor(loaded, verdict));
  if (!source)
    return source.error();
  const auto finished = [&](const std::string &text) {
    return options.singleFile ? inlineHeaders(text) : text;
  };
  std::vector<OutputFile> files = {{loaded.program.name + ".cpp", finished(source->text)}};
  if (!options.standalone)
    return files;
  auto main = ascendMainText(loaded.program, *source, standaloneFor(loaded));
  if (!main)
    return main.error();
  files.push_back({"main.cpp", finished(*main)});
  files.push_back({"CMakeLists.txt", ascendBuildText(loaded.program)});
  return files;
}

Result<std::string> emitCudaText(const Loaded &loaded, const Options &options,
                                 const Verdict &verdict) {
  EmitOptions notes = notesFor(loaded, verdict);
  notes.syncIds = options.ids;
  notes.watchdog = options.watchdog ? kLongestWait : 0;
  addRecords(options, notes);
  if (options.standalone) {
    const std::string arch = loaded.program.target == Target::sm_100a ? "100a" : "90a";
    const std::string name = loaded.program.name, flags = isFolder(options.output) ? "-I . " : "";
    notes.about.insert(notes.about.begin(), "Build: nvcc -std=c++17 -gencode=arch=compute_" + arch +
                                                ",code=sm_" + arch + " " + flags + name +
                                                ".cu -o " + name + " && ./" + name);
  }
  auto source = emitCuda(loaded.program, notes);
  if (!source)
    return source.error();
  std::string text = source->text;
  if (options.standalone) {
    for (size_t i = 0; i < loaded.program.tensors.size(); ++i)
      if (holdsUnsignedFactors(loaded.program, i))
        return unsupportedError("emit --standalone: tensor " + loaded.program.tensors[i].name +
                                " has factors without a sign (ue4m3), and a main's random "
                                "numbers have one; emit the kernel alone");
    Standalone how = standaloneFor(loaded);
    how.printed = notes;
    auto whole = standaloneText(loaded.program, *source, how);
    if (!whole)
      return whole.error();
    text = *whole;
  }
  const bool inlined = options.singleFile || (options.standalone && !isFolder(options.output));
  return inlined ? inlineHeaders(text) : text;
}

Result<std::vector<OutputFile>> emitOne(const Loaded &loaded, const Options &options,
                                        const Verdict &verdict) {
  if (isAscend(loaded.program.target))
    return emitAscendC(loaded, options, verdict);
  auto text = emitCudaText(loaded, options, verdict);
  if (!text)
    return text.error();
  return std::vector<OutputFile>{{loaded.program.name + ".cu", std::move(*text)}};
}

struct Written {
  std::vector<std::string> files, headers; // paths
};

std::string writtenJson(const Written &written) {
  JsonWriter json;
  json.beginObject().member("files", written.files);
  json.member("headers", written.headers).endObject();
  return json.str() + "\n";
}

/// One text per kernel, each over `-o`.
Result<Written> writeAlone(const Options &options, const std::vector<OutputFile> &texts) {
  Written all;
  for (const OutputFile &text : texts) {
    if (auto written = writeText(options.output, text.bytes); !written)
      return written.error();
    all.files.push_back(options.output);
  }
  return all;
}

/// Headers that lie beside printed kernels, with what their endings say of these.
std::vector<DeviceHeader> headersFor(const Options &options, const std::vector<OutputFile> &texts) {
  std::vector<DeviceHeader> headers;
  if (options.singleFile)
    return headers;
  const auto add = [&](std::span<const DeviceHeader> all) {
    for (const DeviceHeader &h : all) {
      const bool ofMain = h.name == "sluice/host.cuh" || h.name == "sluice/host_records.cuh" ||
                          h.name == "sluice/host.h";
      if (!ofMain || options.standalone)
        headers.push_back(h);
    }
  };
  const auto isCuda = [](const OutputFile &text) { return text.path.ends_with(".cu"); };
  if (std::ranges::any_of(texts, isCuda))
    add(deviceHeaders());
  if (!std::ranges::all_of(texts, isCuda))
    add(ascendHeaders());
  if (options.standalone)
    add(hostHeaders());
  return headers;
}

/// One text per kernel, and the headers beside them.
Result<Written> writeBeside(const Options &options, std::vector<OutputFile> texts) {
  std::string folder = options.output;
  while (folder.size() > 1 && folder.ends_with("/"))
    folder.pop_back();
  Written all;
  for (const OutputFile &text : texts)
    all.files.push_back(folder + "/" + text.path);
  for (const DeviceHeader &h : headersFor(options, texts)) {
    texts.push_back({std::string(h.name), std::string(h.text)});
    all.headers.push_back(folder + "/" + std::string(h.name));
  }
  if (auto written = writeFolder(folder, texts); !written)
    return written.error();
  return all;
}

} // namespace

int emitVerb(const Options &options) {
  auto all = load(options, Missing::chosen);
  if (!all)
    return refuse(all.error(), options);
  if (all->size() > 1 && !options.output.empty() && !isFolder(options.output))
    return refuse(inputError("-o " + options.output + ": the file holds " +
                             std::to_string(all->size()) + " kernels; name a folder, as in -o " +
                             options.output + "/"),
                  options);
  if (options.json && options.output.empty())
    return refuse(inputError("--json needs -o: the source goes to a file then"), options);
  if (options.standalone && all->size() > 1 && isAscend(all->front().program.target))
    return refuse(inputError("the file holds " + std::to_string(all->size()) +
                             " kernels; --standalone for Ascend writes a main for one"),
                  options);
  const CheckOptions limits = limitsOf(options);
  std::vector<OutputFile> texts;
  for (const Loaded &loaded : *all) {
    if (auto refusal = refuseCudaOnly(loaded, options))
      return refuse(*refusal, options);
    const Verdict verdict = prove(loaded.program, *loaded.arch, loaded.launch, limits);
    if (int code = refuseUnproven(loaded, options, verdict))
      return code;
    auto files = emitOne(loaded, options, verdict);
    if (!files)
      return refuse(files.error(), options);
    for (OutputFile &file : *files)
      texts.push_back(std::move(file));
  }
  auto written =
      isFolder(options.output) ? writeBeside(options, texts) : writeAlone(options, texts);
  if (!written)
    return report(written.error());
  if (options.json)
    return writeText("", writtenJson(*written)) ? kExitGood : kExitUsage;
  return kExitGood;
}

} // namespace sluice::tool
