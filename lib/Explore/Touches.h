// Which bytes an agent's part of an operation touches.
#pragma once

#include "Explore/Script.h"
#include "Explore/Shares.h"

#include <tuple>

namespace sluice::explorer {

class Toucher {
public:
  Toucher(const Program &program, const Launch &launch, CellMap &memory)
      : program_(program), launch_(launch), memory_(memory) {}

  /// The agent's share of a view, and all of a view that does not have the rows of the operation:
  /// bytes from the start of the memory, in registers from the start of the tile; sorted, disjoint.
  std::vector<ByteRange> bytesOf(const Standpoint &at, const View &whole, const Share &share);
  /// The same in the memory of `cta`, registers of agent number `owner`. Nothing when no byte is
  /// touched.
  std::optional<Touch> touch(const Standpoint &at, const View &whole, bool write,
                             const Share &share, int cta, int owner);
  /// All of the tensor memory of a CTA, written.
  Touch allColumns(int cta);
  /// Set when a view leaves its object.
  std::optional<std::string> outOfBounds;

private:
  /// An agent's part of a box: where the box is, and its rows.
  struct Part {
    int object;
    bool tensor, transposed;
    std::vector<int64_t> at, shape; // `at`: of a tile, the slot too; of a tensor, where it ends
    std::vector<bool> mine;
    bool operator<(const Part &o) const {
      return std::tie(object, tensor, transposed, at, shape, mine) <
             std::tie(o.object, o.tensor, o.transposed, o.at, o.shape, o.mine);
    }
  };

  std::vector<ByteRange> bytesOfTile(const Standpoint &at, const View &view,
                                     const std::vector<bool> &mine);
  std::vector<ByteRange> bytesOfTensor(const Standpoint &at, const View &view,
                                       const std::vector<bool> &mine);

  int placeOf(int tensor) const;

  const Program &program_;
  const Launch &launch_;
  CellMap &memory_;
  std::map<std::pair<int, int64_t>, std::vector<int64_t>> places_; // by buffer and slot
  std::map<Part, std::vector<ByteRange>> known_;
};

} // namespace sluice::explorer
