// host-mode FILE.mlir NAME=VALUE...: the printed text of a kernel, run on the host warp by warp,
// does what the virtual machine does. VALUE: extents (100x64), an argument, or a file of integers
// (.npy).
#include "Emit/HostMode.h"

#include "Program/TensorShape.h"
#include "Support/Npy.h"
#include "sluice/Compile.h"

#include <bit>
#include <cstdio>
#include <sstream>

namespace {

using namespace sluice;

/// The last value given for a name that is no file, and files by name.
struct Given {
  std::map<std::string, std::string> values;
  std::map<std::string, std::vector<int64_t>> integers;
};

Given given(int argc, char **argv) {
  Given result;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    if (!value.ends_with(".npy"))
      result.values[name] = value;
    else if (auto file = readNpy(value))
      result.integers[name] = integersOf(*file);
  }
  return result;
}

Launch launchOf(const Program &program, Given &with) {
  Launch launch;
  for (const Tensor &t : program.tensors) {
    std::vector<int64_t> extents;
    std::istringstream words(with.values[t.name]);
    for (std::string extent; std::getline(words, extent, 'x');)
      extents.push_back(std::stoll(extent));
    launch.tensors.push_back(shapeOf(HostTensor::dense(t.type, extents, t.minor)));
    launch.tensors.back().integers = with.integers[t.name];
  }
  for (const Argument &a : program.arguments) {
    const std::string &value = with.values[a.name];
    launch.arguments.push_back(a.type == DType::f32 ? std::bit_cast<int32_t>(std::stof(value))
                                                    : std::stoll(value));
  }
  return launch;
}

/// Empty, or what differs.
std::string difference(const Program &program, const Launch &launch) {
  auto source = emitCuda(program, {});
  if (!source)
    return source.error().message;
  auto machine = test::runOnMachine(program, launch);
  if (!machine)
    return machine.error().message;
  auto host = test::runInHostMode(program, *source, launch, program.name, machine->chances);
  if (!host)
    return host.error().message;
  for (const auto &[warp, lines] : machine->lines)
    for (size_t i = 0; i < lines.size(); ++i)
      if (i >= (*host)[warp].size() || (*host)[warp][i] != lines[i])
        return "operation " + std::to_string(i) + " of warp " + warp + ": " +
               (i < (*host)[warp].size() ? (*host)[warp][i] : "nothing") + ", the machine's is " +
               lines[i];
  return host->size() == machine->lines.size() ? "" : "other warps";
}

} // namespace

int main(int argc, char **argv) {
  auto kernels = parseKernels(argc > 1 ? argv[1] : "");
  auto program = kernels ? compile(kernels->front(), {}) : kernels.error();
  if (!program) {
    std::fprintf(stderr, "error: %s\n", program.error().message.c_str());
    return 2;
  }
  Given with = given(argc, argv);
  const std::string wrong = difference(*program, launchOf(*program, with));
  if (!wrong.empty())
    std::fprintf(stderr, "error: %s\n", wrong.c_str());
  return wrong.empty() ? 0 : 1;
}
