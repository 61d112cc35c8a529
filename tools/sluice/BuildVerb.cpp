// sluice build: source, machine code and launch manifest of every kernel of the file.
#include "Console.h"
#include "EmitNotes.h"
#include "Load.h"
#include "Proof.h"
#include "Verbs.h"

#include "Diagnose/Report.h"
#include "Emit/Emit.h"
#include "Launch/Manifest.h"
#include "Program/Joined.h"
#include "Runtime/Compile.h"
#include "Support/FileOutput.h"
#include "Support/Json.h"
#include "Support/Sha256.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace sluice::tool {
namespace {

struct Built {
  std::string name;
  std::string source, cubin, manifest; // contents
};

/// Puts what the catalogue says of an extent into the plan: by name where a launch chooses it, as a
/// number where that is in the code.
void settleExtent(const Loaded &loaded, const Extent &extent, size_t tensor, size_t dim,
                  LaunchPlan &plan) {
  const auto &parameters = loaded.entry->parameters;
  const auto known = std::ranges::find(parameters, extent.name, &Parameter::name);
  if (known == parameters.end() || !known->atLaunch)
    plan.tensors[tensor].extents[dim] =
        passed(loaded.program.tensors[tensor], loaded.launch.tensors[tensor]).extents[dim];
  else
    plan.extentNames[tensor][dim] = extent;
}

void settleExtents(const Loaded &loaded, LaunchPlan &plan) {
  if (!loaded.entry)
    return;
  for (const TensorShape &shape : loaded.entry->shapes(*loaded.parameters))
    for (size_t t = 0; t < plan.tensors.size(); ++t)
      if (Tensor &tensor = plan.tensors[t]; tensor.name == shape.tensor && tensor.isLine) {
        plan.extentNames[t] = {{"elements"}};
      } else if (tensor.name == shape.tensor) {
        tensor.extents.resize(shape.extents.size(), -1);
        plan.extentNames[t].resize(shape.extents.size());
        for (size_t d = 0; d < shape.extents.size(); ++d)
          settleExtent(loaded, parseExtent(shape.extents[d]), t, d, plan);
      }
}

/// What its files are called: as the author calls the kernel, whose symbol may have to differ.
std::string fileNameOf(const Program &program, const LaunchPlan &plan) {
  const auto isPlain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  const std::string &name = program.name;
  return !name.empty() && std::ranges::all_of(name, isPlain) ? name : plan.kernel;
}

Result<Built> buildOne(const Loaded &loaded, const Verdict &verdict, const Options &options) {
  EmitOptions notes = notesFor(loaded, verdict);
  addRecords(options, notes);
  auto source = emitCuda(loaded.program, notes);
  if (!source)
    return source.error();
  auto cubin = compileCuda(source->text, source->plan.kernel, loaded.program.target);
  if (!cubin)
    return cubin.error();
  settleExtents(loaded, source->plan);
  const std::string name = fileNameOf(loaded.program, source->plan);
  Manifest manifest{std::move(source->plan),
                    name + ".cu",
                    name + ".cubin",
                    sha256(*cubin),
                    {sluice::name(verdict.kind), verdict.tripCounts, verdict.assumptions}};
  return Built{name, std::move(source->text), std::move(*cubin), manifestText(manifest) + "\n"};
}

/// Nothing, or the exit code of a refusal.
std::optional<int> refuseUnproven(const Loaded &loaded, const Verdict &verdict,
                                  const Options &options) {
  auto reason = unprovenSomewhere(loaded, verdict);
  if (reason && options.unproven)
    warn(placed(*reason));
  if (!reason || options.unproven)
    return {};
  reason->message += "; --unproven builds it all the same";
  return refuse(*reason, verdict, options);
}

Result<std::vector<std::string>> write(const std::string &folder, const std::vector<Built> &all) {
  std::vector<OutputFile> files;
  std::vector<std::string> paths;
  for (const Built &built : all) {
    files.push_back({built.name + ".cu", built.source});
    files.push_back({built.name + ".cubin", built.cubin});
    files.push_back({built.name + ".json", built.manifest});
  }
  if (auto written = writeFolder(folder, files); !written)
    return written.error();
  for (const OutputFile &file : files)
    paths.push_back((std::filesystem::path(folder) / file.path).string());
  return paths;
}

std::string text(const std::vector<std::string> &files, bool json) {
  if (json) {
    JsonWriter writer;
    writer.beginObject().member("files", files).endObject();
    return writer.str() + "\n";
  }
  std::string lines;
  for (const std::string &file : files)
    lines += file + "\n";
  return lines;
}

} // namespace

int buildVerb(const Options &options) {
  auto all = load(options, Missing::chosen);
  if (!all)
    return refuse(all.error(), options);
  const CheckOptions limits = limitsOf(options);
  std::vector<Built> built;
  for (const Loaded &loaded : *all) {
    if (isAscend(loaded.program.target))
      return refuse(unsupportedError("unsupported: build compiles CUDA C++; check, run and trace "
                                     "take " +
                                     std::string(name(loaded.program.target))),
                    options);
    const Verdict verdict = prove(loaded.program, *loaded.arch, loaded.launch, limits);
    if (auto code = refuseUnproven(loaded, verdict, options))
      return *code;
    auto one = buildOne(loaded, verdict, options);
    if (!one)
      return refuse(one.error(), options);
    built.push_back(std::move(*one));
  }
  auto files = write(options.output.empty() ? "." : options.output, built);
  if (!files)
    return refuse(files.error(), options);
  return writeText("", text(*files, options.json)) ? kExitGood : kExitUsage;
}

} // namespace sluice::tool
