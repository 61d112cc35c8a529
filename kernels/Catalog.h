// The kernels that the command line knows by name: their parameters, tensors, text and reference.
#pragma once

#include "Arch/Arch.h"
#include "Plan/Plan.h"
#include "Program/Extent.h"
#include "Reference/Reference.h"
#include "Support/Result.h"
#include "sluice/Kernel.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace sluice {

/// `--set name=value`: an integer in low .. high, any number there if it is `real`, or one of
/// `choices` where there are any. A parameter whose default is "auto" also takes "auto": the kernel
/// chooses; "auto" for another number is its default. No extent of a launch is larger than `high`
/// is by default (mostExtent of Launch/LaunchPlan.h).
struct Parameter {
  std::string name, value, help; // `value`: the default
  std::vector<std::string> choices = {};
  int64_t low = 0, high = (int64_t(1) << 31) - (1 << 20);
  /// An extent that the kernel reads at its launch: the code is the same for all that are equally
  /// aligned. Others are in the code.
  bool atLaunch = false;
  bool real = false;
};

/// A value for every parameter of a kernel, all of them legal.
class Parameters {
public:
  explicit Parameters(std::map<std::string, std::string> values) : values_(std::move(values)) {}
  const std::string &text(const std::string &name) const { return values_.at(name); }
  bool has(const std::string &name) const { return values_.contains(name); }
  int64_t number(const std::string &name) const; // 0 for "auto"
  float real(const std::string &name) const;
  int64_t value(const Extent &extent) const;
  bool isAuto(const std::string &name) const { return text(name) == "auto"; }
  DType dtype(const std::string &name) const;
  Parameters with(const std::string &name, std::string value) const {
    Parameters other = *this;
    other.values_.at(name) = std::move(value);
    return other;
  }
  std::string str() const; // "K=4096 M=4096 ..."

private:
  std::map<std::string, std::string> values_;
};

/// Extents of a tensor (Program/Extent.h) by the names of parameters: {"A", {"M", "K"}},
/// {"offsets", {"groups+1"}}.
struct TensorShape {
  std::string tensor;
  std::vector<std::string> extents;
  int64_t pad = 0; // elements between what lies side by side along the first dimension
};

/// An input of integers that decide how the kernel runs.
struct SteeringInput {
  std::string tensor;
  /// All elements, where nobody gives them.
  std::function<std::vector<int64_t>(const Parameters &, uint64_t seed)> make;
  /// What breaks the kernel's assumptions; empty: nothing.
  std::function<std::string(const Parameters &, const std::vector<int64_t> &)> wrong;
  /// C++ of element i, where parameters are names: for a main of its own, as HostReference.
  std::function<std::string(const Parameters &)> onHost;
};

using Matrices = std::map<std::string, Matrix>; // by name of the tensor

/// C++ that computes one element of an output in double, for a main of its own: see
/// Emit/Standalone.h. Inputs are functions of their indices, parameters are names.
struct HostReference {
  std::string output, element, terms, work;
};

struct KernelEntry {
  std::string name, summary;
  std::vector<Target> targets;
  std::vector<Parameter> parameters;
  std::function<std::vector<TensorShape>(const Parameters &)> shapes;
  std::vector<SteeringInput> steering = {};
  /// Values of the kernel's scalar arguments, by name.
  std::function<std::map<std::string, int64_t>(const Parameters &)> arguments = {};
  std::function<Result<Kernel>(const Parameters &, const Arch &)> build;
  /// Outputs from inputs, in float64.
  std::function<Result<Matrices>(const Parameters &, const Matrices &)> reference;
  std::function<HostReference(const Parameters &)> hostReference = {};
  /// Settings for the extents and types of the parameters, the fastest first; tiles and the like
  /// among them have no say.
  std::function<Result<Plan>(const Parameters &, const Arch &)> plan = {};
  std::vector<std::string> chosen = {}; // the parameters that such settings are of
  /// Whether several launches may compute parts of the output's last two extents.
  bool divisible = false;
  /// The parameters that `build` builds: what is "auto" with what it takes for that, as far as
  /// such a value could have been given.
  std::function<Result<Parameters>(const Parameters &, const Arch &)> settle = {};
  /// Of the relative error; left out: defaultTolerance of the output's type.
  std::function<double(const Parameters &)> tolerance = {};
};

/// In the order in which `sluice explain` lists them.
const std::vector<KernelEntry> &catalog();
const KernelEntry *findKernel(const std::string &name);
std::vector<std::string> kernelNames();

/// Defaults with `settings` over them; names the parameter and what it takes where one is wrong.
Result<Parameters> resolve(const KernelEntry &entry,
                           const std::map<std::string, std::string> &settings);

} // namespace sluice
