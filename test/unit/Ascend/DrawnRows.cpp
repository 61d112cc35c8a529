#include "Ascend/DrawnRows.h"

#include <algorithm>
#include <set>
#include <utility>

namespace sluice::test::drawn {
namespace {

constexpr int64_t ofRows = -1, ofColumns = -2, ofMatrices = -3;

class Drawing {
public:
  explicit Drawing(DrawnKernel &k) : k_(k) {}

  std::string draw() {
    columns_ = k_.oneOf<int64_t>({1, 2, 3, 7, 8, 13, 16, 31, 33, 64, 65, 90, 128, 130, 200, 257});
    rows_ = k_.oneOf<int64_t>({2, 2, 4, 6, 8, 8, 10, 16, 16, 24, 32, 32});
    isFixed_ = !k_.oneIn(3);
    hasMatrices_ = k_.oneIn(6);
    const std::string family = k_.oneOf<std::string>({"rows", "rows", "pieces", "visits", "sums"});
    const bool whole = family == "rows" || (family == "sums" && k_.oneIn(2));
    tile_ = whole ? wholeColumns() : k_.oneOf<int64_t>({16, 32, 64, 128});
    declareInputs();
    if (family == "rows")
      rows();
    else if (family == "pieces")
      pieces();
    else if (family == "visits")
      visits();
    else
      sums();
    return family;
  }

  std::vector<DrawnSizes> launches() {
    std::vector<DrawnSizes> all;
    for (const int64_t rows : {int64_t(1), rows_ * k_.upTo(5) + k_.upTo(int(rows_)),
                               int64_t(k_.oneOf<int>({0, 3, 47, 100, 131}))})
      all.push_back({hasMatrices_ ? 1 + k_.upTo(2) : 1, rows, k_.oneIn(3) ? k_.upTo(9) : 0});
    return all;
  }

private:
  /// Of a tile that holds a row: multiples of 32 bytes of every type.
  int64_t wholeColumns() {
    const int64_t least = (columns_ + 15) / 16 * 16;
    return columns_ > 64 || k_.oneIn(3) ? (columns_ + 63) / 64 * 64
                                        : least + (k_.oneIn(6) ? 16 : 0);
  }
  DType floats() { return k_.oneOf<DType>({DType::f32, DType::f16, DType::bf16}); }

  DrawnTensor declared(const char *name, std::vector<int64_t> extents, DType type, bool output,
                       int minor) {
    // Rows of tiles lie along columns of memory, where instructions can turn them.
    const bool mayTurn = rows_ == 32 && tile_ % 16 == 0 && extents[1] == ofColumns;
    if (mayTurn && k_.oneIn(4))
      minor = 0;
    if (hasMatrices_)
      extents.insert(extents.begin(), ofMatrices), ++minor;
    return k_.tensor({name, std::move(extents), type, output, minor, isFixed_, columns_});
  }
  void declareInputs() {
    const std::vector<const char *> names = {"X", "Z", "U", "W"};
    const int count = 1 + std::min(k_.upTo(3), k_.upTo(3));
    for (int i = 0; i < count; ++i)
      inputs_.push_back(declared(names[size_t(i)], {ofRows, ofColumns}, floats(), false, 1));
    if (k_.oneIn(3))
      vector_ = {k_.tensor({"V", {1, ofColumns}, floats(), false, 1, isFixed_, columns_})};
    if (k_.oneIn(3))
      numbers_ = {declared("R", {ofRows, 1}, DType::f32, false, k_.oneIn(6) ? 1 : 0)};
  }
  /// Coordinates of a tensor: of the matrix, then these.
  std::vector<std::string> at(std::string row, std::string column) {
    std::vector<std::string> all;
    if (hasMatrices_)
      all.push_back(matrix_);
    all.push_back(std::move(row));
    all.push_back(std::move(column));
    return all;
  }
  std::string rowsOf(const DrawnTensor &t) { return k_.extent(t.name, hasMatrices_ ? 1 : 0); }
  std::string columnsOf(const DrawnTensor &t) { return k_.extent(t.name, hasMatrices_ ? 2 : 1); }
  /// A grid of these extents, behind that of the matrices.
  std::vector<std::string> grid(std::vector<std::string> extents) {
    if (hasMatrices_)
      extents.insert(extents.begin(), k_.extent("X", 0));
    auto coordinates = k_.grid(extents);
    if (hasMatrices_) {
      matrix_ = coordinates[0];
      coordinates.erase(coordinates.begin());
    }
    return coordinates;
  }

  // ---- Tiles at hand
  void loadAll(const std::string &row, const std::string &column) {
    for (const DrawnTensor &t : inputs_)
      hand_.push_back(k_.load(t, at(row, column), rows_, tile_));
  }
  void loadVector(const std::string &column) {
    for (const DrawnTensor &t : vector_)
      hand_.push_back(k_.load(t, {k_.constant(0), column}, 1, tile_));
  }
  void loadNumbers(const std::string &row) {
    for (const DrawnTensor &t : numbers_)
      hand_.push_back(k_.load(t, at(row, k_.constant(0)), rows_, 1));
  }
  bool isWhole(const DrawnTile &t) const { return t.rows == rows_ && t.columns == tile_; }
  bool isOfRows(const DrawnTile &t) const { return t.rows == rows_ && t.columns == 1; }
  template <typename Condition> std::vector<DrawnTile> those(Condition condition) {
    std::vector<DrawnTile> found;
    std::ranges::copy_if(hand_, std::back_inserter(found), condition);
    return found;
  }
  std::vector<DrawnTile> whole() {
    return those([&](const DrawnTile &t) { return isWhole(t); });
  }
  std::vector<DrawnTile> ofRow() {
    return those([&](const DrawnTile &t) { return isOfRows(t); });
  }
  /// One of these and some others of the hand that may stand beside it.
  std::vector<DrawnTile> some(const std::vector<DrawnTile> &one, bool columnsToo) {
    std::vector<DrawnTile> chosen = {k_.oneOf(one)};
    for (const DrawnTile &t : hand_)
      if (t.name != chosen[0].name && (columnsToo || t.columns == 1) && !k_.oneIn(3) &&
          chosen.size() < 4)
        chosen.push_back(t);
    for (const DrawnTile &t : chosen)
      read_.insert(t.name);
    return chosen;
  }
  /// The same, with what was loaded and that nobody has read yet.
  std::vector<DrawnTile> theRest() {
    std::vector<DrawnTile> chosen = some(whole(), true);
    for (const DrawnTile &t : hand_)
      if (t.isLoaded && read_.insert(t.name).second)
        chosen.push_back(t);
    return chosen;
  }

  /// One more tile of the hand, or one of it in its place.
  void compute() {
    const int kind = k_.upTo(9);
    const auto numbers = ofRow();
    if (kind < 3)
      return hand_.push_back(k_.fold(k_.oneOf(whole())));
    if (kind < 5 && !numbers.empty()) {
      const auto from = some(numbers, false);
      const DrawnTile to = k_.tile(rows_, 1, DType::f32, "n");
      k_.map(from, {to}, k_.upTo(3));
      return hand_.push_back(to);
    }
    const auto own = those([&](const DrawnTile &t) { return isWhole(t) && !t.isLoaded; });
    if (kind == 5 && !own.empty()) {
      const auto from = some(own, true);
      return k_.map(from, {from[0]}, 1 + k_.upTo(2));
    }
    const auto from = some(whole(), true);
    std::vector<DrawnTile> to = {k_.tile(rows_, tile_, floats(), "m")};
    if (kind == 6)
      to.push_back(k_.tile(rows_, tile_, floats(), "m"));
    k_.map(from, to, k_.upTo(5));
    hand_.insert(hand_.end(), to.begin(), to.end());
  }
  /// Stores what is computed of the hand: a tile, and perhaps numbers of rows, or another tile.
  void finish(const std::string &row, const std::string &column, bool numbersToo) {
    const DrawnTensor &y = outputs_[0];
    const DrawnTile tile = k_.tile(rows_, tile_, y.type, "y");
    k_.map(theRest(), {tile}, k_.upTo(4));
    k_.store(tile, y, at(row, column));
    for (const DrawnTensor &t : transposed_) {
      const DrawnTile other = k_.tile(rows_, tile_, t.type, "w");
      k_.map(some(whole(), true), {other}, k_.upTo(2));
      k_.storeTransposed(other, t, {column, row});
    }
    if (outputs_.size() < 2)
      return;
    const DrawnTensor &q = outputs_[1];
    if (!numbersToo) {
      const DrawnTile other = k_.tile(rows_, tile_, q.type, "z");
      k_.map(some(whole(), true), {other}, k_.upTo(3));
      return k_.store(other, q, at(row, column));
    }
    k_.store(k_.fold(k_.oneOf(whole())), q, at(row, k_.constant(0)));
  }
  void declareOutputs(bool numbersToo) {
    outputs_.push_back(declared("Y", {ofRows, ofColumns}, floats(), true, 1));
    if (rows_ == 32 && tile_ % 16 == 0 && !hasMatrices_ && k_.oneIn(3))
      transposed_ = {k_.tensor({"T", {ofColumns, ofRows}, floats(), true, 1, isFixed_, columns_})};
    if (!k_.oneIn(3))
      return;
    outputs_.push_back(numbersToo
                           ? declared("Q", {ofRows, 1}, DType::f32, true, k_.oneIn(3) ? 1 : 0)
                           : declared("Q", {ofRows, ofColumns}, floats(), true, 1));
  }
  void someMore() {
    for (int i = k_.upTo(3); i > 0; --i)
      compute();
  }

  // ---- Families
  /// A tile holds whole rows.
  void rows() {
    const bool numbersToo = k_.oneIn(2), early = k_.oneIn(2);
    declareOutputs(numbersToo);
    const std::string zero = k_.constant(0);
    if (early && !hasMatrices_)
      loadVector(zero);
    const std::string blocks = k_.scalar("ceildivsi", rowsOf(outputs_[0]), k_.constant(rows_));
    const std::string row = k_.scalar("muli", grid({blocks})[0], k_.constant(rows_));
    if (!early || hasMatrices_)
      loadVector(zero);
    loadNumbers(row);
    loadAll(row, zero);
    someMore();
    finish(row, zero, numbersToo);
  }

  /// A tile is a piece of rows.
  void pieces() {
    declareOutputs(false);
    const std::string down = k_.scalar("ceildivsi", rowsOf(inputs_[0]), k_.constant(rows_));
    const std::string across = k_.scalar("ceildivsi", columnsOf(inputs_[0]), k_.constant(tile_));
    const auto place = grid({down, across});
    const std::string row = k_.scalar("muli", place[0], k_.constant(rows_));
    const std::string column = k_.scalar("muli", place[1], k_.constant(tile_));
    loadVector(column);
    loadNumbers(row);
    loadAll(row, column);
    someMore();
    finish(row, column, false);
  }

  /// Rows are visited piece by piece: folded first, then computed with what that was.
  void visits() {
    const bool twice = !k_.oneIn(3);
    if (twice)
      declareOutputs(false);
    else
      outputs_.push_back(declared("Y", {ofRows, 1}, DType::f32, true, k_.oneIn(3) ? 1 : 0));
    const std::string blocks = k_.scalar("ceildivsi", rowsOf(inputs_[0]), k_.constant(rows_));
    const std::string count = k_.scalar("ceildivsi", columnsOf(inputs_[0]), k_.constant(tile_));
    const std::string row = k_.scalar("muli", grid({blocks})[0], k_.constant(rows_));
    const DrawnTile state = k_.tile(rows_, 1, DType::f32, "state");
    k_.fill(state, k_.oneIn(3) ? 1 : 0);
    loadNumbers(row);
    const auto kept = hand_;
    const auto visit = [&](const std::function<void(const std::string &)> &body) {
      hand_ = kept;
      const std::string t = k_.beginLoop(count, k_.upTo(3));
      const std::string column = k_.scalar("muli", t, k_.constant(tile_));
      loadVector(column);
      loadAll(row, column);
      body(column);
      k_.endLoop();
    };
    visit([&](const std::string &) {
      if (k_.oneIn(2))
        compute();
      const std::vector<DrawnTile> unread = theRest();
      const DrawnTile joined = k_.tile(rows_, tile_, DType::f32, "j");
      k_.map(unread, {joined}, k_.upTo(3));
      k_.map({state, k_.fold(joined)}, {state}, k_.upTo(1), k_.oneIn(2));
    });
    if (!twice)
      return k_.store(state, outputs_[0], at(row, k_.constant(0)));
    visit([&](const std::string &column) {
      hand_.push_back(state);
      someMore();
      finish(row, column, false);
    });
  }

  /// Each of some blocks adds up every so many tiles, and stores its lines.
  void sums() {
    const int64_t count = k_.oneOf<int64_t>({1, 2, 3});
    const DrawnTensor y =
        k_.tensor({"Y", {count * rows_, ofColumns}, DType::f32, true, 1, isFixed_, columns_});
    const bool matrices = std::exchange(hasMatrices_, false); // of the grid: it has pieces instead
    const std::string many = k_.constant(count);
    const std::string across = k_.scalar("ceildivsi", k_.extent("Y", 1), k_.constant(tile_));
    const auto place = grid({many, across});
    hasMatrices_ = matrices, matrix_ = k_.constant(0);
    const std::string column = k_.scalar("muli", place[1], k_.constant(tile_));
    const DrawnTile state = k_.tile(rows_, tile_, DType::f32, "state");
    k_.fill(state, k_.oneIn(4) ? 0.5 : 0);
    loadVector(column);
    const std::string tiles = k_.scalar("ceildivsi", rowsOf(inputs_[0]), k_.constant(rows_));
    const std::string left = k_.scalar("maxsi", k_.scalar("subi", tiles, place[0]), k_.constant(0));
    const std::string mine = k_.scalar("ceildivsi", left, many);
    const std::string t = k_.beginLoop(mine, k_.upTo(3));
    const std::string block = k_.scalar("addi", place[0], k_.scalar("muli", t, many));
    const std::string row = k_.scalar("muli", block, k_.constant(rows_));
    const auto kept = hand_;
    loadNumbers(row);
    loadAll(row, column);
    someMore();
    std::vector<DrawnTile> from = theRest();
    from.insert(from.begin(), state);
    k_.map(from, {state}, k_.upTo(3), !k_.oneIn(4));
    k_.endLoop();
    hand_ = kept;
    k_.store(state, y, {k_.scalar("muli", place[0], k_.constant(rows_)), column});
  }

  DrawnKernel &k_;
  int64_t columns_ = 1, rows_ = 2, tile_ = 16; // of the tensors; of a tile
  bool isFixed_ = true, hasMatrices_ = false;
  std::string matrix_;
  std::vector<DrawnTensor> inputs_, outputs_, transposed_, vector_, numbers_;
  std::vector<DrawnTile> hand_;
  std::set<std::string> read_;
};

} // namespace

DrawnRows drawRows(const std::string &target, uint64_t seed) {
  DrawnRows drawn{std::make_unique<DrawnKernel>(target, seed), "", {}};
  Drawing drawing(*drawn.kernel);
  drawn.family = drawing.draw();
  drawn.launches = drawing.launches();
  return drawn;
}

} // namespace sluice::test::drawn
