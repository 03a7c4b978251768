// Which plots of a look may be of which tracks, and what a pair costs.
#pragma once

#include <utility>

#include "gate.h"
#include "tracker.h"

namespace dunlin {

/// A track may have gone so far since a look that comes late.
inline constexpr double kLateSpeedMps = 30;
/// With one plot for so many tracks or more, the tracks look for plots.
inline constexpr int kPlotsOfTracks = 8;

inline void Tracker::GatherEdges(const Sensor& s, double t) {
  double slack = kLateSpeedMps * std::max(0.0, now_ - t);
  int places = 0;
  auto consider = [&](int look, int slot) {
    int index = CandidateOf(slot, t, s.detection);
    if (index >= 0) TryEdge(s, look, index);
  };
  int count = static_cast<int>(aims_.size());
  for (int i = 0; i < count; i++) {
    if (IsPlace(aims_[i].form)) places++;
    else
      for (int slot : live_) consider(i, slot);
  }
  // Few plots look for tracks; of many, the tracks look for plots, each once.
  if (places * kPlotsOfTracks >= static_cast<int>(live_.size())) return GatherByTrack(s, t);
  for (int i = 0; places > 0 && i < count; i++) {
    const Aim& a = aims_[i];
    if (!IsPlace(a.form)) continue;
    grid_.NearEllipse(a.z[0], a.z[1], set_.gate * a.r[0], set_.gate * a.r[1], set_.gate * a.r[3], slack,
                      [&](int slot) { consider(i, slot); });
  }
}

/// Puts the plots where the tracks find them: what was told as range and angles by those, else by squares. True of the
/// former.
inline bool Tracker::IndexPlots(const Sensor& s) {
  polar_.Clear();
  plot_grid_.ForgetReaches();
  bool sighted = std::none_of(aims_.begin(), aims_.end(), [](const Aim& a) { return a.form == Form::kFix; });
  for (int i = 0; i < static_cast<int>(aims_.size()); i++) {
    const Aim& a = aims_[i];
    if (!IsPlace(a.form)) continue;
    if (sighted) polar_.Add(GroundPlotOf(i, a.z, a.r), GroundSightOf(s, a.z, a.r));
    else plot_grid_.Put(i, a.z[0], a.z[1], std::sqrt(set_.gate * std::max(a.r[0], a.r[3])));
  }
  if (sighted) polar_.Build();
  return sighted;
}

inline void Tracker::GatherByTrack(const Sensor& s, double t) {
  if (IndexPlots(s)) return GatherSighted(s, t);
  for (int slot : live_) {
    int index = CandidateOf(slot, t, s.detection);
    if (index < 0) continue;
    const Gate& g = gates_[index];
    plot_grid_.Near(Grid::kAnonymous, g.p[0], g.p[1], std::sqrt(set_.gate * std::max(g.pp[0], g.pp[3])), [&](int i) {
      if (LiesNear(g, GroundPlotOf(i, aims_[i].z, aims_[i].r), set_.gate)) TryEdge(s, i, index);
    });
  }
  for (int i = 0; i < static_cast<int>(aims_.size()); i++) plot_grid_.Remove(i);
}

/// Where to look, at which plots and which of them fit cannot be guessed, and a wrong guess costs as long as it takes to
/// reckon what was guessed. So it is reckoned for some tracks together, before anything depends on it.
inline void Tracker::GatherSighted(const Sensor& s, double t) {
  int indices[kTogether];
  PolarIndex::Reach reaches[kTogether];
  Pairing pairings[kMostPairings + 1];
  int pairs = 0;
  for (size_t from = 0; from < live_.size(); from += kTogether) {
    int count = 0;
    for (size_t i = from, end = std::min(live_.size(), from + kTogether); i < end; i++) {
      int index = CandidateOf(live_[i], t, s.detection);
      if (index < 0) continue;
      indices[count] = index;
      reaches[count++] = polar_.ReachOf(GroundSightOf(s, gates_[index].p, gates_[index].pp), set_.gate);
    }
    for (int i = 0; i < count; i++) {
      const Gate gate = gates_[indices[i]];
      polar_.ForEach(reaches[i], [&](const GroundPlot& plot) {
        if (pairs == kMostPairings) WeighPairings(pairings, std::exchange(pairs, 0));
        pairings[pairs] = {indices[i], plot.plot};
        pairs += LiesNear(gate, plot, set_.gate);
      });
    }
    WeighPairings(pairings, std::exchange(pairs, 0));
  }
}

/// Pairs of places, two at a time; there is room for one more behind the last.
inline void Tracker::WeighPairings(Pairing* pairings, int count) {
  if (count == 0) return;
  FitPair fits[(kMostPairings + 1) / 2];
  pairings[count] = pairings[0];  // of an odd number the last is weighed beside the first
  for (int i = 0; i < count; i += 2) {
    const Pairing &a = pairings[i], &b = pairings[i + 1];
    fits[i / 2] = FitsOfPlaces(gates_[a.candidate], aims_[a.plot], gates_[b.candidate], aims_[b.plot]);
  }
  for (int i = 0; i < count; i++) AddEdge(pairings[i], {fits[i / 2].distance2[i % 2], fits[i / 2].det[i % 2]}, set_.gate);
}

inline int Tracker::CandidateOf(int slot, double t, double detection) {
  TrackCold& cold = cold_[slot];
  if (cold.stamp == stamp_) return cold.candidate;
  cold.stamp = stamp_;
  cold.candidate = -1;
  Track& k = tracks_[slot];
  size_t index = candidates_.size();
  if (!k.placed || k.life == Life::kResting || index == states_.size()) return -1;
  Imm& state = states_[index];
  if (!StateAt(slot, t, state)) return -1;
  candidates_.push_back({t, slot});
  Age(k, t, IsClaimed(k, t), set_, decays_);
  cold.candidate = static_cast<int>(index);
  gates_.emplace_back();
  Gate& gate = gates_.back();
  BlendPlaces(state.both, state.calm, gate.p, gate.pp);
  // Who is claimed competes for plots as if it were there: that is what the plots are to show.
  double shown = k.claim >= 0 ? std::max(k.shown, set_.claim_odds) : k.shown;
  double seen = std::clamp(shown, 1e-6, 0.9999) * detection;
  gate.odds = seen / (1 - seen);
  gate.emitter = k.emitter;
  gate.crossing = k.origin == Origin::kCrossing;
  return cold.candidate;
}

/// The pair where the plot lies in the track's gate.
inline void Tracker::TryEdge(const Sensor& s, int look, int index) {
  const Gate& gate = gates_[index];
  const Aim& aim = aims_[look];
  if (static_cast<int>(edges_.size()) >= limits_.edges || !AreEmittersAlike(gate, aim)) return;
  bool place = IsPlace(aim.form);
  // Distances of fewer numbers are less by chance.
  double most = place ? set_.gate : set_.gate - (aim.form == Form::kBearing ? 6 : 3);
  AddEdge({index, look}, place ? FitOfPlace(gate, aim) : FitOfSight(s, gate, aim, set_.gate), most);
}

/// The pair where it fits within the gate `most`, and is likelier one than two.
inline void Tracker::AddEdge(const Pairing& pair, const Fit& fit, double most) {
  if (!(fit.distance2 <= most) || static_cast<int>(edges_.size()) >= limits_.edges) return;
  const Gate& gate = gates_[pair.candidate];
  const Aim& aim = aims_[pair.plot];
  if (!AreEmittersAlike(gate, aim)) return;
  double strange = aim.density / gate.odds;
  double cost = 0.5 * (fit.distance2 + std::log(ScaleOf(aim.form) * fit.det * strange * strange));
  if (!(cost < 0)) return;
  look_[pair.plot].pairs++;
  edges_.push_back({pair.candidate, pair.plot, cost});
}

}  // namespace dunlin
