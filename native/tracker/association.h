// Association of the plots of one scan with tracks: gating, costs of pairs, and the assignment of least total cost.
#pragma once

#include <memory>
#include <utility>

#include "claims.h"
#include "clusters.h"
#include "gate.h"
#include "limits.h"
#include "plot.h"
#include "track_table.h"

namespace dunlin {

/// Assumed greatest speed of aircraft, m/s. After a late scan, the search for tracks near its plots is wider by the
/// distance at this speed.
inline constexpr double kLateSpeedMps = 30;
/// Ratio of tracks to plots up to which each track searches for its plots. At a higher ratio each plot searches for its
/// tracks.
inline constexpr int kPlotsOfTracks = 8;

/// Time within which a fusion system (another tracker that sends its tracks) reports each of its tracks at most once,
/// s.
inline constexpr double kTurnS = 0.5;

/// A track that may have plots in the current scan.
struct ScanCandidate {
  double t;           // s, time of its state in the association
  int track;          // slot of the track
  int edge = -1;      // chosen pair of the track, −1 for none
  double cost = 0;    // cost of that pair, 0 for none
  int plot = -1;      // index of that pair's plot in Plots
  double rival = 0;   // cost of the track's best pair that was not chosen, 0 for none
};

/// A plot of the current scan.
struct ScanPlot {
  int place;          // index of the plot in Plots
  int edge = -1;      // chosen pair of the plot, −1 for none
  double rival = 0;   // cost of the plot's best pair that was not chosen, 0 for none
  int pairs = 0;      // number of tracks that the plot may belong to
};

class ScanAssociation {
 public:
  ScanAssociation(const Settings& set, const Limits& limits, TrackTable& tracks, const Claims& claims)
      : set_(set), tracks_(tracks), claims_(claims), most_edges_(limits.edges), most_states_(limits.tracks),
        states_(new Imm[limits.tracks]), plot_grid_(limits.plots),
        polar_(limits.plots),
        clusters_(static_cast<int>(set.cluster_most), static_cast<size_t>(limits.tracks) + limits.plots, limits.edges) {
    candidates_.reserve(limits.tracks);
    gates_.reserve(limits.tracks);
    plots_.reserve(limits.plots);
    aims_.reserve(limits.plots);
    edges_.reserve(limits.edges);
  }

  /// Begins the next scan, which has no plots yet.
  void Begin() {
    plots_.clear();
    aims_.clear();
    candidates_.clear();
    gates_.clear();
    edges_.clear();
    system_ = -1;
    tracks_.BeginScan();
  }
  /// Adds a plot of the scan; `place` is its index in Plots.
  void Add(int place, const Plot& p) {
    plots_.push_back({place});
    aims_.push_back({{p.m.z[0], p.m.z[1], p.m.z[2]}, {}, p.density, p.m.form, p.emitter});
    std::copy(p.m.r, p.m.r + 6, aims_.back().r);
    if (p.m.form != Form::kTrack) return;
    // The sending system and this one are never aligned exactly. Their unknown offset is assumed to be as large as the
    // error of a satellite fix.
    system_ = p.m.sensor;
    for (int k : {0, 3, 5}) aims_.back().r[k] += set_.slack_m * set_.slack_m;
  }
  /// Assigns the plots of a scan to tracks. The scan is by sensor `s` at `t`, s, and is closed at `now`, s.
  void Associate(const Sensor& s, double t, double now) {
    Gather(s, t, now);
    clusters_.Assign(edges_, static_cast<int>(candidates_.size()), static_cast<int>(plots_.size()), [&](int edge) {
      candidates_[edges_[edge].candidate].edge = edge;
      plots_[edges_[edge].plot].edge = edge;
    });
    KeepChosen();
  }

  const std::vector<ScanPlot>& plots() const { return plots_; }
  const std::vector<ScanCandidate>& candidates() const { return candidates_; }
  /// State of the candidate's track as of the candidate's time. The caller may modify it.
  Imm& state(int candidate) { return states_[candidate]; }
  const Gate& gate(int candidate) const { return gates_[candidate]; }
  /// Returns the number of candidates that may own the plot of `hit`. A hit is a candidate with a chosen plot.
  int PairsOf(const ScanCandidate& hit) const { return plots_[edges_[hit.edge].plot].pairs; }
  /// Whether another pair, with the same plot or the same track as a hit, is nearly as likely as the chosen pair.
  bool IsDoubtful(const ScanCandidate& hit) const {
    double rival = std::min(plots_[edges_[hit.edge].plot].rival, hit.rival);
    return rival < hit.cost + set_.doubt_margin;
  }
  /// Returns the index of a track's candidate; creates the candidate if the track has none. −1 if the track cannot have
  /// plots. `detection` is the probability that the sensor detects the track.
  int CandidateOf(int slot, double t, double detection);

 private:
  /// Indices of a candidate and a plot in the scan, before their cost is computed.
  struct Pairing {
    int candidate, plot;
  };
  static constexpr int kTogether = 16, kMostPairings = 256;

  void Gather(const Sensor& s, double t, double now);
  bool IndexPlots(const Sensor& s);
  void GatherByTrack(const Sensor& s, double t);
  void GatherSighted(const Sensor& s, double t);
  void WeighPairings(Pairing* pairings, int count);
  void TryEdge(const Sensor& s, int plot, int candidate);
  void AddEdge(const Pairing& pair, const Fit& fit, double most);
  void KeepChosen();
  /// Whether the fusion system that sent this scan just reported the candidate's track under the track's claim. A
  /// system reports each of its tracks once, so no plot of this scan can then belong to the candidate.
  bool IsClaimedBySystem(const ScanCandidate& c) const {
    int claim = tracks_[c.track].claim;
    return claim >= 0 && claims_[claim].fused_by == system_ && std::fabs(c.t - claims_[claim].fused_at) < kTurnS;
  }

  const Settings& set_;
  TrackTable& tracks_;
  const Claims& claims_;
  int most_edges_;
  size_t most_states_;
  int32_t system_ = -1;       // fusion system that sent the scan, −1 for a scan of a sensor's plots
  std::vector<ScanCandidate> candidates_;
  std::unique_ptr<Imm[]> states_;  // by candidate; not initialised, so that unused memory pages are never allocated
  std::vector<Gate> gates_;   // by candidate
  std::vector<ScanPlot> plots_;
  std::vector<Aim> aims_;     // by plot
  std::vector<Edge> edges_;
  Grid plot_grid_;
  PolarIndex polar_;
  Clusters clusters_;
};

inline void ScanAssociation::Gather(const Sensor& s, double t, double now) {
  double slack = kLateSpeedMps * std::max(0.0, now - t);
  int places = 0;
  auto consider = [&](int plot, int slot) {
    int index = CandidateOf(slot, t, s.detection);
    if (index >= 0) TryEdge(s, plot, index);
  };
  int count = static_cast<int>(aims_.size());
  for (int i = 0; i < count; i++) {
    if (IsPlace(aims_[i].form)) places++;
    else
      for (int slot : tracks_.live()) consider(i, slot);
  }
  // If the plots are few, each plot searches for tracks. If they are many, each track searches for plots.
  if (places * kPlotsOfTracks >= static_cast<int>(tracks_.live().size())) return GatherByTrack(s, t);
  for (int i = 0; places > 0 && i < count; i++) {
    const Aim& a = aims_[i];
    if (!IsPlace(a.form)) continue;
    tracks_.grid().NearEllipse(a.z[0], a.z[1], set_.gate * a.r[0], set_.gate * a.r[1], set_.gate * a.r[3], slack,
                      [&](int slot) { consider(i, slot); });
  }
}

/// Indexes the plots for searches by tracks. Returns true if the sensor measured all plots itself: the index is then
/// polar. If the scan has reported positions, the index is a grid.
inline bool ScanAssociation::IndexPlots(const Sensor& s) {
  polar_.Clear();
  plot_grid_.ForgetReaches();
  bool sighted = std::none_of(aims_.begin(), aims_.end(), [](const Aim& a) { return IsReported(a.form); });
  for (int i = 0; i < static_cast<int>(aims_.size()); i++) {
    const Aim& a = aims_[i];
    if (!IsPlace(a.form)) continue;
    if (sighted) polar_.Add(GroundPlotOf(i, a.z, a.r), GroundSightOf(s, a.z, a.r));
    else plot_grid_.Put(i, a.z[0], a.z[1], std::sqrt(set_.gate * std::max(a.r[0], a.r[3])));
  }
  if (sighted) polar_.Build();
  return sighted;
}

inline void ScanAssociation::GatherByTrack(const Sensor& s, double t) {
  if (IndexPlots(s)) return GatherSighted(s, t);
  for (int slot : tracks_.live()) {
    int index = CandidateOf(slot, t, s.detection);
    if (index < 0) continue;
    const Gate& g = gates_[index];
    plot_grid_.Near(Grid::kAnonymous, g.p[0], g.p[1], std::sqrt(set_.gate * std::max(g.pp[0], g.pp[3])), [&](int i) {
      if (LiesNear(g, GroundPlotOf(i, aims_[i].z, aims_[i].r), set_.gate)) TryEdge(s, i, index);
    });
  }
  for (int i = 0; i < static_cast<int>(aims_.size()); i++) plot_grid_.Remove(i);
}

/// Finds the plots near each track through the polar index. Each stage of the computation is done for several tracks
/// before the next stage branches on the results. Such a branch is unpredictable, and a mispredicted one costs as much
/// as the arithmetic itself.
inline void ScanAssociation::GatherSighted(const Sensor& s, double t) {
  int indices[kTogether];
  PolarIndex::Reach reaches[kTogether];
  Pairing pairings[kMostPairings + 1];
  int pairs = 0;
  for (size_t from = 0; from < tracks_.live().size(); from += kTogether) {
    int count = 0;
    for (size_t i = from, end = std::min(tracks_.live().size(), from + kTogether); i < end; i++) {
      int index = CandidateOf(tracks_.live()[i], t, s.detection);
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

/// Computes the fits of pairings with positions, two at a time. `pairings` must have room for one more entry at its
/// end.
inline void ScanAssociation::WeighPairings(Pairing* pairings, int count) {
  if (count == 0) return;
  FitPair fits[(kMostPairings + 1) / 2];
  pairings[count] = pairings[0];  // fills the second place of the last step if `count` is odd
  for (int i = 0; i < count; i += 2) {
    const Pairing &a = pairings[i], &b = pairings[i + 1];
    fits[i / 2] = FitsOfPlaces(gates_[a.candidate], aims_[a.plot], gates_[b.candidate], aims_[b.plot]);
  }
  for (int i = 0; i < count; i++) AddEdge(pairings[i], {fits[i / 2].distance2[i % 2], fits[i / 2].det[i % 2]}, set_.gate);
}

inline int ScanAssociation::CandidateOf(int slot, double t, double detection) {
  TrackCold& cold = tracks_.cold(slot);
  if (cold.stamp == tracks_.scan()) return cold.candidate;
  cold.stamp = tracks_.scan();
  cold.candidate = -1;
  Track& k = tracks_[slot];
  size_t index = candidates_.size();
  if (!k.placed || k.life == Life::kResting || index == most_states_) return -1;
  Imm& state = states_[index];
  if (!tracks_.StateAt(slot, t, state)) return -1;
  candidates_.push_back({t, slot});
  tracks_.Age(k, t, claims_.IsClaimed(k, t));
  cold.candidate = static_cast<int>(index);
  gates_.emplace_back();
  Gate& gate = gates_.back();
  BlendPlaces(state.both, state.calm, gate.p, gate.pp);
  // A claimed track competes for plots as if it surely existed, so that plots can confirm the claim.
  // A ghost must not take the plots of a real aircraft that it comes to.
  bool believed = k.claim >= 0 && (claims_[k.claim].authentic || !claims_[k.claim].stranger);
  double shown = believed ? std::max(k.shown, set_.claim_odds) : k.shown;
  double seen = std::clamp(shown, 1e-6, 0.9999) * detection;
  gate.odds = seen / (1 - seen);
  gate.emitter = k.emitter;
  gate.crossing = k.origin == Origin::kCrossing;
  return cold.candidate;
}

/// Adds the pair of a plot and a candidate if the plot is in the candidate's gate, their radio emitters agree, and
/// AddEdge accepts it. A plot of a fusion system is not paired with a track that this system has just reported under
/// the track's claim.
inline void ScanAssociation::TryEdge(const Sensor& s, int plot, int index) {
  const Gate& gate = gates_[index];
  const Aim& aim = aims_[plot];
  if (static_cast<int>(edges_.size()) >= most_edges_ || !AreEmittersAlike(gate, aim)) return;
  if (aim.form == Form::kTrack && IsClaimedBySystem(candidates_[index])) return;
  bool place = IsPlace(aim.form);
  // A distance in fewer dimensions is smaller even for a wrong pair, so its gate is smaller.
  double most = place ? set_.gate : set_.gate - (aim.form == Form::kBearing ? 6 : 3);
  AddEdge({index, plot}, place ? FitOfPlace(gate, aim) : FitOfSight(s, gate, aim, set_.gate), most);
}

/// Adds a pair if its squared distance is at most `most`, its radio emitters agree, and one common object is likelier
/// than two separate ones. Does nothing if the list of pairs is full.
inline void ScanAssociation::AddEdge(const Pairing& pair, const Fit& fit, double most) {
  if (!(fit.distance2 <= most) || static_cast<int>(edges_.size()) >= most_edges_) return;
  const Gate& gate = gates_[pair.candidate];
  const Aim& aim = aims_[pair.plot];
  if (!AreEmittersAlike(gate, aim)) return;
  double strange = aim.density / gate.odds;
  double cost = 0.5 * (fit.distance2 + std::log(ScaleOf(aim.form) * fit.det * strange * strange));
  if (!(cost < 0)) return;
  plots_[pair.plot].pairs++;
  edges_.push_back({pair.candidate, pair.plot, cost});
}

/// Stores in every candidate the plot that was chosen for it, so that later steps need not search for it. Stores in
/// every plot and candidate the cost of its best pair that was not chosen.
inline void ScanAssociation::KeepChosen() {
  for (int i = 0; i < static_cast<int>(edges_.size()); i++) {
    const Edge& e = edges_[i];
    ScanCandidate& c = candidates_[e.candidate];
    ScanPlot& l = plots_[e.plot];
    if (c.edge == i) {
      c.cost = e.cost;
      c.plot = l.place;
      tracks_.GivePlot(c.track);
    } else {
      c.rival = std::min(c.rival, e.cost);
      l.rival = std::min(l.rival, e.cost);
    }
  }
}

}  // namespace dunlin
