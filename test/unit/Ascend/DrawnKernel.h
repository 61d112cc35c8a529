// A kernel of tiles as it is drawn: its text line by line, and beside each line what it means to a
// float64 reference.
#pragma once

#include "Ascend/Bounded.h"
#include "Support/HostTensor.h"

#include <map>
#include <random>
#include <string>
#include <vector>

namespace sluice::test::drawn {

/// A tile of the reference.
struct BoundedTile {
  int64_t rows = 0, columns = 0;
  std::vector<Bounded> numbers;
  const Bounded &at(int64_t row, int64_t column) const {
    return numbers[size_t((rows == 1 ? 0 : row) * columns + (columns == 1 ? 0 : column))];
  }
};

/// What a launch has come to, by name of tensor, tile or scalar.
struct Meaning {
  std::map<std::string, HostTensor> tensors;
  std::map<std::string, std::vector<Bounded>> outputs; // elements in row-major order
  std::map<std::string, BoundedTile> tiles;
  std::map<std::string, int64_t> scalars;
};

struct DrawnTile {
  std::string name;
  int64_t rows, columns;
  DType type;
  bool isLoaded = false;
};

/// A tensor of so many dimensions; an extent is a number, or -1: that of the launch's rows, -2:
/// columns, -3: matrices.
struct DrawnTensor {
  std::string name;
  std::vector<int64_t> extents;
  DType type;
  bool output;
  int minor;
  bool isFixed = false; // columns stand in the type
  int64_t columns = 0;  // what they are in all launches
};

class DrawnKernel {
public:
  DrawnKernel(std::string target, uint64_t seed)
      : target_(std::move(target)), random_(seed), mutexes_(target_ == "ascend950" && seed % 2) {}

  int upTo(int most) { return int(random_() % uint64_t(most + 1)); }
  bool oneIn(int n) { return upTo(n - 1) == 0; }
  template <typename T> T oneOf(std::vector<T> all) {
    return all[size_t(upTo(int(all.size()) - 1))];
  }

  // ---- Scalars
  std::string constant(int64_t number);
  std::string extent(const std::string &tensor, int dimension);
  /// "addi", "subi", "muli", "ceildivsi", "maxsi", "minsi", "divsi", "remsi".
  std::string scalar(const std::string &op, const std::string &x, const std::string &y);
  std::vector<std::string> grid(const std::vector<std::string> &extents);

  // ---- Tensors and tiles
  const DrawnTensor &tensor(DrawnTensor t);
  DrawnTile tile(int64_t rows, int64_t columns, DType type, const char *stem);
  DrawnTile load(const DrawnTensor &from, const std::vector<std::string> &at, int64_t rows,
                 int64_t columns);
  void store(const DrawnTile &tile, const DrawnTensor &to, const std::vector<std::string> &at);
  /// The same of the tile with rows and columns exchanged.
  void storeTransposed(const DrawnTile &tile, const DrawnTensor &to,
                       const std::vector<std::string> &at);
  void fill(const DrawnTile &tile, double number);
  /// A map with a body that is drawn, of about so many operations; `adds`: to the first tile.
  void map(const std::vector<DrawnTile> &from, const std::vector<DrawnTile> &to, int operations,
           bool adds = false);
  /// Each row folded to a number of f32.
  DrawnTile fold(const DrawnTile &from);
  /// Statements between these two are those of a loop from 0; yields its variable.
  std::string beginLoop(const std::string &end, int stages);
  void endLoop();

  std::string text() const;
  const std::vector<DrawnTensor> &tensors() const { return tensors_; }
  /// Outputs of a launch with these inputs, as the author's text means them.
  std::map<std::string, std::vector<Bounded>> outputsFor(std::map<std::string, HostTensor> tensors);

private:
  using Step = std::function<void(Meaning &)>;
  using Steps = std::vector<Step>;
  friend class DrawnBody;

  std::string fresh(const char *stem) { return "%" + (stem + std::to_string(++count_)); }
  void line(const std::string &text) { body_ += indent_ + text + "\n"; }
  void step(Step step) { steps_.back().push_back(std::move(step)); }
  static std::string typeOf(const DrawnTile &tile);
  static std::string typeOf(const DrawnTensor &tensor);
  static std::string buffers(const std::vector<DrawnTile> &tiles);

  std::string target_;
  std::mt19937_64 random_;
  bool mutexes_; // hand tiles on
  std::string body_, indent_ = "  ";
  std::map<int64_t, std::string> constants_;
  std::vector<DrawnTensor> tensors_;
  int count_ = 0;
  std::vector<Steps> steps_ = {{}};
  std::vector<std::string> gridExtents_, gridNames_;
  Steps before_; // the grid
  struct Loop {
    std::string variable, end;
    int stages;
  };
  std::vector<Loop> loops_;
};

} // namespace sluice::test::drawn
