// Ascend, placed level: what takes several instructions of the vector cores. Values lie in tiles of
// f32; truth values in tiles of i32, as 0 and 1, of which bits choose between numbers.
#pragma once

#include "Transform/Placed/OddQuotient.h"
#include "Transform/Placed/VectorInstructions.h"

namespace sluice {

class Sequences {
public:
  Sequences(mlir::OpBuilder &b, mlir::Location loc, Scratch &scratch)
      : b_(b), loc_(loc), scratch_(scratch) {}

  void times(double factor, mlir::Value in, mlir::Value out);
  void powerOf2(mlir::Value in, mlir::Value out); // e^(x ln 2)
  void reciprocalRoot(mlir::Value in, mlir::Value out);
  void odd(const OddQuotient &f, mlir::Value in, mlir::Value out);

  /// x with +0 for -0, so that equal numbers have equal bits.
  void canonical(mlir::Value in, mlir::Value out);
  /// out = 1 where numbers that are canonical, or integers, differ.
  void differ(mlir::Value x, mlir::Value y, mlir::Value out);
  /// out = 1 where x > y, of canonical numbers that are in order; `larger`: a tile of f32.
  void greater(mlir::Value x, mlir::Value y, mlir::Value larger, mlir::Value out);
  /// out = 1 where x is no NaN; `bits`: a tile of i32.
  void ordered(mlir::Value x, mlir::Value bits, mlir::Value out);
  void opposite(mlir::Value truth);                           // in place
  void both(mlir::Value x, mlir::Value y, mlir::Value out);   // and
  void either(mlir::Value x, mlir::Value y, mlir::Value out); // or
  void fill(mlir::Value out, int64_t number);                 // of i32
  /// out = the bits of x where the truth value is 1, and of y elsewhere (null: 0), by two tiles of
  /// i32. All have one shape.
  void choose(mlir::Value truth, mlir::Value x, mlir::Value y, mlir::Value mask, mlir::Value rest,
              mlir::Value out);
  /// The numbers of a tile with one column or row in the shape of `out`, which zeros fill before.
  void repeated(mlir::Value in, mlir::Value out);

private:
  using Body = std::function<mlir::Value(mlir::OpBuilder &, mlir::Value)>;
  void one(mlir::Value in, mlir::Value out, const Body &body);
  template <typename Op> void withConstant(mlir::Value in, mlir::Value out, double number);
  template <typename Op> void withInteger(mlir::Value in, mlir::Value out, int64_t number);
  template <typename Op> void ofTwo(mlir::Value x, mlir::Value y, mlir::Value out);
  template <typename Op> void ofBits(mlir::Value x, mlir::Value y, mlir::Value out);
  void polynomial(llvm::ArrayRef<double> factors, mlir::Value t, mlir::Value out);
  void isNotZero(mlir::Value tile); // in place
  mlir::Value likeF32(mlir::Value tile);

  mlir::OpBuilder &b_;
  mlir::Location loc_;
  Scratch &scratch_;
};

} // namespace sluice
