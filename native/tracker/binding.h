// Which track a claim is: first contact, doubles, changing over, splitting off.
#pragma once

#include "distance.h"
#include "tracker.h"

namespace dunlin {

/// The anonymous confirmed track that is likeliest to be where and as fast as somebody says.
inline Nearby Tracker::Nearest(const Measurement& m, double slack, int except) const {
  Nearby found;
  // Who hardly knows where he is, is nobody in particular.
  if (std::max(m.r[0], m.r[3]) > set_.bind_sd_m * set_.bind_sd_m) return found;
  double radius = std::sqrt(set_.gate * std::max(m.r[0], m.r[3])) + 3 * slack + 30 * std::max(0.0, now_ - m.t);
  grid_.Near(Grid::kAnonymous, m.z[0], m.z[1], radius, [&](int slot) {
    const Track& k = tracks_[slot];
    if (slot == except || k.life == Life::kResting || !k.placed) return;
    Imm imm;
    if (!StateAt(slot, m.t, imm)) return;
    Gaussian g;
    Combined(imm, g);
    double d2 = DistanceTo(g, m.z, m.r, slack) + VelocityDistance(g, m);
    // What is not confirmed is no answer, and yet a reason for doubt.
    if (k.life == Life::kConfirmed && (d2 < found.least || (d2 == found.least && slot < found.slot))) {
      found.second = found.least;
      found.least = d2;
      found.slot = slot;
    } else if (d2 < found.second) {
      found.second = d2;
    }
  });
  return found;
}

/// The anonymous track that a claim first heard is without doubt: near, and no other nearly as near.
inline int Tracker::BindingFor(const Claim& c, const Measurement& m) const {
  if (c.authentic) return -1;
  return Nearest(m, set_.slack_m, -1).Sure(set_.bind_gate, set_.bind_margin);
}

/// A claim that fits an anonymous track beside its own better, report after report, was given to the wrong one of two
/// that fly side by side: it changes over. True where it did.
inline bool Tracker::ChangeOver(int index, int slot, const Measurement& m, const Gaussian& own) {
  Claim& c = claims_[index];
  Nearby other = Nearest(m, set_.slack_m, slot);
  if (other.slot < 0 || m.t - cold_[other.slot].plotted > set_.sensed_s) {
    c.change = 0;
    return false;
  }
  double mine = DistanceTo(own, m.z, m.r, set_.slack_m) + VelocityDistance(own, m);
  uint32_t number = tracks_[other.slot].number;
  if (c.change_to != number) c.change = 0;
  c.change_to = number;
  c.change = std::max(0.0, 0.9 * c.change + mine - other.least);
  if (c.change < set_.change_over) return false;
  LeaveTrack(index);
  GiveTrack(index, other.slot);
  partings_.push_back({index, tracks_[slot].number, number});
  return true;
}

/// A claim that sensors do not see where it says, beside an anonymous track that flies as it says: the same aircraft,
/// once that has held for some seconds.
inline void Tracker::LookForDouble(int index, int slot, const Measurement& m) {
  Claim& c = claims_[index];
  // Who was found to lie is not taken back because his way leads past somebody.
  if (m.t - c.parted < set_.parted_s) return;
  if (m.t - cold_[slot].plotted < 1.5 * longest_period_ && cold_[slot].plots > 0) {
    c.rival = 0;
    return;
  }
  int other = Nearest(m, 2 * set_.slack_m, slot).Sure(set_.merge_gate, set_.merge_margin);
  if (other < 0) {
    c.rival = 0;
    return;
  }
  uint32_t number = tracks_[other].number;
  if (c.rival != number) {
    c.rival = number;
    c.rival_since = m.t;
  }
  if (m.t - c.rival_since >= set_.merge_s) Join(index, slot, other);
}

/// The anonymous track `into` takes on the claim of `from`; the older name stays.
inline void Tracker::Join(int index, int from, int into) {
  Claim& c = claims_[index];
  Track &a = tracks_[from], &b = tracks_[into];
  Combined(b.imm, c.shadow);
  c.shadow_t = b.t;
  c.shadow_plots = cold_[into].plots;
  c.rival = 0;
  c.verdict = Verdict::kUnchecked;
  c.reasons = 0;
  bool older = a.life == Life::kConfirmed && a.number < b.number;
  uint32_t kept = older ? a.number : b.number, gone = older ? b.number : a.number;
  SetClaim(from, -1);
  SetClaim(into, index);
  c.track = into;
  b.hits += a.hits;
  b.heard = std::max(a.heard, b.heard);
  b.number = kept;
  a.number = gone;
  b.dirty = true;
  Finish(from, EndReason::kMerged, kept);
  Judge(c, b);
}

inline int Tracker::SlotOf(uint32_t number) const {
  for (int slot : live_)
    if (tracks_[slot].number == number) return slot;
  return -1;
}

/// What was heard last says where it is; the name that was asked for stays, and so does whoever claims to be it.
inline bool Tracker::Merge(uint32_t number, uint32_t into) {
  int kept = SlotOf(into), gone = SlotOf(number);
  if (kept < 0 || gone < 0 || kept == gone || (tracks_[kept].claim >= 0 && tracks_[gone].claim >= 0)) return false;
  if (tracks_[gone].placed && (!tracks_[kept].placed || tracks_[gone].heard > tracks_[kept].heard)) {
    std::swap(kept, gone);
    std::swap(tracks_[kept].number, tracks_[gone].number);
  }
  Track &k = tracks_[kept], &g = tracks_[gone];
  if (g.claim >= 0) {
    int claim = g.claim;
    g.claim = -1;
    if (k.placed) {
      GiveTrack(claim, kept);
    } else {
      k.claim = claim;
      claims_[claim].track = kept;
    }
  }
  if (k.life == Life::kTentative && g.life != Life::kTentative) k.life = Life::kConfirmed;
  k.hits += g.hits;
  k.heard = std::max(k.heard, g.heard);
  cold_[kept].plots += cold_[gone].plots;
  k.dirty = true;
  Finish(gone, EndReason::kMerged, into);
  return true;
}

/// Gives a claim an anonymous track, which is from now on what sensors alone see of it.
inline void Tracker::GiveTrack(int index, int slot) {
  Claim& c = claims_[index];
  SetClaim(slot, index);
  c.track = slot;
  Combined(tracks_[slot].imm, c.shadow);
  c.shadow_t = tracks_[slot].t;
  c.shadow_plots = cold_[slot].plots;
  c.error = {};
  c.samples = c.change = 0;
  c.noise = 1;
}

/// Takes a claim from its track, which is left as sensors alone see it.
inline void Tracker::LeaveTrack(int index) {
  Claim& c = claims_[index];
  Track& k = tracks_[c.track];
  SetClaim(c.track, -1);
  Forget(c.track);
  for (int i : {0, 1}) SetModel(k.imm, i, c.shadow);
  k.t = c.shadow_t;
  Measurement seen{};
  seen.form = Form::kPlace;
  seen.t = k.t;
  for (int i = 0; i < 3; i++) seen.z[i] = c.shadow.p[i];
  for (int i = 0; i < 6; i++) seen.r[i] = c.shadow.pp[i];
  Remember(c.track, seen, 0);
  Chart(c.track);
  Locate(c.track, now_);
  k.dirty = true;
  c.track = -1;
}

/// The claim has left what the sensors see: their track stays without it, the claim goes its own way under suspicion.
inline void Tracker::SplitOff(int index, const Measurement& m, bool height_known) {
  Claim& c = claims_[index];
  uint32_t left = tracks_[c.track].number;
  LeaveTrack(index);
  c.conflicts = 0;
  c.parted = m.t;
  c.shadow_plots = 0;
  c.error = {};
  c.noise = 1;
  c.samples = 0;
  c.verdict = Verdict::kSuspect;
  c.reasons |= kPositionDisagrees;
  int slot = Begin(m, Origin::kClaim, now_);
  c.track = slot;
  if (slot < 0) return;
  partings_.push_back({index, left, tracks_[slot].number});
  SetClaim(slot, index);
  tracks_[slot].height_known = height_known;
  Heard(slot, now_);
}

}  // namespace dunlin
