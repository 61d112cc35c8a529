// The function of elements of a map or fold, drawn: its text, and what it means.
#pragma once

#include "Ascend/DrawnKernel.h"

namespace sluice::test::drawn {

class DrawnBody {
public:
  DrawnBody(DrawnKernel &kernel, const std::vector<DrawnTile> &from);

  /// Results for these tiles, of about so many operations; `adds`: to the first input, at the end.
  void drawResults(const std::vector<DrawnTile> &to, int operations, bool adds = false);
  bool hasCoordinates() const { return coordinates_; }
  std::string text(const std::string &indent) const;
  /// As the body of a fold that joins its one result.
  std::string textOfFold(const std::string &indent, const std::string &join) const;
  std::vector<Bounded> valuesFor(std::vector<Bounded> inputs, int64_t row, int64_t column) const;

  /// A number as the text has it.
  static std::string spelled(double number);

private:
  struct Value {
    std::string name;
    DType type;
    bool isWhole; // of the shape of the result; others are repeated
  };
  struct Step {
    std::string operation; // of those that Ascend C may leave open
    Operation compute;
    std::vector<size_t> operands;
  };

  size_t add(const std::string &text, DType type, Operation compute, std::vector<size_t> operands,
             const std::string &operation = "");
  size_t constant(DType type);
  size_t converted(size_t value, DType type);
  /// Some value of the type; one of the whole shape where nothing else of the operation is.
  size_t any(DType type, bool whole);
  size_t operation(DType type);
  size_t binary(DType type);
  size_t ofTwo(const std::string &op, DType type, size_t x, size_t y);
  size_t choice(DType type);
  size_t byPlace(DType type);
  std::string arguments() const;

  DrawnKernel &kernel_;
  std::vector<DrawnTile> from_;
  std::vector<std::string> lines_, places_;
  std::vector<Value> values_; // inputs, row, column, then those of the steps
  std::vector<Step> steps_;
  std::vector<size_t> results_;
  bool coordinates_ = false, mayPlace_ = false;
};

} // namespace sluice::test::drawn
