#include "Emit/SyncOrder.h"

#include "Emit/SyncIds.h"

#include <algorithm>
#include <map>
#include <sstream>

namespace sluice::test {
namespace {

/// A piece of a program: what it can begin and end with, and whether it can do nothing.
struct Piece {
  std::set<int> first, last;
  bool empty = true;
};

class Written {
public:
  explicit Written(const Program &program) : program_(program) {
    int id = 0;
    for (const Synchronisation &s : synchronisations(program))
      ids_[s.stmt] = ++id;
  }
  Pairs pairs() {
    join({{0}, {0}, false}, block(program_.body, program_.warps));
    return std::move(pairs_);
  }

private:
  void connect(const Piece &a, const Piece &b) {
    for (int x : a.last)
      for (int y : b.first)
        pairs_.insert({x, y});
  }
  Piece join(const Piece &a, const Piece &b) {
    connect(a, b);
    Piece both{a.first, b.last, a.empty && b.empty};
    if (a.empty)
      both.first.insert(b.first.begin(), b.first.end());
    if (b.empty)
      both.last.insert(a.last.begin(), a.last.end());
    return both;
  }
  static Piece either(Piece a, const Piece &b) {
    a.first.insert(b.first.begin(), b.first.end());
    a.last.insert(b.last.begin(), b.last.end());
    a.empty |= b.empty;
    return a;
  }

  Piece block(const Block &b, int warps) {
    Piece all, guarded, roles;
    const Stmt *guard = nullptr;
    auto flush = [&] { // lanes that are not elected pass by
      guarded.empty = true;
      all = join(all, guarded);
      guarded = {};
      guard = nullptr;
    };
    for (size_t i = 0; i < b.stmts.size(); ++i) {
      const Stmt &s = b.stmts[i];
      if (std::holds_alternative<Role>(s.op)) { // one of those that follow each other, or none
        flush();
        Piece one;
        for (; i < b.stmts.size() && std::holds_alternative<Role>(b.stmts[i].op); ++i) {
          const Role &r = std::get<Role>(b.stmts[i].op);
          one = either(one, block(r.body, r.warps));
        }
        --i;
        all = join(all, one);
        continue;
      }
      const bool single = s.exec != Exec::threads;
      if (guard && (!single || std::holds_alternative<MbarrierTest>(s.op) ||
                    (warps > 1 && guard->exec != s.exec)))
        flush(); // a token is declared in front of the branch that asks
      if (single && isSynchronisation(s.op)) {
        guard = &s;
        guarded = join(guarded, statement(s, warps));
      } else {
        all = join(all, statement(s, warps));
      }
    }
    flush();
    return all;
  }

  Piece statement(const Stmt &s, int warps) {
    if (auto *loop = std::get_if<For>(&s.op)) {
      Piece body = block(loop->body, warps);
      connect(body, body);
      body.empty = true;
      return body;
    }
    if (auto *branch = std::get_if<If>(&s.op))
      return either(block(branch->thenBlock, warps), block(branch->elseBlock, warps));
    auto id = ids_.find(&s);
    if (id == ids_.end())
      return {};
    Piece one{{id->second}, {id->second}, false};
    if (repeats(s.op))
      connect(one, one);
    if (auto *wait = std::get_if<MbarrierWait>(&s.op))
      one.empty = wait->token != kNone;
    return one;
  }
  /// Loops that wait, arrays of barriers, arrive and wait of one statement.
  static bool repeats(const Operation &op) {
    return std::holds_alternative<MbarrierWait>(op) || std::holds_alternative<CounterWait>(op) ||
           std::holds_alternative<MbarrierInit>(op) || std::holds_alternative<MbarrierInval>(op) ||
           std::holds_alternative<ClusterBarrier>(op);
  }

  const Program &program_;
  std::map<const Stmt *, int> ids_;
  Pairs pairs_;
};

/// An instruction that matters: a synchronisation, a branch, an end.
struct Step {
  int id = 0;
  std::string target; // of a branch
  bool falls = true;  // execution may go on behind it
};

std::string wordAfter(const std::string &line, const std::string &key) {
  const size_t at = line.find(key);
  if (at == std::string::npos)
    return "";
  std::stringstream rest(line.substr(at + key.size()));
  std::string word;
  rest >> word;
  while (!word.empty() && (word.back() == ';' || word.back() == ','))
    word.pop_back();
  return word;
}

struct Graph {
  std::vector<Step> steps;
  std::map<std::string, size_t> labels;

  explicit Graph(const std::string &ptx) {
    std::stringstream lines(ptx);
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("$") && line.ends_with(":"))
        labels[line.substr(0, line.size() - 1)] = steps.size();
      const bool conditional = line.find('@') != std::string::npos;
      if (auto id = wordAfter(line, "// sync "); !id.empty())
        steps.push_back({std::stoi(id), "", true});
      else if (line.find("bra.uni") != std::string::npos)
        steps.push_back({0, wordAfter(line, "bra.uni"), conditional});
      else if (line.find("\tbra ") != std::string::npos || line.find(" bra ") != std::string::npos)
        steps.push_back({0, wordAfter(line, "bra "), conditional});
      else if (line.find("ret;") != std::string::npos || line.find("exit;") != std::string::npos)
        steps.push_back({0, "", conditional});
    }
  }

  /// Synchronisations that can come first from step `at` on.
  void reach(size_t at, int from, std::set<size_t> &seen, Pairs &pairs) const {
    while (at < steps.size() && seen.insert(at).second) {
      const Step &s = steps[at];
      if (s.id) {
        pairs.insert({from, s.id});
        return;
      }
      if (!s.target.empty())
        reach(labels.at(s.target), from, seen, pairs);
      if (!s.falls)
        return;
      ++at;
    }
  }
};

} // namespace

Pairs followers(const Program &program) {
  return Written(program).pairs();
}

PtxOrder ptxOrder(const std::string &ptx) {
  const Graph graph(ptx);
  PtxOrder order;
  std::set<size_t> seen;
  graph.reach(0, 0, seen, order.pairs);
  for (size_t i = 0; i < graph.steps.size(); ++i) {
    const int id = graph.steps[i].id;
    if (!id)
      continue;
    if (std::ranges::find(order.appearance, id) == order.appearance.end())
      order.appearance.push_back(id);
    seen.clear();
    graph.reach(i + 1, id, seen, order.pairs);
  }
  return order;
}

} // namespace sluice::test
