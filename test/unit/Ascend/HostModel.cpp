#include "Ascend/HostModel.h"

#include "Launch/DeviceHeaders.h"
#include "Program/Agent.h"
#include "Support/FileOutput.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sstream>

namespace sluice::test {
namespace {

struct Region {
  const uint8_t *begin, *end;
};
/// As in test/ascendc/run.h.
struct Launched {
  int which;
  int64_t blocks;
  const int64_t *parameters;
  const Region *regions;
  int tensors;
  const ModelFlag *dropped;
  int flags;
};

/// "case 0: return gemm_0(reinterpret_cast<uint8_t *>(p[0]), p[1]);"
std::string callOf(int which, const LaunchPlan &plan) {
  std::string list;
  for (size_t i = 0; i < plan.parameters.size(); ++i) {
    const std::string p = "p[" + std::to_string(i) + "]";
    const KernelParameter &parameter = plan.parameters[i];
    const bool real = parameter.kind == KernelParameter::argument &&
                      plan.arguments[parameter.object].type == DType::f32;
    list += (i ? ", " : "") + (parameter.kind == KernelParameter::pointer
                                   ? "reinterpret_cast<uint8_t *>(" + p + ")"
                               : real ? "ascendc::floatOf(" + p + ")"
                                      : p);
  }
  const std::string number = std::to_string(which);
  return "  case " + number + ": return " + plan.kernel + "_" + number + "(" + list + ");\n";
}

std::optional<Error> writeAll(const std::string &folder,
                              const std::vector<EmittedSource> &sources) {
  std::error_code error;
  std::filesystem::create_directories(folder + "/sluice", error);
  for (const DeviceHeader &h : ascendHeaders())
    if (auto written = writeFile(folder + "/" + std::string(h.name), h.text); !written)
      return written.error();
  std::string all, calls;
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string number = std::to_string(i), kernel = sources[i].plan.kernel;
    const std::string file = kernel + "_" + number + ".cpp";
    if (auto written = writeFile(folder + "/" + file, sources[i].text); !written)
      return written.error();
    all += "#define " + kernel + " " + kernel + "_" + number + "\n#include \"" + file +
           "\"\n#undef " + kernel + "\n";
    calls += callOf(int(i), sources[i].plan);
  }
  all +=
      "#include \"run.h\"\nvoid callKernel(int which, const int64_t *p) {\n  switch (which) {\n" +
      calls + "  }\n}\n";
  if (auto written = writeFile(folder + "/all.cpp", all); !written)
    return written.error();
  return std::nullopt;
}

int64_t valueOf(const KernelParameter &p, const Launch &launch,
                const std::vector<ModelTensor> &tensors) {
  switch (p.kind) {
  case KernelParameter::pointer:
    return reinterpret_cast<int64_t>(tensors[p.object].bytes.data());
  case KernelParameter::extent:
    return launch.tensors[p.object].extents[p.dim];
  case KernelParameter::stride:
    return launch.tensors[p.object].strides[p.dim];
  default:
    return launch.arguments[p.object];
  }
}

} // namespace

Result<HostModel> HostModel::compile(const std::vector<EmittedSource> &sources,
                                     const std::string &headers) {
  auto folder = WorkFolder::make();
  if (!folder)
    return folder.error();
  if (auto error = writeAll(folder->path(), sources))
    return *error;
  const char *named = std::getenv("CXX");
  const std::string compiler = findProgram({named ? named : "", "c++", "g++", "clang++"});
  const std::string library = folder->path() + "/all.so", log = folder->path() + "/log";
  const std::string failed =
      runProgram({compiler, "-std=c++17", "-O1", "-ftree-vectorize", "-Wall", "-Wextra", "-Werror",
                  "-ffp-contract=off", "-shared", "-fPIC", "-I", headers, "-I", folder->path(),
                  "-o", library, folder->path() + "/all.cpp"},
                 log);
  if (!failed.empty())
    return inputError(failed + ":\n" + contentsOf(log));
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return inputError(dlerror());
  std::vector<LaunchPlan> plans;
  for (const EmittedSource &source : sources)
    plans.push_back(source.plan);
  return HostModel(std::move(*folder), handle, std::move(plans));
}

template <typename F> F *HostModel::function(const char *name) const {
  return reinterpret_cast<F *>(dlsym(library_, name));
}

std::string HostModel::record(int which, const Program &program, const Launch &launch,
                              std::vector<ModelTensor> &tensors,
                              const std::vector<ModelFlag> &dropped) const {
  std::vector<int64_t> parameters;
  for (const KernelParameter &p : plans_[which].parameters)
    parameters.push_back(valueOf(p, launch, tensors));
  std::vector<Region> regions;
  for (const ModelTensor &t : tensors)
    regions.push_back({t.bytes.data(), t.bytes.data() + t.bytes.size()});
  int64_t blocks = 1;
  for (const int64_t extent : gridExtents(program, launch))
    blocks *= extent;
  const Launched launched{which,
                          blocks,
                          parameters.data(),
                          regions.data(),
                          int(regions.size()),
                          dropped.data(),
                          int(dropped.size())};
  return function<const char *(const Launched *)>("ascendRecord")(&launched);
}

std::string HostModel::play(unsigned seed) const {
  return function<const char *(unsigned)>("ascendPlay")(seed);
}

/// "a[1]" for "l1@65536", and "a[1]+512" where the place in the slot is asked for; other words as
/// they are.
static std::string tileOf(const Program &program, const std::string &word, bool exactly) {
  const size_t at = word.find('@');
  if (at == word.npos)
    return word;
  const int64_t address = std::stoll(word.substr(at + 1));
  for (const Buffer &b : program.buffers)
    if (name(b.space) == word.substr(0, at) && address >= b.offset &&
        address < b.offset + b.bytes()) {
      const int64_t inside = (address - b.offset) % b.slotBytes;
      return b.name + "[" + std::to_string((address - b.offset) / b.slotBytes) + "]" +
             (exactly && inside ? "+" + std::to_string(inside) : "");
    }
  return word;
}

std::vector<std::string> HostModel::notes(const Program &program, int64_t core, int queue) const {
  std::stringstream lines(function<const char *(int64_t, int)>("ascendNotes")(core, queue));
  std::vector<std::string> notes;
  for (std::string line; std::getline(lines, line);) {
    std::stringstream words(line);
    std::string note;
    for (std::string word; words >> word;)
      note += (note.empty() ? "" : " ") + tileOf(program, word, note.starts_with("mmad"));
    const bool again = !notes.empty() && notes.back() == note;
    if (note != "InitSocState" && !again)
      notes.push_back(note);
  }
  return notes;
}

} // namespace sluice::test
