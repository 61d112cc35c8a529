// Prints one program as Ascend C: the frame of the kernel, and the statements of its cores.
#pragma once

#include "Emit/Ascend/Flags.h"
#include "Emit/Flow.h"
#include "Emit/Parameters.h"

#include <set>

namespace sluice::ascend {

using namespace emit;

/// Which cores a program has statements for.
struct Cores {
  bool cube = false, vector = false;
  explicit Cores(const Program &program);
};

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
  void crossRows(Text &t) const;
  void unitRows(Text &t) const;
  void workspaceRows(Text &t) const;
  void bufferRows(Text &t) const;
  void declareFlags(const std::string &body, Text &t) const;
  void declareCrossFlags(Text &t) const;
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
  std::string crossName(const Index &id) const;
  std::string slot(const View &v);
  std::string fractals(const View &v);
  std::string fromFractal(const View &v);
  std::string matrix(const View &v, int line, int along);
  std::string place(const View &v, int line, int along);
  std::string exactPlace(const View &v, int line, int along);
  std::string inside(const View &v);

  // Vectors.cpp
  struct Rows;
  struct RowsInGlobal;
  void map(const Map &o);
  void fold(const Reduce &o);
  void fill(const Fill &o);
  void loadRows(const Copy &o);
  void storeRows(const Copy &o);
  void instruction(const std::string &call, const View &out, const std::vector<const View *> &ins,
                   DType type);
  void inTwo(const std::string &call, const View &out, const std::vector<const View *> &ins,
             DType type);
  std::string bitsOf(const View &v, DType type) const;
  std::string numberText(const Map &map, int i);
  Rows rowsOf(const View &v, const View &out);
  std::string start(const View &v);
  RowsInGlobal rowsInGlobal(const View &box, const View &tile);
  bool isDense(const View &v) const;

  const Cores cores_;
  const Flags flags_;
  const std::vector<CrossFlag> crossFlags_;
  const std::set<int> handedOver_; // tiles, by units of L0C
  std::vector<std::string> flagNames_, crossNames_, tensorNames_, tileNames_;
  ScalarPrinter scalars_;
  FlowPrinter flow_;
  ParameterPrinter parameters_;
};

/// "half": what elements of this type are called in Ascend C.
std::string typeName(DType type);

} // namespace sluice::ascend
