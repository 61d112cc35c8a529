// Prints one program as CUDA C++. One object per program: the frame of the kernel, and the parts
// that print what is in it.
#pragma once

#include "Emit/Cuda/Control.h"
#include "Emit/Cuda/Copies.h"
#include "Emit/Cuda/Elements.h"
#include "Emit/Cuda/Matrix.h"
#include "Emit/Cuda/Parameters.h"
#include "Emit/Cuda/Raw.h"
#include "Emit/Cuda/Records.h"
#include "Emit/Cuda/Roles.h"
#include "Emit/Cuda/Synchronise.h"
#include "Emit/Cuda/TensorMemory.h"
#include "Emit/Cuda/Tma.h"
#include "Emit/Flow.h"

namespace sluice::cuda {

struct PrinterParts {
  explicit PrinterParts(PrinterState &state);

  ControlPrinter control; // what the next two are told of the target
  ScalarPrinter scalars;
  FlowPrinter flow;
  ParameterPrinter parameters;
  RecordPrinter records; // behind the parameters, of which it adds some
  RolePrinter roles;
  BarrierPrinter barriers;
  TmaPrinter tma;
  CopyPrinter copies;
  MatrixPrinter matrix;
  TensorMemoryPrinter tensorMemory;
  ElementPrinter elements;
  RawPrinter raw;
};

class Printer : private PrinterState, private ViewPrinter {
public:
  Printer(const Program &program, const EmitOptions &options);
  Result<EmittedSource> print();

private:
  void nameMemory();
  Text header() const;
  void rolesLines(Text &t) const;
  void barrierRows(Text &t) const;
  bool beginsAtPieces(int buffer) const;
  std::string asItLies(int buffer, const std::string &shape) const;
  void declareMemory(const std::string &body, Text &text);
  void checkTarget();
  void includes(Text &text) const;

  PrinterParts owned_;
};

} // namespace sluice::cuda
