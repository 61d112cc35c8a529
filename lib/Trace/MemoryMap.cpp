#include "Trace/MemoryMap.h"

#include "Program/Agent.h"
#include "Program/LayoutMap.h"
#include "Program/TensorMemory.h"
#include "Trace/Format.h"
#include "Trace/Summary.h"

#include <algorithm>
#include <map>

namespace sluice {
namespace {

using namespace trace;

/// A memory with addresses, and what its addresses count.
struct Memory {
  Space space;
  const char *name;
};
constexpr Memory kMemories[] = {{Space::smem, "shared memory"},
                                {Space::tmem, "tensor memory"},
                                {Space::l1, "L1"},
                                {Space::l0a, "L0A"},
                                {Space::l0b, "L0B"},
                                {Space::l0c, "L0C"},
                                {Space::ub, "UB"}};

std::string tileOf(const Buffer &b) {
  std::string shape;
  for (int64_t extent : b.shape)
    shape += (shape.empty() ? "" : "x") + std::to_string(extent);
  return std::string(name(b.type)) + " " + shape + " " + std::string(name(b.layout));
}

/// What of the slot's fillings is one content: what is filled anew while it is still being written
/// has several writers.
std::vector<Held> heldOf(const std::vector<Filling> &fillings, int buffer, int64_t slot) {
  std::vector<Held> held;
  for (const Filling &f : fillings) {
    if (f.buffer != buffer || f.slot != slot)
      continue;
    if (!held.empty() && f.begin < held.back().ready) {
      held.back().ready = std::max(held.back().ready, f.ready);
      held.back().end = std::max(held.back().end, f.end);
      continue;
    }
    if (!held.empty())
      held.back().end = std::min(held.back().end, f.begin);
    held.push_back({f.begin, f.ready, f.end});
  }
  return held;
}

/// Barriers beside each other are one place.
std::vector<MemoryPlace> barrierPlaces(const Program &program) {
  std::vector<MemoryPlace> places;
  for (const Mbarrier &m : program.mbarriers)
    places.push_back({"barriers", std::to_string(m.slots) + " of " + m.name, m.offset,
                      m.offset + 8 * m.slots, 0, true});
  std::ranges::sort(places, {}, &MemoryPlace::begin);
  std::vector<MemoryPlace> joined;
  for (MemoryPlace &place : places) {
    if (joined.empty() || joined.back().end != place.begin) {
      joined.push_back(std::move(place));
      continue;
    }
    joined.back().end = place.end;
    joined.back().tile += ", " + place.tile;
  }
  return joined;
}

std::vector<MemoryPlace> placesIn(const Program &program, Space space, const Timeline &timeline) {
  const int64_t unit = space == Space::tmem ? TensorMemory::columnBytes : 1;
  std::vector<MemoryPlace> places;
  if (space == Space::smem)
    places = barrierPlaces(program);
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer &b = program.buffers[i];
    if (b.space != space)
      continue;
    for (int64_t slot = 0; slot < b.slots; ++slot) {
      const int64_t begin = b.offset + slot * b.slotBytes;
      places.push_back({b.name + (b.slots > 1 ? "[" + std::to_string(slot) + "]" : ""), tileOf(b),
                        begin / unit, (begin + occupiedBytes(b) + unit - 1) / unit, slot, false,
                        heldOf(timeline.fillings, static_cast<int>(i), slot)});
    }
  }
  std::ranges::stable_sort(places, {}, &MemoryPlace::begin);
  return places;
}

/// The most that is held at one time: what ends where something begins makes room for it.
int64_t mostHeld(const std::vector<MemoryPlace> &places) {
  std::vector<std::pair<double, int64_t>> changes;
  int64_t now = 0;
  for (const MemoryPlace &place : places) {
    const int64_t size = place.end - place.begin;
    now += place.isBarriers ? size : 0;
    for (const Held &h : place.held)
      changes.insert(changes.end(), {{h.begin, size}, {h.end, -size}});
  }
  std::ranges::sort(changes);
  int64_t most = now;
  for (const auto &[time, change] : changes)
    most = std::max(most, now += change);
  return most;
}

/// Columns of all allocations: each is of the whole run.
int64_t allocatedColumns(const Program &program) {
  int64_t columns = 0;
  walk(program.body, [&columns](const Stmt &s) {
    if (const auto *alloc = std::get_if<TmemAlloc>(&s.op))
      columns += alloc->columns;
  });
  return columns;
}

int64_t usedOf(const Program &program, Space space, const std::vector<MemoryPlace> &places) {
  int64_t used = space == Space::smem   ? program.sharedBytes
                 : space == Space::tmem ? allocatedColumns(program)
                                        : 0;
  for (const MemoryPlace &place : places)
    used = std::max(used, place.end);
  return used;
}

std::string grouped(int64_t number) {
  return cyclesText(static_cast<double>(number));
}

/// Share of the run that a place holds something, and that this is being written.
struct Shares {
  double held = 0, writing = 0;
};

Shares sharesOf(const MemoryPlace &place, const Timeline &timeline) {
  Shares shares;
  for (const Held &h : place.held) {
    shares.held += (h.end - h.begin) / std::max(timeline.cycles, 1.0);
    shares.writing += (std::min(h.ready, h.end) - h.begin) / std::max(timeline.cycles, 1.0);
  }
  return shares;
}

std::string right(const std::string &text, size_t width) {
  return std::string(width - std::min(width, length(text)), ' ') + text;
}

std::string placeLine(const MemoryPlace &place, size_t nameWidth, size_t tileWidth,
                      const Timeline &timeline) {
  const Shares shares = sharesOf(place, timeline);
  std::string line = "  " + right(grouped(place.begin), 9) + " - " +
                     padded(grouped(place.end - 1), 9) + "  " + padded(place.name, nameWidth) +
                     "  ";
  if (place.isBarriers)
    return line + place.tile + "\n";
  return line + padded(place.tile, tileWidth) + right(std::to_string(place.held.size()), 9) +
         right(percentText(shares.held), 9) + right(percentText(shares.writing), 9) + "\n";
}

} // namespace

std::vector<MemoryMap> memoryMaps(const Program &program, const Arch &arch,
                                  const Timeline &timeline) {
  std::vector<MemoryMap> maps;
  for (const Memory &memory : kMemories) {
    MemoryMap map;
    map.places = placesIn(program, memory.space, timeline);
    if (map.places.empty())
      continue;
    const bool columns = memory.space == Space::tmem;
    map.memory = memory.name;
    map.unit = columns ? "columns" : "bytes";
    map.capacity = columns ? TensorMemory::columns : arch.capacity(memory.space);
    map.used = usedOf(program, memory.space, map.places);
    map.most = mostHeld(map.places);
    maps.push_back(std::move(map));
  }
  return maps;
}

std::string memoryText(const std::vector<MemoryMap> &maps, const Timeline &timeline,
                       const PictureOptions &options) {
  std::string text = headline(options) + "\n" + cyclesText(timeline.cycles) + " cycles\n";
  for (const MemoryMap &map : maps) {
    text += "\n" + map.memory + ": " + grouped(map.used) + " of " + grouped(map.capacity) + " " +
            map.unit + ", at most " + grouped(map.most) + " hold something at a time\n";
    size_t name = 4, tile = 4;
    for (const MemoryPlace &place : map.places) {
      name = std::max(name, length(place.name));
      tile = std::max(tile, place.isBarriers ? 0 : length(place.tile));
    }
    text += "  " + padded(right(map.unit, 9), 21) + "  " + padded("what", name) + "  " +
            padded("tile", tile) + "  fillings     held  written\n";
    for (const MemoryPlace &place : map.places)
      text += placeLine(place, name, tile, timeline);
  }
  return text;
}

std::string memoryJson(const std::vector<MemoryMap> &maps, const Timeline &timeline,
                       const MoreMembers &more) {
  JsonWriter json;
  json.beginObject().member("cycles", timeline.cycles).key("memories").beginArray();
  for (const MemoryMap &map : maps) {
    json.beginObject().member("memory", map.memory).member("unit", map.unit);
    json.member("capacity", map.capacity).member("used", map.used).member("most", map.most);
    json.key("places").beginArray();
    for (const MemoryPlace &place : map.places) {
      json.beginObject().member("name", place.name).member("tile", place.tile);
      json.member("begin", place.begin).member("end", place.end).key("held").beginArray();
      for (const Held &h : place.held)
        json.beginArray().value(h.begin).value(h.ready).value(h.end).endArray();
      json.endArray().endObject();
    }
    json.endArray().endObject();
  }
  json.endArray();
  if (more)
    more(json);
  return json.endObject().str();
}

} // namespace sluice
