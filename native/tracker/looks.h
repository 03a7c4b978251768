// The plots of one look against the tracks: gate, weigh, assign, settle.
#pragma once

#include "tracker.h"

namespace dunlin {

/// A polar plot as a place: z = s + R·u(azimuth, elevation)·r, with covariance J·diag(sd²)·Jᵀ.
inline void PlaceOfPolar(const Sensor& s, Measurement& m) {
  double az = m.z[0], el = m.z[1], r = m.z[2];
  double sa = std::sin(az), ca = std::cos(az), se = std::sin(el), ce = std::cos(el);
  Vec3 d = Rotate(s.to_site, {r * ce * sa, r * ce * ca, r * se});
  Vec3 across = Rotate(s.to_site, {ca, -sa, 0}), over = Rotate(s.to_site, {-se * sa, -se * ca, ce}),
       along = Rotate(s.to_site, {ce * sa, ce * ca, se});
  double rows[3][3] = {{across[0], across[1], across[2]}, {over[0], over[1], over[2]}, {along[0], along[1], along[2]}};
  double variance[3] = {std::max(r * r * ce * ce * m.r[0], 0.01), std::max(r * r * m.r[3], 0.01), m.r[5]};
  for (int i = 0; i < 3; i++) m.z[i] = s.at[i] + d[i];
  TurnDiagonal(rows, variance, m.r);
}

/// False places of a sensor that tells places on the earth are taken to spread over so much: 8 km round, 1 km high.
inline constexpr double kFixVolumeM3 = 2e11;

inline void Tracker::ConvertPlots(Sensor& s) {
  for (int i = s.first_plot; i >= 0; i = plots_[i].next) {
    Plot& p = plots_[i];
    look_.push_back({i, -1, -1, 0, 0});
    std::copy(p.m.z, p.m.z + 3, p.raw);
    p.sd_azimuth = std::sqrt(p.m.r[0]);
    p.sd_range = std::sqrt(p.m.r[5]);
    Form form = p.m.form;
    bool ranged = form == Form::kPlace || form == Form::kPlane;
    if (ranged) {
      const Registration& reg = s.registration;
      if (reg.AppliesAzimuth(set_)) p.m.z[0] -= reg.azimuth;
      if (reg.AppliesRange(set_)) p.m.z[2] -= reg.range;
      if (radars_ > 1 && reg.plots < set_.bias_plots) {
        double a = set_.bias_azimuth_deg * kDegree, r = set_.bias_range_m;
        p.m.r[0] += a * a;
        p.m.r[5] += r * r;
      }
    }
    double range = std::max(p.m.z[2], 1.0), level = std::max(std::cos(p.m.z[1]), 0.05);
    double per_azimuth = s.clutter / s.clutter_azimuth;
    switch (form) {
      case Form::kPlace:
        p.density = per_azimuth / (s.clutter_range * s.clutter_elevation * range * range * level);
        PlaceOfPolar(s, p.m);
        break;
      case Form::kPlane:
        p.m.z[1] = kAssumedHeightM;
        p.density = per_azimuth / s.clutter_range;
        break;
      case Form::kFix: p.density = s.clutter / kFixVolumeM3; break;
      case Form::kAngles: p.density = per_azimuth / s.clutter_elevation; break;
      default:
        p.m.z[1] = kAssumedHeightM;
        p.density = per_azimuth;
    }
    p.log_density = std::log(p.density);
  }
}

inline int Tracker::CandidateOf(int slot, double t, double detection) {
  TrackCold& cold = cold_[slot];
  if (cold.stamp == stamp_) return cold.candidate;
  cold.stamp = stamp_;
  cold.candidate = -1;
  Track& k = tracks_[slot];
  if (!k.placed || k.life == Life::kResting) return -1;
  candidates_.emplace_back();
  Candidate& c = candidates_.back();
  if (!StateAt(slot, t, c.imm)) {
    candidates_.pop_back();
    return -1;
  }
  Combined(c.imm, c.g);
  c.track = slot;
  c.t = t;
  c.edge = c.local = -1;
  c.rival = 0;
  Age(k, t, IsClaimed(k, t), set_);
  cold.candidate = static_cast<int>(candidates_.size()) - 1;
  gates_.emplace_back();
  Gate& gate = gates_.back();
  std::copy(c.g.p, c.g.p + 3, gate.p);
  std::copy(c.g.pp, c.g.pp + 6, gate.pp);
  // Who is claimed competes for plots as if it were there: that is what the plots are to show.
  double shown = k.claim >= 0 ? std::max(k.shown, set_.claim_odds) : k.shown;
  double seen = std::clamp(shown, 1e-6, 0.9999) * detection;
  gate.log_odds = std::log(seen / (1 - seen));
  gate.emitter = k.emitter;
  gate.crossing = k.origin == Origin::kCrossing;
  return cold.candidate;
}

/// The pair where the plot lies in the track's gate.
inline void Tracker::TryEdge(const Sensor& s, int look, int slot, double t) {
  int index = CandidateOf(slot, t, s.detection);
  if (index < 0 || static_cast<int>(edges_.size()) >= limits_.edges) return;
  const Gate& c = gates_[index];
  const Plot& p = plots_[look_[look].plot];
  // An emitter is known by its fingerprint: its bearings are of its own track or of one that has none yet.
  if (p.emitter >= 0 && p.emitter != c.emitter && (c.emitter >= 0 || c.crossing)) return;
  if (p.emitter < 0 && c.emitter >= 0 && c.crossing) return;
  double d2, log_det, dimensions;
  if (IsPlace(p.m.form)) {
    double y[3], sum[6], inverse[6];
    for (int i = 0; i < 3; i++) y[i] = p.m.z[i] - c.p[i];
    if (y[0] * y[0] > set_.gate * (c.pp[0] + p.m.r[0]) || y[1] * y[1] > set_.gate * (c.pp[3] + p.m.r[3])) return;
    for (int i = 0; i < 6; i++) sum[i] = c.pp[i] + p.m.r[i];
    if (!Invert(sum, inverse, log_det)) return;
    d2 = Quadratic(inverse, y);
    dimensions = 3;
  } else {
    Sight sight = SightOf(s, c.p);
    auto cross = [&](const double* a, const double* b) {
      double sum = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum += a[i] * c.pp[kSym[i][j]] * b[j];
      return sum;
    };
    double ya = WrapRadians(p.m.z[0] - sight.azimuth), saa = cross(sight.by_azimuth, sight.by_azimuth) + p.m.r[0];
    if (ya * ya > set_.gate * saa) return;
    if (p.m.form == Form::kBearing) {
      if (sight.range > s.range_most * 1.1) return;
      d2 = ya * ya / saa;
      log_det = std::log(saa);
      dimensions = 1;
    } else {
      bool angles = p.m.form == Form::kAngles;
      const double* row = angles ? sight.by_elevation : sight.by_range;
      double yb = angles ? p.m.z[1] - sight.elevation : p.m.z[2] - sight.range;
      double sbb = cross(row, row) + (angles ? p.m.r[3] : p.m.r[5]), sab = cross(sight.by_azimuth, row);
      double det = saa * sbb - sab * sab;
      if (!(det > 0)) return;
      d2 = (sbb * ya * ya - 2 * sab * ya * yb + saa * yb * yb) / det;
      log_det = std::log(det);
      dimensions = 2;
    }
  }
  double gate = dimensions == 3 ? set_.gate : dimensions == 2 ? set_.gate - 3 : set_.gate - 6;
  if (!(d2 <= gate)) return;
  double log_likelihood = -0.5 * (d2 + log_det + dimensions * kLogTwoPi);
  double cost = p.log_density - c.log_odds - log_likelihood;
  if (!(cost < 0)) return;
  look_[look].pairs++;
  edges_.push_back({index, look, cost, log_likelihood});
}

inline void Tracker::GatherEdges(const Sensor& s, double t) {
  double late = std::max(0.0, now_ - t);
  for (int i = 0; i < static_cast<int>(look_.size()); i++) {
    const Plot& p = plots_[look_[i].plot];
    if (IsPlace(p.m.form)) {
      double radius = std::sqrt(set_.gate * std::max(p.m.r[0], p.m.r[3])) + 30 * late;
      grid_.Near(p.m.z[0], p.m.z[1], radius, [&](int slot) { TryEdge(s, i, slot, t); });
    } else {
      for (int slot : live_) TryEdge(s, i, slot, t);
    }
  }
}

/// Splits the pairs into clusters that share no track and no plot, and assigns each for itself. A cluster that grows
/// beyond its cap is cut along its weakest pairs.
inline void Tracker::Assign() {
  int tracks = static_cast<int>(candidates_.size()), nodes = tracks + static_cast<int>(look_.size());
  int cap = static_cast<int>(set_.cluster_most);
  if (Cluster(nodes, tracks, nodes + 1) > cap) {
    std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) {
      return a.cost != b.cost ? a.cost < b.cost : a.candidate != b.candidate ? a.candidate < b.candidate : a.plot < b.plot;
    });
    Cluster(nodes, tracks, cap);
  }
  // Pairs of one cluster side by side: a counting sort by root.
  starts_.assign(nodes + 1, 0);
  for (const Edge& e : edges_) starts_[Root(e.candidate) + 1]++;
  for (int i = 0; i < nodes; i++) starts_[i + 1] += starts_[i];
  order_.resize(edges_.size());
  size_.assign(starts_.begin(), starts_.end());
  for (size_t i = 0; i < edges_.size(); i++) order_[size_[Root(edges_[i].candidate)]++] = static_cast<int>(i);
  for (int i = 0; i < tracks; i++) {
    int count = starts_[i + 1] - starts_[i];
    if (count > 0) AssignCluster(order_.data() + starts_[i], count);
  }
}

inline int Tracker::Root(int i) {
  while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
  return i;
}

/// Joins what pairs connect, drops the pairs that would make a cluster of more than `cap`; returns the largest size.
/// Roots are candidates.
inline int Tracker::Cluster(int nodes, int tracks, int cap) {
  parent_.resize(nodes);
  size_.assign(nodes, 1);
  for (int i = 0; i < nodes; i++) parent_[i] = i;
  int most = 0;
  size_t kept = 0;
  for (const Edge& e : edges_) {
    int a = Root(e.candidate), b = Root(tracks + e.plot);
    if (a != b) {
      if (size_[a] + size_[b] > cap) continue;
      parent_[b] = a;
      size_[a] += size_[b];
      most = std::max(most, size_[a]);
    }
    edges_[kept++] = e;
  }
  edges_.resize(kept);
  return most;
}

/// Of every plot and candidate the best pair that was not chosen.
inline void Tracker::FindRivals() {
  for (int i = 0; i < static_cast<int>(edges_.size()); i++) {
    const Edge& e = edges_[i];
    if (candidates_[e.candidate].edge == i) continue;
    candidates_[e.candidate].rival = std::min(candidates_[e.candidate].rival, e.cost);
    look_[e.plot].rival = std::min(look_[e.plot].rival, e.cost);
  }
}

inline void Tracker::AssignCluster(const int* edges, int count) {
  if (count == 1) {
    const Edge& e = edges_[edges[0]];
    candidates_[e.candidate].edge = edges[0];
    look_[e.plot].edge = edges[0];
    return;
  }
  int rows = 0, columns = 0;
  for (int i = 0; i < count; i++) {
    const Edge& e = edges_[edges[i]];
    if (candidates_[e.candidate].local < 0) candidates_[e.candidate].local = rows++;
    if (look_[e.plot].local < 0) look_[e.plot].local = columns++;
  }
  bool turned = rows > columns;
  int height = turned ? columns : rows, width = turned ? rows : columns;
  // Zero stands for "neither": the matrix is wide enough that whoever wants none finds one.
  cost_.assign(static_cast<size_t>(height) * width, 0.0);
  edge_of_.assign(static_cast<size_t>(height) * width, -1);
  for (int i = 0; i < count; i++) {
    const Edge& e = edges_[edges[i]];
    int r = candidates_[e.candidate].local, c = look_[e.plot].local;
    size_t cell = turned ? static_cast<size_t>(c) * width + r : static_cast<size_t>(r) * width + c;
    cost_[cell] = e.cost;
    edge_of_[cell] = edges[i];
  }
  picked_.assign(height, -1);
  assigner_.Solve(cost_.data(), height, width, picked_.data());
  for (int r = 0; r < height; r++) {
    int edge = picked_[r] < 0 ? -1 : edge_of_[static_cast<size_t>(r) * width + picked_[r]];
    if (edge < 0) continue;
    candidates_[edges_[edge].candidate].edge = edge;
    look_[edges_[edge].plot].edge = edge;
  }
}

inline void Tracker::CloseLook(int index) {
  Sensor& s = sensors_[index];
  s.open = false;
  double t = s.look_time;
  look_.clear();
  candidates_.clear();
  gates_.clear();
  edges_.clear();
  stamp_++;
  ConvertPlots(s);
  GatherEdges(s, t);
  Assign();
  FindRivals();
  Settle(s, index, t);
  for (LookPlot& p : look_) {
    plots_[p.plot].row = -1;
    plots_[p.plot].next = free_plot_;
    free_plot_ = p.plot;
  }
  s.first_plot = s.last_plot = -1;
}

inline void Tracker::Settle(Sensor& s, int, double t) {
  int strangers = 0;
  int count = static_cast<int>(candidates_.size());
  for (int i = 0; i < count; i++)
    if (candidates_[i].edge >= 0) SettleHit(s, i);
  Flock();
  // Not seeing counts for whatever was covered; of directions alone only what directions began.
  if (!s.rotating && s.expected >= 0) MissCovered(s, t, t);
  s.told_at = std::max(s.told_at, t);
  for (LookPlot& l : look_) {
    Plot& p = plots_[l.plot];
    if (l.edge >= 0) continue;
    strangers++;
    BeginFromPlot(s, p);
  }
  if (s.rotating) s.strangers += strangers;
  else if (s.expected >= 0) s.clutter = std::max(0.05, s.clutter + 0.02 * (strangers - s.clutter));
}

/// Many side by side, as fast as each other, fly as one: each takes the others' mean velocity for a hint of its own, so
/// that a plot given to the wrong one of them does not send it elsewhere. What is not in a crowd is not touched.
inline void Tracker::Flock() {
  flock_.clear();
  for (const Candidate& c : candidates_) {
    if (c.edge < 0 || look_[edges_[c.edge].plot].pairs < set_.flock_least) continue;
    const Track& k = tracks_[c.track];
    Hint hint{c.track, {}, {}};
    if (k.claim < 0 && k.life == Life::kConfirmed && MeanBeside(c.track, hint)) flock_.push_back(hint);
  }
  for (const Hint& hint : flock_) {
    Track& k = tracks_[hint.track];
    for (Gaussian& g : k.imm.model) UpdateVelocity(g, hint.v, hint.r);
    if (cold_[hint.track].last >= 0) history_[cold_[hint.track].last].after = k.imm;
  }
}

/// The mean velocity of those around a track; false where they are few, or fly each their own way.
inline bool Tracker::MeanBeside(int slot, Hint& hint) const {
  Gaussian own, g;
  Combined(tracks_[slot].imm, own);
  double square = 0, reach2 = set_.flock_m * set_.flock_m;
  int count = 0;
  grid_.Near(own.p[0], own.p[1], set_.flock_m, [&](int other) {
    const Track& o = tracks_[other];
    if (other == slot || o.claim >= 0 || o.life != Life::kConfirmed || std::fabs(tracks_[slot].t - o.t) > 2) return;
    Combined(o.imm, g);
    double d2 = 0;
    for (int i = 0; i < 3; i++) d2 += (g.p[i] - own.p[i]) * (g.p[i] - own.p[i]);
    if (d2 > reach2) return;
    count++;
    for (int i = 0; i < 3; i++) {
      hint.v[i] += g.v[i];
      square += g.v[i] * g.v[i];
    }
  });
  if (count < set_.flock_least) return false;
  double spread = square / count;
  for (double& v : hint.v) {
    v /= count;
    spread -= v * v;
  }
  if (spread > set_.flock_spread_mps * set_.flock_spread_mps) return false;
  hint.r[0] = hint.r[3] = hint.r[5] = set_.flock_sd_mps * set_.flock_sd_mps + std::max(spread, 0.0) / count;
  return true;
}

/// Whether other pairs explain the plot or the track nearly as well as this one.
inline bool Tracker::IsDoubtful(const Edge& e) const {
  double rival = std::min(look_[e.plot].rival, candidates_[e.candidate].rival);
  return rival < e.cost + set_.doubt_margin;
}

inline void Tracker::SettleHit(Sensor& s, int index) {
  Candidate& c = candidates_[index];
  const Edge& e = edges_[c.edge];
  Plot& p = plots_[look_[e.plot].plot];
  Track& k = tracks_[c.track];
  TrackCold& cold = cold_[c.track];
  double ratio = std::exp(std::clamp(e.log_likelihood - p.log_density, -10.0, 25.0)) * s.detection;
  dunlin::Weigh(k, ratio);
  // Of several aircraft that tell where they are, a plot that may be of either moves neither: their word is better.
  bool moves = k.claim < 0 || !IsDoubtful(e);
  if (moves) Calibrate(s, p, c);
  bool flat = p.m.form == Form::kPlane || p.m.form == Form::kBearing;
  if (flat && !k.height_known) p.m.r[1] = 4 * kAssumedHeightSdM * kAssumedHeightSdM;
  if (p.m.form == Form::kPlace || p.m.form == Form::kAngles) k.height_known = true;
  if (p.m.form == Form::kFix) k.height_known |= p.height_known;
  if (moves && k.claim >= 0) Shadow(claims_[k.claim], p.m);
  if (moves) Observe(c.track, p.m, static_cast<uint64_t>(p.sequence), p.m.t == c.t && p.m.t >= k.t ? &c.imm : nullptr);
  Heard(c.track, p.received);
  if (cold.plotted_by == p.m.sensor && k.life == Life::kConfirmed && !s.headed) s.LearnRevisit(p.m.t - cold.plotted);
  cold.plotted_by = p.m.sensor;
  cold.plotted = std::max(cold.plotted, p.m.t);
  cold.plots++;
  if (k.claim >= 0) {
    claims_[k.claim].misses = 0;
    Judge(claims_[k.claim], k);
  }
  answers_.push_back({p.sequence, p.received, k.number, p.m.sensor, p.row});
  if (k.life != Life::kTentative) return;
  bool alone = k.claim >= 0 || StandsBeside(index);
  if (!alone || k.Existence() <= set_.confirm_existence || !HasHits(c.track, set_.confirm_hits)) return;
  if (k.origin == Origin::kCrossing && k.emitter < 0 && k.hits < set_.bearing_hits) return;
  Confirm(candidates_[index].track);
}

/// Whether an anonymous track is more than the shadow of an aircraft that tells where it is: near one of those it must
/// have been seen beside it, each with a plot of its own in the same look.
inline bool Tracker::StandsBeside(int index) {
  const Candidate c = candidates_[index];
  bool crowded = false, apart = true;
  grid_.Near(c.g.p[0], c.g.p[1], 3 * std::sqrt(std::max(c.g.pp[0], c.g.pp[3])) + set_.slack_m, [&](int slot) {
    const Track& k = tracks_[slot];
    if (k.claim < 0 || slot == c.track || !k.placed || k.life == Life::kResting) return;
    int other = CandidateOf(slot, c.t, 0.9);
    if (other < 0) return;
    const Candidate& o = candidates_[other];
    if (DistanceTo(o.g, c.g.p, c.g.pp, set_.slack_m) > set_.beside_gate) return;
    crowded = true;
    if (o.edge < 0) apart = false;
  });
  if (!crowded) return true;
  if (apart) cold_[c.track].beside++;
  return cold_[c.track].beside >= set_.beside_looks;
}

/// The sensor looked at `t`; what it covers and has not seen since `since` is a little less likely there.
inline void Tracker::MissCovered(Sensor& s, double t, double since) {
  for (size_t i = 0; i < live_.size(); i++) {
    int slot = live_[i];
    Track& k = tracks_[slot];
    if (!k.placed || k.life == Life::kResting || (!s.covers && k.origin != Origin::kCrossing)) continue;
    TrackCold& cold = cold_[slot];
    bool swept = s.rotating || !s.headed;
    if (swept ? cold.plotted >= since || cold.born > since : cold.stamp == stamp_ && cold.candidate >= 0 && candidates_[cold.candidate].edge >= 0)
      continue;
    if (cold.born > t) continue;
    const Gaussian& g = k.imm.model[0];
    double dt = t - k.t, p[3];
    for (int a = 0; a < 3; a++) p[a] = g.p[a] + g.v[a] * dt;
    if (!Covers(s, p, std::sqrt(std::max(g.pp[0], g.pp[3])))) continue;
    Age(k, t, IsClaimed(k, t), set_);
    dunlin::Weigh(k, 1 - s.detection);
    if (k.life == Life::kConfirmed) cold.dirty = true;
    if (k.claim >= 0) {
      claims_[k.claim].misses++;
      Judge(claims_[k.claim], k);
    }
  }
}

inline void Tracker::BeginFromPlot(Sensor& s, Plot& p) {
  if (p.m.form == Form::kPlane) {
    // A slant range without a height: taken as flying low, and said to be unsure.
    Measurement m = p.m;
    double range = std::max(m.z[2], 2 * kAssumedHeightM), sd = kAssumedHeightSdM / range;
    m.z[1] = std::asin(kAssumedHeightM / range);
    m.r[1] = 0;
    m.r[3] = sd * sd;
    m.form = Form::kPlace;
    PlaceOfPolar(s, m);
    int slot = Begin(m, Origin::kPlot, p.received);
    if (slot < 0) return;
    Track& k = tracks_[slot];
    k.shown = set_.birth_least;
    k.hidden = 0;
    Heard(slot, p.received);
    cold_[slot].plots = 1;
    cold_[slot].plotted = p.m.t;
    answers_.push_back({p.sequence, p.received, k.number, p.m.sensor, p.row});
    return;
  }
  if (p.m.form == Form::kBearing) TakeStray(p);
  if (!IsPlace(p.m.form)) {
    answers_.push_back({p.sequence, p.received, 0, p.m.sensor, p.row});
    return;
  }
  int slot = Begin(p.m, Origin::kPlot, p.received);
  if (slot < 0) return;
  Track& k = tracks_[slot];
  k.height_known = p.m.form == Form::kPlace || p.height_known;
  k.shown = std::clamp(set_.birth_density / (set_.birth_density + p.density), set_.birth_least, set_.birth_most);
  k.hidden = 0;
  Heard(slot, p.received);
  cold_[slot].plots = 1;
  cold_[slot].plotted = p.m.t;
  answers_.push_back({p.sequence, p.received, k.number, p.m.sensor, p.row});
}

/// Learns a radar's offset from a plot of an aircraft that tells its own place.
inline void Tracker::Calibrate(Sensor& s, const Plot& p, const Candidate& c) {
  const Track& k = tracks_[c.track];
  if (p.m.form != Form::kPlace && p.m.form != Form::kPlane) return;
  if (k.claim < 0 || k.life != Life::kConfirmed || claims_[k.claim].verdict == Verdict::kSuspect) return;
  if (c.t - claims_[k.claim].heard > 3) return;
  Sight sight = SightOf(s, c.g.p);
  auto spread = [&](const double* a) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) sum += a[i] * c.g.pp[kSym[i][j]] * a[j];
    return sum;
  };
  double sa = p.sd_azimuth * p.sd_azimuth, sr = p.sd_range * p.sd_range;
  s.registration.Learn(WrapRadians(p.raw[0] - sight.azimuth), p.raw[2] - sight.range, sa + spread(sight.by_azimuth),
                       sr + spread(sight.by_range), set_);
}

}  // namespace dunlin
