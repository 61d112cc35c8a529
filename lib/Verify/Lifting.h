// What lifts one run to every launch (docs/proof.md, "Every trip count"), as far as a part of it
// has once been missing. All parts are on; only the test that none can be spared, which links its
// own `lifting` instead of this library's, leaves one out.
#pragma once

namespace sluice {

struct Lifting {
  // Which accesses are set against each other.
  bool groups = true;      // those of different clusters or cores
  bool iterations = true;  // those of different iterations
  bool places = true;      // those at places that are counted from different unknowns
  bool clusterCtas = true; // the CTAs of a cluster are in no order
  bool onlyOne = true;     // loops are in step only where no other one comes to their iterations
  bool ofWhom = true;      // loops of which every CTA or warp has its own share no iteration
  bool moving = true;      // a place moves with the loops that runs have met it in
  bool strands = true;     // the elected lane is in no order with the others
  // What is known of numbers.
  bool negative = true; // quotients and remainders of negative numbers are rounded towards zero
  bool byZero = true;   // what is divided by 0 gives 0
  // What runs decide.
  bool apart = true;       // comparisons that normal forms do not tell are asked apart
  bool firstRounds = true; // a residue says nothing of a negative dividend
  bool named = true;       // rings whose slots something tells apart are not turned
};

const Lifting &lifting();

} // namespace sluice
