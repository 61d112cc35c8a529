#include "Verify/Partition.h"

#include <algorithm>

namespace sluice {

const std::vector<int32_t> &Partition::of(const std::vector<Interval> &where) {
  const auto at = known_.find(&where);
  if (at != known_.end())
    return at->second;
  add(where);
  return known_.at(&where);
}

int32_t Partition::at(int64_t byte) const {
  const auto piece = std::partition_point(pieces_.begin(), pieces_.end(),
                                          [&](const Piece &p) { return p.bytes.end <= byte; });
  return piece != pieces_.end() && piece->bytes.begin <= byte ? piece->part : -1;
}

template <typename Visit>
void Partition::walk(const std::vector<Interval> &where, Visit visit) const {
  auto piece = pieces_.begin();
  auto wanted = where.begin();
  for (int64_t at = INT64_MIN;;) {
    while (piece != pieces_.end() && piece->bytes.end <= at)
      ++piece;
    while (wanted != where.end() && wanted->end <= at)
      ++wanted;
    const int64_t pieceAt = piece == pieces_.end() ? INT64_MAX : std::max(piece->bytes.begin, at);
    const int64_t wantedAt = wanted == where.end() ? INT64_MAX : std::max(wanted->begin, at);
    const int64_t begin = std::min(pieceAt, wantedAt);
    if (begin == INT64_MAX)
      return;
    const bool inPiece = pieceAt == begin, inWhere = wantedAt == begin;
    const int64_t end =
        std::min(inPiece ? piece->bytes.end : pieceAt, inWhere ? wanted->end : wantedAt);
    visit(Interval{begin, end}, inPiece ? piece->part : -1, inWhere);
    at = end;
  }
}

int32_t Partition::create(int32_t origin) {
  origins_.push_back(origin);
  return count() - 1;
}

void Partition::add(const std::vector<Interval> &where) {
  std::vector<bool> touched(count()), left(count());
  walk(where, [&](Interval, int32_t part, bool inside) {
    if (part >= 0)
      (inside ? touched : left)[part] = true;
  });
  // The touched bytes of a part that others are left of become a new one.
  std::vector<int32_t> split(touched.size(), -1);
  for (size_t part = 0; part < touched.size(); ++part)
    if (touched[part] && left[part])
      split[part] = create(static_cast<int32_t>(part));
  int32_t fresh = -1;
  std::vector<Piece> pieces;
  walk(where, [&](Interval bytes, int32_t part, bool inside) {
    if (part < 0 && fresh < 0)
      fresh = create(-1);
    const bool moves = inside && part >= 0 && split[part] >= 0;
    pieces.push_back({bytes, part < 0 ? fresh : moves ? split[part] : part});
  });
  pieces_ = std::move(pieces);

  forms_.clear();
  lowest_.assign(count(), {});
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend(); ++piece)
    lowest_[piece->part] = piece->bytes;
  for (auto &[bytes, parts] : known_) { // who touches a part touches what was split from it
    for (size_t i = parts.size(); i-- > 0;)
      if (static_cast<size_t>(parts[i]) < split.size() && split[parts[i]] >= 0)
        parts.push_back(split[parts[i]]);
    sort(parts);
  }
  std::vector<int32_t> &own = known_[&where];
  for (size_t part = 0; part < touched.size(); ++part)
    if (touched[part])
      own.push_back(split[part] >= 0 ? split[part] : static_cast<int32_t>(part));
  if (fresh >= 0)
    own.push_back(fresh);
  sort(own);
}

int32_t Partition::form(int32_t part) {
  if (forms_.empty())
    findForms();
  return forms_[part];
}

void Partition::findForms() {
  std::vector<std::vector<int64_t>> borders(count()); // begin, end, begin, end ...
  for (const Piece &piece : pieces_) {
    std::vector<int64_t> &own = borders[piece.part];
    const int64_t from = lowest_[piece.part].begin;
    if (!own.empty() && own.back() == piece.bytes.begin - from)
      own.pop_back();
    else
      own.push_back(piece.bytes.begin - from);
    own.push_back(piece.bytes.end - from);
  }
  for (std::vector<int64_t> &form : borders)
    forms_.push_back(
        formNumbers_.try_emplace(std::move(form), static_cast<int32_t>(formNumbers_.size()))
            .first->second);
}

void Partition::sort(std::vector<int32_t> &parts) const {
  std::sort(parts.begin(), parts.end(),
            [&](int32_t x, int32_t y) { return lowest_[x].begin < lowest_[y].begin; });
}

} // namespace sluice
