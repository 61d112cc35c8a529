// Copies with a hint for the second-level cache, which a host has no use for.
#pragma once

namespace sluice {

inline CachePolicy evictFirst() {
  return {};
}
inline CachePolicy evictLast() {
  return {};
}

#define SLUICE_TMA_TILE(name)                                                                      \
  template <int boxes, int step, int chunk, class... Arguments>                                    \
  void name(CachePolicy, const Arguments &...arguments) {                                          \
    name<boxes, step, chunk>(arguments...);                                                        \
  }
SLUICE_TMA_TILE(tmaLoad)
SLUICE_TMA_TILE(tmaMulticast)
SLUICE_TMA_TILE(tmaStore)
SLUICE_TMA_TILE(tmaAdd)
#undef SLUICE_TMA_TILE
template <class Tile, int lines, class Place>
void loadLines(CachePolicy, u32 to, int line0, const Place &w, u32 barrier) {
  loadLines<Tile, lines>(to, line0, w, barrier);
}
template <class Tile, class Place> void loadSpan(CachePolicy, u32 to, const Place &w, u32 barrier) {
  loadSpan<Tile>(to, w, barrier);
}

} // namespace sluice
