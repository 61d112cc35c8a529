#include "Host/ValuesRun.h"

#include "Arch/Arch.h"
#include "Emit/Checksums.h"
#include "Emit/Emit.h"
#include "Host/HostRun.h"
#include "Program/TensorShape.h"
#include "Simulate/Simulate.h"

#include <random>

namespace sluice::test {
namespace {

std::vector<HostTensor> inputsOf(const Program &program, const Launch &launch) {
  std::mt19937 random(5);
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    tensors.push_back(
        HostTensor::dense(t.type, passed(t, launch.tensors[i]).extents, passed(t).minor));
    HostTensor &made = tensors.back();
    if (t.type == DType::i32 && !launch.tensors[i].integers.empty())
      setIntegers(made, launch.tensors[i].integers);
    else if (t.input && t.type != DType::i32)
      for (size_t at = 0; at < made.bytes.size(); at += size_t(byteSize(t.type)))
        storeElement(t.type, made.bytes.data() + at, int(random() % 5) - 2);
  }
  poisonOutputs(program, tensors);
  return tensors;
}

} // namespace

Result<HostComparison> compareValues(const HostCase &of, const Edit &edit) {
  const Program &program = of.program;
  auto source = emitCuda(program);
  if (!source)
    return source.error();
  if (edit)
    edit(source->text);
  std::vector<HostTensor> host = inputsOf(program, of.launch), machine = host;
  auto run = simulate(program, defaultArch(program.target), of.launch.arguments, machine, {});
  if (!run)
    return run.error();
  if (run->violation)
    return inputError(run->violation->rule + ": " + run->violation->message);
  if (auto failed = runOnHost(*source, of.launch.arguments, host))
    return *failed;
  return compareOutputs(program, host, machine, roundsAlike(program));
}

} // namespace sluice::test
