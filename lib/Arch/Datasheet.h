// A machine as a data sheet: every number of its Arch with where it comes from, and the limits that
// go with its target.
#pragma once

#include "Arch/Arch.h"

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sluice {

/// Where a number comes from; what is assumed is no fact of the machine.
struct Source {
  std::string text;
  bool assumed = false;
};

/// A number of a machine.
struct Fact {
  enum Group : uint8_t { machine, capacity, rate, latency, limit } group;
  std::string name; // "shared memory of a CTA"
  double value;
  std::string unit; // "bytes"
  Source source;
};
std::string_view name(Fact::Group group); // "capacity" ...

/// A member of Arch that holds a number.
using Number = std::variant<int Arch::*, int64_t Arch::*, double Arch::*>;

/// An Arch that is filled in number by number, each with its source.
class Datasheet {
public:
  Datasheet(std::string name, Target target) : arch_{std::move(name), target, 0, 0} {}
  /// The same numbers under another name.
  Datasheet sameAs(std::string name) const;
  /// The same numbers for a machine of which nothing is known: all of them assumed.
  Datasheet standIn(std::string name, Target target) const;

  void set(Number number, double value, Source source);
  void set(Number number, double value, const char *source) {
    set(number, value, Source{source, false});
  }
  void plannedBy(const GemmCosts *gemm, const RowsCosts *rows) {
    arch_.gemm = gemm, arch_.rows = rows;
  }

  const Arch &arch() const { return arch_; }
  double value(Number number) const;
  /// nullptr: the sheet does not say.
  const Source *source(Number number) const;
  size_t numbers() const { return sources_.size(); }

private:
  Arch arch_;
  std::vector<std::pair<Number, Source>> sources_;
};

/// All of them, in the order of archNames().
const std::vector<Datasheet> &datasheets();

/// Capacities, rates, latencies and limits of a machine, in the order of a data sheet.
std::vector<Fact> facts(const Arch &arch);

/// A table a group, assumed numbers marked; what `sluice arch` prints.
std::string factsText(const Arch &arch);
std::string factsJson(const Arch &arch);

} // namespace sluice
