// The values that loops carry.
#include "Emit/Scalars.h"

#include <algorithm>

namespace sluice::emit {

/// Variables of the values that the loop carries and that anything reads.
void ScalarPrinter::declareLoopValues(const For &f, std::vector<size_t> &live) {
  for (size_t i = 0; i < f.inits.size(); ++i) {
    if (!uses_[f.iterArgs[i]] && !uses_[f.results[i]])
      continue;
    live.push_back(i);
    ValueText init = values_[f.inits[i]];
    init.kind = kindOf(f.iterArgs[i], init);
    if (takesOver(f, i)) {
      values_[f.iterArgs[i]] = init;
      values_[f.iterArgs[i]].loop = &f;
      continue;
    }
    std::string wanted, fallback = init.kind == ValueText::cursor ? "at" : "carried";
    for (ValueId v : {f.iterArgs[i], f.results[i]})
      if (wanted.empty())
        wanted = nameOf(v);
    std::string name = names_.take(wanted, fallback);
    std::string initial = text(f.inits[i]);
    if (init.kind == ValueText::cursor) {
      std::string type = "Cursor<" + number(init.slots) + ">";
      out().line(type + " " + name + (initial == type + "{}" ? "" : " = " + initial) + ";");
    } else {
      const std::string type =
          init.kind == ValueText::boolean ? "bool" : integerType(f.iterArgs[i]);
      out().line(type + " " + name + " = " + initial + ";");
    }
    values_[f.iterArgs[i]] = {init.kind, name, true, init.slots, true, true, &f};
  }
}

/// Whether a carried value goes on in the variable of its initial value: a variable that nothing
/// else reads from here on, and that every iteration of the loop around sets anew.
bool ScalarPrinter::takesOver(const For &f, size_t i) const {
  const ValueId init = f.inits[i];
  return values_[init].variable && values_[init].loop == loop_ && uses_[init] == 1 &&
         truth_[init] == truth_[f.iterArgs[i]] &&
         ranges_.isWide(init) == ranges_.isWide(f.iterArgs[i]);
}

/// Through variables of their own: the yields of `left` read each other's targets.
void ScalarPrinter::assignTogether(const std::vector<ValueId> &targets,
                                   const std::vector<ValueId> &yields,
                                   const std::vector<size_t> &left) {
  std::vector<std::string> next;
  for (size_t i : left) {
    next.push_back(names_.take(text(targets[i]) + "Next", "next"));
    out().line("const auto " + next.back() + " = " + text(yields[i]) + ";");
  }
  for (size_t k = 0; k < left.size(); ++k)
    out().line(text(targets[left[k]]) + " = " + next[k] + ";");
}

/// targets = yields, all at once: a target that another yield still reads is assigned after it.
void ScalarPrinter::assignYields(const std::vector<ValueId> &targets,
                                 const std::vector<ValueId> &yields) {
  std::vector<size_t> left;
  for (size_t i = 0; i < targets.size(); ++i)
    if (targets[i] != yields[i] && text(targets[i]) != text(yields[i]))
      left.push_back(i);
  while (!left.empty()) {
    auto readByOther = [&](size_t i) {
      return std::any_of(left.begin(), left.end(),
                         [&](size_t j) { return j != i && dependsOn(yields[j], targets[i]); });
    };
    auto next = std::find_if_not(left.begin(), left.end(), readByOther);
    if (next == left.end())
      return assignTogether(targets, yields, left);
    out().line(text(targets[*next]) + " = " + text(yields[*next]) + ";");
    left.erase(next);
  }
}

} // namespace sluice::emit
