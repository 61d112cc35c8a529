#include "Host/HostCompile.h"

#include "Launch/DeviceHeaders.h"
#include "Support/FileOutput.h"

#include <cstdlib>

namespace sluice::host {
namespace {

/// What the library shows of the kernel: Kernel of values_machine.cuh.
std::string shown(const std::string &kernel) {
  return R"(
alignas(1024) unsigned char sharedBytes[1];
namespace {
template <class... P, int... at>
void callWith(void (*kernel)(P...), void **parameters, std::integer_sequence<int, at...>) {
  kernel(*static_cast<const std::decay_t<P> *>(parameters[at])...);
}
template <class... P> void callBy(void (*kernel)(P...), void **parameters) {
  callWith(kernel, parameters, std::make_integer_sequence<int, int(sizeof...(P))>());
}
void callKernel(void **parameters) { callBy()" +
         kernel + R"(, parameters); }
} // namespace
extern "C" sluice::values::Kernel sluiceKernel;
sluice::values::Kernel sluiceKernel = {callKernel, &blockIdx, &threadIdx, &gridDim, &blockDim,
                                       &sluice::runningMachine};
)";
}

} // namespace

Result<CompiledKernel> compileForHost(const EmittedSource &source) {
  const char *named = std::getenv("CXX");
  const std::string compiler = findProgram({named ? named : "", "c++", "g++", "clang++"});
  if (compiler.empty())
    return inputError("a run on the host needs a C++ compiler: none of $CXX, c++, g++ and clang++ "
                      "is in $PATH");
  auto folder = WorkFolder::make();
  if (!folder)
    return folder.error();
  if (auto written = writeDeviceHeaders(folder->path()); !written)
    return written.error();
  const std::string start = folder->path() + "/" + source.plan.kernel;
  const std::string text = "#include <type_traits>\n#include <utility>\n" + source.text;
  if (auto written = writeFile(start + ".cpp", text + shown(source.plan.kernel)); !written)
    return written.error();
  // Registers that nothing has set hold a pattern, never what was there before.
  const std::string failed =
      runProgram({compiler, "-std=c++17", "-O1", "-w", "-fno-strict-aliasing", "-ffp-contract=off",
                  "-ftrivial-auto-var-init=pattern", "-DSLUICE_VALUES", "-shared", "-fPIC", "-I",
                  folder->path(), "-o", start + ".so", start + ".cpp"},
                 start + ".log");
  if (!failed.empty())
    return inputError(compiler + " refuses the printed text of kernel " + source.plan.kernel +
                      " (" + failed + "):\n" + contentsOf(start + ".log"));
  return CompiledKernel{std::move(*folder), start + ".so"};
}

} // namespace sluice::host
