// What mains of printed kernels have in common, whatever the device: sizes from the command line,
// tensors filled, results compared.
#pragma once

#include "Emit/Standalone.h"
#include "Emit/Text.h"

namespace sluice {

class MainText {
public:
  MainText(const Program &program, const LaunchPlan &plan, const Standalone &how)
      : program_(program), plan_(plan), how_(how) {}
  virtual ~MainText() = default;

protected:
  using Text = emit::Text;

  /// What elements of the tensor are called on the host; empty: it cannot hold them.
  virtual std::string typeOf(const Tensor &t) const = 0;

  Error refuse(const std::string &why) const;
  /// CTAs, or cores, along each side of the grid; refused where the host cannot tell, or has a
  /// tensor to fill that no main can.
  Result<std::vector<std::string>> sidesOfGrid() const;
  /// What a launch hands over for a parameter.
  std::string argumentText(const KernelParameter &p) const;
  void declareSizes(Text &text) const;
  void assumptions(Text &text) const;
  void fillTensors(Text &text) const;
  void compare(Text &text) const;

  const Program &program_;
  const LaunchPlan &plan_;
  const Standalone &how_;

private:
  std::optional<Error> unfillable() const;
  std::string controlTensor() const;
  void fillBy(Text &text, const std::string &tensor, const std::string &element) const;
  std::string elementsOf(const Tensor &line) const;
  std::vector<std::string> extentsOf(const Tensor &t) const;
  bool hasReference(const Tensor &t) const;
  bool isCompared(const Tensor &t) const;
};

/// "a, b, c".
std::string joinedText(const std::vector<std::string> &parts);

} // namespace sluice
