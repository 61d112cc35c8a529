// Prints one program as Ascend C for the cube cores: the frame of the kernel, and its statements.
#pragma once

#include "Emit/Ascend/Flags.h"
#include "Emit/Flow.h"
#include "Emit/Parameters.h"

namespace sluice::ascend {

using namespace emit;

class ParameterPrinter : public emit::ParameterPrinter {
public:
  using emit::ParameterPrinter::ParameterPrinter;
  Text signature() const;
};

class Printer : private Part, private Dialect {
public:
  explicit Printer(State &state);
  Result<EmittedSource> print();

private:
  // Dialect
  void block(const Block &b) override { flow_.block(b); }
  size_t statements(const Block &b, size_t at) override;
  std::string machineValue(const Scalar &s) override;

  // Kernel.cpp
  Text header() const;
  void flagRows(Text &t) const;
  void bufferRows(Text &t) const;
  void declareFlags(const std::string &body, Text &t) const;
  void declareTensors(Text &t);
  void declareTiles(Text &t) const;

  // Statements.cpp
  void statement(const Stmt &s);
  void role(const Role &r);
  void grid(const Grid &g);
  void load(const Copy &o);
  void move(const Copy &o);
  void store(const Copy &o);
  void multiply(const Mmad &o);
  void flag(const char *call, Pipe source, Pipe destination, const Index &id);
  std::string slot(const View &v);
  std::string matrix(const View &v, int line, int along);
  std::string place(const View &v, int line, int along);
  std::string inside(const View &v);

  const Flags flags_;
  std::vector<std::string> flagNames_, tensorNames_, tileNames_;
  ScalarPrinter scalars_;
  FlowPrinter flow_;
  ParameterPrinter parameters_;
};

/// "half": what elements of this type are called in Ascend C.
std::string typeName(DType type);

} // namespace sluice::ascend
