#include "EmitNotes.h"

#include "Tensors.h"

#include "Diagnose/BarrierTable.h"
#include "Diagnose/Report.h"
#include "Emit/Checksums.h"
#include "Program/Extent.h"
#include "Program/Joined.h"
#include "Reference/Reference.h"

#include <algorithm>
#include <sstream>

namespace sluice::tool {
namespace {

std::string whoOf(const std::vector<std::string> &parts) {
  std::string text;
  for (const std::string &part : parts)
    text += (text.empty() ? "" : ", ") + part;
  return text.empty() ? "nobody" : text;
}

/// One note for the slots of an array: they are used alike.
std::vector<EmitOptions::BarrierNote> barrierNotes(const Loaded &loaded) {
  std::vector<EmitOptions::BarrierNote> notes;
  for (const BarrierRow &row : barrierTable(loaded.program, loaded.launch)) {
    const std::string name = row.name == "named" ? "named " + std::to_string(row.index) : row.name;
    if (std::ranges::find(notes, name, &EmitOptions::BarrierNote::name) == notes.end())
      notes.push_back({name, row.count, row.bytes, whoOf(row.arrives), whoOf(row.waits)});
  }
  return notes;
}

/// The extents and settings; of those left to the kernel what it took.
std::string planText(const Loaded &loaded) {
  if (!loaded.entry || !loaded.entry->settle)
    return loaded.shape;
  auto settled = loaded.entry->settle(*loaded.parameters, *loaded.arch);
  return settled ? parameterText(*loaded.entry, *settled) : loaded.shape;
}

/// A line of the header, cut between words.
void addWrapped(const std::string &line, std::vector<std::string> &lines) {
  constexpr size_t widest = 97; // behind "// "
  std::string part;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    if (part.size() + 1 + word.size() > widest) {
      lines.push_back(part);
      part = " ";
    }
    part += (part.empty() ? "" : " ") + word;
  }
  lines.push_back(part);
}

bool isNumber(const std::string &text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Sizes that the main takes as arguments, and those that the kernel was built for.
void addSize(const Loaded &loaded, const std::string &name, Standalone &how) {
  auto known = [&](const std::vector<Standalone::Size> &sizes) {
    return std::ranges::find(sizes, name, &Standalone::Size::name) != sizes.end();
  };
  if (isNumber(name) || known(how.sizes) || known(how.constants))
    return;
  const auto &parameters = loaded.entry->parameters;
  const auto parameter = std::ranges::find(parameters, name, &Parameter::name);
  const bool fixed = parameter != parameters.end() && !parameter->choices.empty();
  (fixed ? how.constants : how.sizes).push_back({name, loaded.parameters->number(name)});
}

void entrySizes(const Loaded &loaded, Standalone &how) {
  for (const Parameter &p : loaded.entry->parameters) // in the order of the catalogue
    for (const TensorShape &shape : loaded.entry->shapes(*loaded.parameters))
      if (std::ranges::any_of(shape.extents, [&](const std::string &extent) {
            return parseExtent(extent).name == p.name;
          }))
        addSize(loaded, p.name, how);
  for (const TensorShape &shape : loaded.entry->shapes(*loaded.parameters))
    how.extents[shape.tensor] = shape.extents;
}

/// A kernel from a file: every extent that its type does not fix is a size.
void fileSizes(const Loaded &loaded, Standalone &how) {
  for (size_t i = 0; i < loaded.program.tensors.size(); ++i) {
    const Tensor t = passed(loaded.program.tensors[i]);
    const Launch::Shape shape = passed(loaded.program.tensors[i], loaded.launch.tensors[i]);
    for (int d = 0; d < t.rank; ++d) {
      const bool fixed = d < int(t.extents.size()) && t.extents[d] >= 0;
      const std::string name = t.name + std::to_string(d);
      how.extents[t.name].push_back(fixed ? std::to_string(t.extents[d]) : name);
      if (!fixed)
        how.sizes.push_back({name, shape.extents[d]});
    }
  }
}

} // namespace

EmitOptions notesFor(const Loaded &loaded, const Verdict &verdict) {
  EmitOptions options;
  addWrapped("Plan: " + planText(loaded) + " on " + loaded.arch->name + ".", options.about);
  std::stringstream lines(verdictText(verdict));
  std::string start = "Verdict: ";
  for (std::string line; std::getline(lines, line); start = "  ")
    options.about.push_back(start + line);
  options.barriers = barrierNotes(loaded);
  return options;
}

void addRecords(const Options &options, EmitOptions &emit) {
  if (options.stamps)
    emit.stampedCta = options.cta;
  if (options.checksums)
    emit.checksums = kChecksumsKept;
}

Standalone standaloneFor(const Loaded &loaded) {
  Standalone how;
  if (loaded.entry)
    entrySizes(loaded, how);
  else
    fileSizes(loaded, how);
  for (size_t i = 0; i < loaded.program.arguments.size(); ++i) {
    const auto &[name, type] = loaded.program.arguments[i];
    const int64_t value = loaded.launch.arguments[i];
    if (type == DType::f32)
      how.numbers.push_back({name, floatOfArgument(value)});
    else
      how.sizes.push_back({name, value});
    how.arguments.push_back(name);
  }
  if (loaded.entry)
    for (const SteeringInput &steering : loaded.entry->steering)
      how.integers[steering.tensor] = steering.onHost(*loaded.parameters);
  if (loaded.entry && loaded.entry->hostReference) {
    HostReference host = loaded.entry->hostReference(*loaded.parameters);
    how.output = host.output, how.reference = host.element;
    how.terms = host.terms, how.work = host.work;
    for (const Tensor &t : loaded.program.tensors)
      if (t.name == host.output)
        how.tolerance = toleranceOf(loaded, t.type);
  }
  return how;
}

} // namespace sluice::tool
