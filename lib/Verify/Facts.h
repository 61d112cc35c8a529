// What a run has decided so far about the unknown trip counts.
#pragma once

#include "Verify/Terms.h"

#include <map>
#include <memory>
#include <vector>

namespace sluice {

/// A term as one part of the run meets it. A launch gives an extent one value, but the proof lets
/// every loop over it, in every iteration of the loops around, have its own: more runs than there
/// are, and therefore finitely many states. Small values (up to Facts::head) stay the same.
struct Instance {
  int32_t term = -1;
  int32_t path = 0;    // Terms::path of the loop
  int32_t ordinal = 0; // loops over the term before it at that path

  /// Of comparisons with what other loops count up: nothing else that is known of the term is known
  /// of it.
  static constexpr int32_t apart = -1;
  auto operator<=>(const Instance &) const = default;
};

/// "Is the term greater than `threshold`?"
struct Query {
  Instance instance;
  int64_t threshold = 0;
  int32_t trip = -1;  // the trip count that asks: a quotient or multiple of the term
  bool small = false; // asked by a comparison with a constant or by one of the first iterations

  bool operator==(const Query &) const = default;
};

class Relevance;

class Facts {
public:
  explicit Facts(const Relevance *relevance = nullptr) : relevance_(relevance) {}

  Range range(const Terms &terms, const Instance &i) const;
  void decide(const Terms &terms, const Query &query, bool greater);
  /// Whether normal forms have what is known of an unknown up to a number.
  bool tell(const Terms &terms, int32_t unknown, int64_t number) const;
  /// Up to a multiple of what normal forms have a trip count.
  int64_t tripModulus(const Terms &terms, int32_t trip) const;
  /// How many of the first iterations are the same for every loop over a term.
  int64_t head() const;

  const std::map<Instance, Range> &instances() const { return instances_; }
  void forget(const Terms &terms, const Instance &i);
  /// Those forgotten that are about data, for a launch that shows what the run has met.
  std::map<Instance, Range> past() const;
  const std::map<int32_t, Range> &small() const { return small_; }
  /// What is decided of an instance and small() does not tell.
  Range beyondSmall(const Instance &i) const;

  /// A trip count of the launch that one loop has had: the others have it up to a multiple of what
  /// matters of it.
  struct Residue {
    int64_t value, modulus;
  };
  const std::map<int32_t, Residue> &residues() const { return residues_; }
  /// Null when nothing is known.
  const Residue *residue(int32_t trip) const;

private:
  void keepRemainder(const Terms &terms, int32_t remainder, Range r);
  void keep(int32_t trip, Residue residue);

  /// What was forgotten, and before it: runs that come from one share what they have in common.
  struct Forgotten {
    Instance instance;
    Range range;
    int32_t before;
  };

  const Relevance *relevance_; // null: one launch, nothing is unknown
  std::map<Instance, Range> instances_;
  std::shared_ptr<std::vector<Forgotten>> forgotten_ = std::make_shared<std::vector<Forgotten>>();
  int32_t last_ = -1;                   // of them, in this run
  std::map<int32_t, Residue> residues_; // by trip count
  std::map<int32_t, Range> small_;      // of terms of the launch: what small queries have told
};

} // namespace sluice
