// Configurations of one kernel of the catalogue as points of a grid, and the proof of every n-th.
#pragma once

#include "Kernels/Launched.h"

#include "Campaign/Differential.h"

namespace sluice {

using Settings = std::map<std::string, std::string>;

/// Parameters that go together, and the values that they take.
struct Axis {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> values;

  void set(Settings &settings, size_t number) const {
    for (size_t i = 0; i < names.size(); ++i)
      settings[names[i]] = values[number][i];
  }
};

Axis axis(std::string name, std::initializer_list<const char *> values);

/// Rows that TMA can address in A, B and C; in C alone; in A by columns; nowhere.
inline const Axis extents{
    {"M", "N", "K"},
    {{"136", "264", "192"}, {"100", "1000", "333"}, {"104", "333", "96"}, {"67", "33", "101"}}};

struct Sweep {
  const char *kernel;
  Target target;
  std::vector<Axis> axes;

  size_t size() const {
    size_t points = 1;
    for (const Axis &a : axes)
      points *= a.values.size();
    return points;
  }
  /// Point `number` in the order of an odometer whose first axis turns fastest.
  Settings at(size_t number) const {
    Settings settings;
    for (const Axis &a : axes) {
      a.set(settings, number % a.values.size());
      number /= a.values.size();
    }
    return settings;
  }
};

struct Outcome {
  int every = 3, launches = 1; // so many are drawn for every so many that are proven
  int proven = 0, tooLarge = 0;
  Differential::Counts held{};
};

/// One point.
void proveOne(const Sweep &sweep, const Settings &settings, Outcome &outcome);
/// Every `stride`-th point. A stride without a common factor with the axes visits all their values.
Outcome proveEvery(size_t stride, const Sweep &sweep, int every = 3, int launches = 1);

} // namespace sluice
