// Outcomes of one step for observations, tracks and claims.
#pragma once

#include <cstdint>
#include <vector>

#include "../layouts.h"
#include "observation.h"
#include "plot.h"

namespace dunlin {

/// Outcome of an observation. `number` is the number of its track, 0 for none. `row` is the observation's index in the
/// batch; −1 for a plot, which may have come with an earlier batch.
struct Answer {
  double sequence, received, signal;
  uint32_t number;
  int32_t sensor, row;
};

struct End {
  uint32_t number;
  EndReason reason;
  uint32_t into;
};

/// A claim that moved from the track `from` to the track `to`. The caller removes the identities of the claim from
/// track `from`.
struct Parting {
  int32_t claim;
  uint32_t from, to;
};

class Outcomes {
 public:
  /// Reserves memory for each list; the lists may grow beyond it.
  Outcomes(int answers, int ends, int partings) {
    answers_.reserve(answers);
    ends_.reserve(ends);
    partings_.reserve(partings);
  }

  const std::vector<Answer>& answers() const { return answers_; }
  const std::vector<End>& ends() const { return ends_; }
  const std::vector<Parting>& partings() const { return partings_; }
  /// Number of observations that were rejected as invalid.
  uint64_t rejected() const { return rejected_; }

  /// Sets the index of the row that is processed now; −1 for none.
  void BeginRow(int32_t row) { row_ = row; }

  /// Adds the answer for the observation of the current row. `number` is the number of its track, 0 for none.
  void Answered(const double* o, uint32_t number) {
    answers_.push_back({o[kObservedSequence], o[kObservedReceivedS], o[kObservedRssiDbm], number, Whole(o[kObservedSensor]), row_});
  }
  void Answered(const Plot& p, uint32_t number) {
    answers_.push_back({p.sequence, p.received, p.signal, number, p.m.sensor, -1});
  }
  /// Index of the latest answer.
  size_t Latest() const { return answers_.size() - 1; }
  /// Changes the track of an answer, because its observation was assigned to another track in the end.
  void Readdress(size_t answer, uint32_t number) { answers_[answer].number = number; }
  void Reject(const double* o) {
    rejected_++;
    Answered(o, 0);
  }
  void Ended(const End& end) { ends_.push_back(end); }
  void Parted(const Parting& parting) { partings_.push_back(parting); }

  void Clear() {
    answers_.clear();
    ends_.clear();
    partings_.clear();
  }

 private:
  std::vector<Answer> answers_;
  std::vector<End> ends_;
  std::vector<Parting> partings_;
  int32_t row_ = -1;
  uint64_t rejected_ = 0;
};

}  // namespace dunlin
