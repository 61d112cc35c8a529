// Prints one program as CUDA C++. One object per program; the parts of the work are in the files
// named in the comments below.
#pragma once

#include "Emit/Cuda/ProductRegisters.h"
#include "Emit/Cuda/RegisterTile.h"
#include "Emit/Cuda/Text.h"
#include "Emit/Emit.h"
#include "Program/Ranges.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace sluice::cuda {

/// Nothing that is added to a coordinate of a tile, or taken from an extent, leaves 32 bits.
constexpr int64_t leastCoordinate = -(1 << 19);

/// How a scalar value is written.
struct ValueText {
  enum Kind : uint8_t { integer, boolean, cursor } kind = integer;
  std::string text;
  bool atom = true;  // needs no parentheses as an operand
  int64_t slots = 0; // cursor
  bool printed = false;
  bool variable = false;     // carried by a loop, assigned anew
  const For *loop = nullptr; // variable: the innermost loop around where it got this value
  enum Shape : uint8_t { other, product, sum } shape = other; // of what is no atom
};

/// What elements of this type are called in memory.
std::string typeName(DType type);

/// Dimensions of a tensor that the rows and columns of a tile run along; -1: none (extent 1).
struct TensorTile {
  int row = -1, col = -1;
};

/// Start of a call of a wrapper: the narrowest scope, the default, is not written.
std::string scoped(const std::string &function, Scope scope);

/// Gives the call of a synchronisation its number.
void numberCall(std::string &call, int id);

class Printer {
public:
  Printer(const Program &program, const EmitOptions &options);
  Result<EmittedSource> print();

private:
  // ---- Kernel.cpp: the frame of the kernel
  Text header() const;
  void rolesLines(Text &t) const;
  void barrierRows(Text &t) const;
  Text signature() const;
  bool beginsAtPieces(int buffer) const;
  void declareMemory(const std::string &body, Text &text);
  void checkTarget();
  void prepareRecords();
  std::string addMemory(Tensor tensor, const std::string &type);
  void sumSlots(const Stmt &s);
  std::string parameterType(const KernelParameter &p) const;
  void sortParameters();
  void prefetchMaps(Text &text) const;

  // ---- Control.cpp: blocks, loops, branches, roles
  void block(const Block &b);
  void statement(const Stmt &s);
  void operation(const Stmt &s);
  void grid(const Grid &g);
  void loop(const For &f);
  void declareLoopValues(const For &f, std::vector<size_t> &live);
  bool takesOver(const For &f, size_t i) const;
  void assignYields(const std::vector<ValueId> &targets, const std::vector<ValueId> &yields);
  void assignTogether(const std::vector<ValueId> &targets, const std::vector<ValueId> &yields,
                      const std::vector<size_t> &left);
  void draw(const Stmt &s, const CounterAdd &o);
  void branch(const If &i);
  size_t roles(const Block &b, size_t at);
  /// `ownWarpgroups`: no other role shares them, so it changes its registers itself.
  void role(const Role &r, bool first, bool ownWarpgroups = true);
  struct Together;
  static Together together(const Block &b, size_t at, size_t end);
  void rolesOfWarpgroups(const Block &b, const Together &all, bool first);
  void registersOfRole(const Role &r, Text &text);
  void declareRegisters(const std::string &role, Text &text);
  void openGuard(Exec exec);
  void closeGuard();

  // ---- Scalars.cpp: values
  void scalar(const Scalar &s);
  ValueText expression(const Scalar &s);
  std::string nameFor(const Scalar &s);
  void define(ValueId v, ValueText text, bool declare, std::string_view fallback = "n");
  std::string text(ValueId v);
  std::string operand(ValueId v);
  std::string text(const Index &i);  // an int
  std::string exact(const Index &i); // an int, or an i64 where 32 bits do not hold it
  std::string coordinate(const Index &i, int64_t least);
  const char *integerType(ValueId v) const;
  std::string asWide(ValueId v);
  std::string lowBit(ValueId v);
  std::string steps(const Scalar &s);
  std::string factor(const Index &i); // in parentheses where it is a sum
  std::string condition(const Index &i);
  int64_t divisor(const Index &i) const;
  bool dependsOn(ValueId v, ValueId on) const;
  bool goesWithLoop(const Index &i) const;

  // ---- Arithmetic.cpp
  ValueText arithmetic(const Scalar &s);
  ValueText infix(const Scalar &s);
  ValueText shift(const Scalar &s);
  ValueText call(const Scalar &s, const std::string &function, bool wide);
  ValueText narrowed(const Scalar &s, ValueText value) const;
  bool isInWide(const Scalar &s) const;

  // ---- Synchronise.cpp
  bool synchronise(const Stmt &s);
  std::string barrier(const MbarrierRef &b);
  void synchronisation(const Stmt &s, std::string call);
  std::string lookAt(const std::string &function, Scope scope, const MbarrierRef &ref,
                     const Index &parity);
  void ask(const Stmt &s, const MbarrierTest &o);
  void initialise(const Stmt &s, const MbarrierInit &o);
  bool count(const Stmt &s);

  // ---- Views.cpp: tensors, tiles in shared memory and in registers
  std::optional<TensorTile> tensorTile(const View &v, int64_t rows, int64_t cols);
  std::string window(const View &v, TensorTile tile, bool write);
  std::string partsOfRow(const View &v, bool write);
  std::string clipped(const std::string &extent, const Clip &clip);
  std::string address(const View &v);
  std::string element(const View &v);
  std::string tileName(const View &v) const { return tileNames_[v.object]; }
  /// Of elements that are computed with; others are moved, and multiplied by wgmma.
  std::string valueType(DType type, bool integers = false, bool bytes = false);
  std::optional<RegisterTile> registerTile(const View &v);
  int64_t rowBlocks(int64_t rows);
  int64_t rowsOfWarp(int64_t rows);

  // ---- Parameters.cpp
  std::string pointer(int tensor);
  std::string extent(int tensor, int dim);
  std::string stride(int tensor, int dim);
  std::string argument(int argument);
  std::string parameter(KernelParameter::Kind kind, int object, int dim, const std::string &wanted);
  std::string tensorMap(TensorMapPlan plan);

  // ---- Tma.cpp
  void tmaLoad(const TmaLoad &o);
  void lineLoad(const TmaLoad &o);
  void tmaStore(const TmaStore &o);
  void remoteCopy(const RemoteCopy &o);
  void remoteStore(const RemoteCopy &o);
  std::string policy(CachePolicy policy);
  struct Boxes;
  std::string copyAddress(const Buffer &b, const View &v);
  std::optional<Boxes> boxes(const View &tensor, const View &buffer, bool store);

  // ---- Copies.cpp
  std::string numberAddress(const View &v);
  void copy(const Copy &o);
  void copyToShared(const Copy &o);
  void copyFromShared(const Copy &o);
  void copyToRegisters(const Copy &o);
  void sharedRows(std::string_view verb, const View &shared, const std::string &before,
                  const std::string &behind);
  int64_t bytesAtOnce(const View &box, int along) const;
  int64_t numbersAtOnce(const View &column, int64_t count);
  int64_t bytesOfStore(const View &to, int along) const;
  void copyFromRegisters(const Copy &o);
  void tileCopy(std::string_view function, const View &tensor, const View &buffer, bool load,
                int64_t smallest, const std::optional<RowNumbers> &rows = {});
  std::string rowNumbers(const View &numbers);
  bool converts(DType from, DType to);
  void fill(const Fill &o);
  void printTile(const Print &o);

  // ---- Matrix.cpp
  void wgmma(const Wgmma &o);
  std::optional<std::string> sharedOperand(const View &v, bool isA);
  std::string wgmmaRegisters(const Stmt &s);

  // ---- TensorMemory.cpp
  bool tensorMemory(const Stmt &s);
  void tcgen05Mma(const Tcgen05Mma &o);
  void tmemLoad(const TmemLoad &o);
  std::string tmemPlace(const View &v);
  std::string tmemBase();
  std::string loadedTiles();
  void lanesToShared(const Copy &o, const RegisterTile &from, const std::string &values);

  // ---- Elements.cpp
  void map(const Map &o);
  /// Arguments of an element function for the value of this index.
  using ArgumentsAt = std::function<std::vector<std::string>(const std::string &)>;
  void mapValues(const Map &o, const std::vector<RegisterTile> &outs, int64_t count,
                 const std::string &i, const ArgumentsAt &argumentsAt);
  void reduce(const Reduce &o);
  void foldNumbers(const Reduce &o, const RegisterTile &in, const RegisterTile &to);
  std::string element(const RegisterTile &tile, const RegisterTile &space, const std::string &i);
  /// Prints what is not a single expression; yields the texts of the results.
  std::vector<std::string> elementFn(const ElementFn &fn, const std::vector<std::string> &arguments,
                                     const std::vector<DType> &resultTypes,
                                     const std::vector<Index> &shared = {});

  // ---- Raw.cpp
  void raw(const Raw &o);
  std::string declaration(const Raw &o) const;
  std::vector<std::string> nameOperands(const Raw &o);
  std::string reference(const View &v, const std::string &name);

  // ---- common
  Text &out() { return *out_; }
  void fail(const std::string &message);
  int warps() const { return role_ ? role_->warps : program_.warps; }
  std::string warp();   // name of the variable with the warp of the role
  std::string thread(); // thread of the role

  const Program &program_;
  const Ranges ranges_;
  const ProductRegisters products_;
  EmitOptions options_;
  std::map<const Stmt *, int> syncIds_;
  std::map<const Stmt *, int> events_;             // what is stamped
  std::map<const Stmt *, std::vector<int>> slots_; // what is summed up behind a wait
  std::string stamps_, checksums_;                 // the objects that stamp and sum up; empty: none
  std::vector<std::string> memoryTypes_, records_; // parameters beside the program's; their objects
  Names names_;
  Text *out_ = nullptr;
  std::optional<Error> error_;
  Location at_; // of the statement in hand

  std::vector<ValueText> values_;
  std::vector<int> uses_;
  const std::vector<bool> truth_;
  /// What a variable is that takes the value of `from` and others.
  ValueText::Kind kindOf(ValueId variable, const ValueText &from) const {
    return from.kind == ValueText::cursor ? from.kind
           : truth_[variable]             ? ValueText::boolean
                                          : ValueText::integer;
  }
  std::vector<const Scalar *> definitions_;
  std::map<ValueId, const For *> inductions_;
  std::map<ValueId, std::string> bounds_; // unnamed upper bounds of loops: what to call them

  std::vector<std::string> bufferNames_, tileNames_, barrierNames_;
  LaunchPlan plan_;
  std::map<std::pair<int, int>, std::string> extentNames_;

  const Role *role_ = nullptr;
  const For *loop_ = nullptr;                  // innermost one
  bool usesWarp_ = false, usesThread_ = false; // in the role (or outside roles)
  std::optional<Exec> guard_;
  bool prints_ = false;              // tiles, by printf
  bool policies_ = false;            // of L2, for copies of TMA
  bool guardBlocks_ = false;         // a statement under the guard waits
  std::vector<std::string> loading_; // register tiles, from tensor memory
  std::string tmem_; // the variable with the address of tensor memory, where one is seen
};

std::string number(int64_t n);

} // namespace sluice::cuda
