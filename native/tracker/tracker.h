// The multi-sensor tracker: packed observations in, tracks out. Everything happens in order of arrival; time comes with
// the input, and what is due at a time (closing a scan, ending a silent track) happens at that time however the input is
// cut into batches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "assignment.h"
#include "claim.h"
#include "gate.h"
#include "grid.h"
#include "history.h"
#include "measurement.h"
#include "observation.h"
#include "outcome.h"
#include "polar_index.h"
#include "sensor.h"
#include "track.h"

namespace dunlin {

struct Crossing;

/// Who passes over all tracks reads a little of each, far apart: what is read so many on is asked for ahead.
inline constexpr size_t kLiveAhead = 16;

struct Limits {
  int tracks = 2000, claims = 4000, sensors = 64, history = 16000, plots = 8192, edges = 65536;
};

/// The likeliest of several tracks, and how far the next likeliest is behind.
struct Nearby {
  int slot = -1;
  double least = 1e18, second = 1e18;  // squared Mahalanobis distances

  /// The likeliest where it lies within `gate` and no other comes within `margin`; else −1.
  int Sure(double gate, double margin) const { return least < gate && second - least > margin ? slot : -1; }
};

class Tracker {
 public:
  Tracker(const Settings& settings, const Limits& limits, const Frame& site, uint32_t last_number)
      : set_(settings), limits_(limits), site_(site), last_number_(last_number), tracks_(new Track[limits.tracks]),
        cold_(limits.tracks), courses_(limits.tracks), claims_(limits.claims), sensors_(limits.sensors), history_(limits.history),
        grid_(limits.tracks), plot_grid_(limits.plots), polar_(limits.plots),
        assigner_(static_cast<int>(std::clamp(settings.cluster_most, 2.0, 1024.0)) + 1) {
    set_.cluster_most = std::clamp(set_.cluster_most, 2.0, 1024.0);
    for (int i = limits.tracks - 1; i >= 0; i--) {
      tracks_[i].life = Life::kFree;
      free_.push_back(i);
    }
    candidates_.reserve(limits.tracks);
    states_.resize(limits.tracks);
    seen_.resize(limits.tracks);
    plots_.reserve(limits.plots);
    edges_.reserve(limits.edges);
    answers_.reserve(limits.plots * 4);
    ends_.reserve(limits.tracks * 2);
    partings_.reserve(limits.claims);
    live_.reserve(limits.tracks);
    silent_.reserve(limits.tracks);
    due_rows_.reserve(limits.tracks);
    flock_.reserve(limits.tracks);
    gates_.reserve(limits.tracks);
    for (auto* scratch : {&parent_, &size_, &starts_, &picked_})
      scratch->reserve(static_cast<size_t>(limits.tracks) + limits.plots + 1);
    order_.reserve(limits.edges);

    look_.reserve(limits.plots);
    aims_.reserve(limits.plots);
    cost_.reserve(static_cast<size_t>(set_.cluster_most * set_.cluster_most));
    edge_of_.reserve(cost_.capacity());
  }

  const Frame& site() const { return site_; }
  Settings& settings() { return set_; }

  /// Moves the axes of the site; false where a track stands in them already. Sensors are to be set anew.
  bool SetSite(const Frame& site) {
    for (int slot : live_)
      if (tracks_[slot].placed) return false;
    site_ = site;
    return true;
  }

  void SetSensor(int index, const double* columns) {
    if (index < 0 || index >= limits_.sensors) return;
    sensors_used_ = std::max(sensors_used_, index + 1);
    Sensor& sensor = sensors_[index];
    bool same = std::memcmp(sensor.told, columns, sizeof sensor.told) == 0 && sensor.site == site_.origin;
    if (same) return;
    if (sensor.open) CloseLook(index);
    // Somewhere else, what was learnt of it is of no use.
    if (std::memcmp(sensor.told, columns, 3 * sizeof(double)) != 0) sensor = Sensor{};
    std::memcpy(sensor.told, columns, sizeof sensor.told);
    sensor.site = site_.origin;
    Configure(sensor, site_, columns);
    radars_ = 0;
    longest_period_ = 0;
    for (int i = 0; i < sensors_used_; i++) {
      const Sensor& s = sensors_[i];
      radars_ += s.radar;
      if (s.covers) longest_period_ = std::max(longest_period_, s.period);
    }
  }

  /// Takes in `count` observations, then lets time pass until `now`.
  void Step(const double* rows, size_t count, double now) {
    for (size_t i = 0; i < count; i++) {
      const double* o = rows + i * kColumns;
      row_ = static_cast<int32_t>(i);
      if (std::isfinite(o[kColReceived])) Advance(o[kColReceived]);
      Take(o);
    }
    row_ = -1;
    if (std::isfinite(now)) Advance(now);
  }

  /// A track of an earlier run: known by its claim alone, without a place. False where there is no room.
  bool Restore(uint32_t number, int32_t claim, double heard);
  /// Two claims turn out to be one: what `from` has goes to `into`.
  void JoinClaims(int32_t from, int32_t into);
  /// The number is given to somebody else.
  void ForgetClaim(int32_t claim);
  /// Ends a track at a person's word; false where there is none.
  bool Drop(uint32_t number);
  /// At a person's word two tracks are one aircraft, called `into`; false where one is not there or both are claimed.
  bool Merge(uint32_t number, uint32_t into);
  /// How many tracks are to be told anew. See report.h.
  size_t Due();
  /// Writes rows of those, as of `now`; returns how many. Where there are more than `most`, all whose number is among the
  /// `urgent`, which are in order, and as many others as there is room for; what was passed over goes first the next time.
  size_t Report(double now, const double* leads, int lead_count, const double* urgent, size_t urgent_count, size_t most,
                double* out);
  double Confidence(int slot, double now, const Gaussian& g) const;
  /// When something becomes due by itself, s.
  double due() const { return std::min(due_, swept_ + 0.25); }

  const std::vector<Answer>& answers() const { return answers_; }
  const std::vector<End>& ends() const { return ends_; }
  const std::vector<Parting>& partings() const { return partings_; }
  void Told() {
    answers_.clear();
    ends_.clear();
    partings_.clear();
  }
  double now() const { return now_; }
  int capacity() const { return limits_.tracks; }
  const std::vector<int>& live() const { return live_; }
  const Track& track(int slot) const { return tracks_[slot]; }
  const TrackCold& cold(int slot) const { return cold_[slot]; }
  const Claim& claim(int i) const { return claims_[i]; }
  /// What was learnt of a sensor: azimuth offset (deg) and range offset (m) as far as they are applied, plots learnt
  /// from, false plots a look.
  bool SensorLearnt(int i, double* out) const {
    if (i < 0 || i >= limits_.sensors) return false;
    const Registration& reg = sensors_[i].registration;
    out[0] = reg.AppliesAzimuth(set_) ? reg.azimuth / kDegree : 0;
    out[1] = reg.AppliesRange(set_) ? reg.range : 0;
    out[2] = reg.plots;
    out[3] = sensors_[i].clutter;
    return true;
  }
  const Sensor& sensor(int i) const { return sensors_[i]; }
  uint64_t rejected() const { return rejected_; }

  /// The state of a track as of `t`, both models together.
  Gaussian At(int slot, double t) const {
    Imm imm;
    PredictImm(tracks_[slot].imm, t - tracks_[slot].t, set_, decays_, imm);
    Gaussian g;
    Combined(imm, g);
    return g;
  }

 private:
  struct Plot {
    Measurement m;
    double signal;    // dBm
    double raw[3];    // azimuth rad, elevation rad, range m, as told
    double sequence, received;
    double density;   // false plots per unit of what is measured, at this place
    int32_t emitter;
    bool height_known;
    double azimuth_variance, range_variance;  // as declared, rad² and m²
    int32_t next;     // of the same look, −1 at its end
  };
  struct LookPlot {
    int plot, edge, local;
    double rival;  // cost of the best pair that was not chosen
    int pairs;     // tracks that it may be of
  };
  /// A track that may have plots in the look at hand; its state then lies in states_, its place in gates_.
  struct Candidate {
    double t;
    int track;
    int edge = -1;      // that was chosen for it, −1 for none
    double cost = 0;    // of that; known once KeepChosen was called, as what follows
    int plot = -1;      // of that, its place among plots_
    int local = -1;
    double rival = 0;   // cost of the best pair that was not chosen
  };
  /// What those around a track tell of its velocity.
  struct Hint {
    int track;
    double v[3];
    Sym3 r;
  };
  /// A bearing that no track explained.
  struct Bearing {
    int32_t sensor = -1, emitter = -1;
    double t = 0, azimuth = 0, variance = 0, sequence = 0;
  };
  static constexpr int kBearings = 64;
  /// A candidate and a plot by its place in the look, not weighed yet.
  struct Pairing {
    int candidate, plot;
  };
  static constexpr int kTogether = 16, kMostPairings = 256;
  struct Edge {
    int candidate, plot;
    double cost;  // −ln of how much likelier they are one than that neither is the other
  };

  // report.h: what is told of tracks
  void PassOver(const double* urgent, size_t urgent_count, size_t most);
  void Tell(int slot, double now, const double* leads, int lead_count, double* row, size_t width);

  // input.h: one observation after another, and what becomes due between them
  void Take(const double* o);
  void TakeLook(const double* o);
  void TakePlot(const double* o);
  void TakeWord(const double* o);
  void Answered(const double* o, uint32_t number);
  void Answered(const Plot& p, uint32_t number) {
    answers_.push_back({p.sequence, p.received, p.signal, number, p.m.sensor, -1});
  }
  void Advance(double now);
  bool ToMeasurement(const double* o, Plot& plot) const;
  void FixOf(const double* o, Measurement& m, bool& height_known) const;

  // looks.h: one look
  void CloseLook(int sensor);
  void ConvertPlots(Sensor& s);

  // gather.h: which plots may be of which tracks
  void GatherEdges(const Sensor& s, double t);
  bool IndexPlots(const Sensor& s);
  void GatherByTrack(const Sensor& s, double t);
  void GatherSighted(const Sensor& s, double t);
  void WeighPairings(Pairing* pairings, int count);
  int CandidateOf(int slot, double t, double detection);
  void TryEdge(const Sensor& s, int look, int candidate);
  void AddEdge(const Pairing& pair, const Fit& fit, double most);

  // clusters.h: which plot is whose
  void Assign();
  int Root(int i);
  int Cluster(int nodes, int tracks, int cap);
  void AssignCluster(const int* edges, int count);
  void KeepChosen();

  // settle.h: what a look means once it is assigned
  void Settle(Sensor& s, double t);
  void AskAhead(int candidate) const;
  void SettleHit(Sensor& s, int candidate);
  bool StandsBeside(int candidate);
  bool IsDoubtful(const Candidate& hit) const;
  void MissCovered(Sensor& s, double t, double since);
  void BeginFromPlot(Sensor& s, Plot& p);
  void Calibrate(Sensor& s, const Plot& p, int candidate);

  // flock.h: crowds that fly as one
  void Flock();
  bool MeanBeside(int slot, Hint& hint) const;

  // crossings.h: tracks from bearings alone
  uint32_t TakeStray(const Plot& p);
  bool Cross(const int* bearings, int count, Crossing& c) const;
  void Choose(const int* found, int count, int from, int* chosen, int size, int needed, int* best, int& best_size,
              Crossing& least, int& tries) const;

  // claims.h: those who say themselves where they are
  void TakeFix(const double* o);
  bool SpeaksForAnother(Claim& c, const double* o) const;
  void UseFix(int slot, Claim& c, Measurement& m, const double* o, bool height_known);
  void UseFixOn(int slot, Claim& c, Measurement& m, const double* o, bool height_known);

  // binding.h: which track a claim is
  Nearby Nearest(const Measurement& m, double slack, int except) const;
  int BindingFor(const Claim& c, const Measurement& m) const;
  bool ChangeOver(int claim, int slot, const Measurement& m, const Gaussian& own);
  void LookForDouble(int claim, int slot, const Measurement& m);
  void Join(int claim, int from, int into);
  int SlotOf(uint32_t number) const;
  void GiveTrack(int claim, int slot);
  void LeaveTrack(int claim);
  void SplitOff(int claim, const Measurement& m, bool height_known);

  // shadow.h: how far a claim is believed
  bool FreshShadow(const Claim& c, double t, Gaussian& at) const;
  void Shadow(Claim& c, const Measurement& m);
  void LearnNoise(int who, const Gaussian& truth, const Measurement& m);
  bool KeepsShadow(const Plot& p);
  bool FindShadowAgain(Claim& c, const Measurement& m);
  double SourceNoise(int sensor) const;
  void Judge(Claim& c, Track& k);

  // update.h: a track and its measurements, in time and late
  bool StateAt(int slot, double t, Imm& out) const;
  bool Learn(Imm& imm, const Measurement& m) const;
  bool Observe(int slot, const Measurement& m, uint64_t sequence, Imm* predicted);
  bool ObserveLate(int slot, const Measurement& m, uint64_t sequence);
  void Remember(int slot, const Measurement& m, uint64_t sequence);
  void Forget(int slot);

  // life.h: tracks begin, are confirmed, rest and go
  int Begin(const Measurement& m, Origin origin, double heard);
  int Open(Origin origin, double heard);
  void Place(int slot, const Measurement& m);
  void Chart(int slot);
  void Locate(int slot, double t);
  bool IsWithin(int slot, const double* place, double t, double metres) const;
  void SetClaim(int slot, int32_t claim);
  void Heard(int slot, double received);
  bool HasHits(int slot, double needed) const;
  bool HasPlot(int slot) const;
  void Confirm(int slot);
  void Stitch(int slot);
  bool IsClaimed(const Track& k, double t) const;
  void FallSilent(Track& k) const;
  State StateOf(const Track& k, double now) const;
  void Sweep(double now);
  void Rest(int slot);
  void Finish(int slot, EndReason reason, uint32_t into);
  void MakeRoom();

  Settings set_;
  mutable Decays decays_;
  Limits limits_;
  Frame site_;
  uint32_t last_number_;
  std::unique_ptr<Track[]> tracks_;
  std::vector<TrackCold> cold_;
  std::vector<Course> courses_;
  std::vector<Claim> claims_;
  std::vector<Sensor> sensors_;
  History history_;
  Grid grid_, plot_grid_;
  PolarIndex polar_;
  Assigner assigner_;
  std::vector<int> free_, live_, silent_, due_rows_;
  std::vector<Hint> flock_;
  std::vector<Candidate> candidates_;
  std::vector<Imm> states_;
  std::vector<Gate> gates_;
  std::vector<uint32_t> seen_;  // of each slot the last look that gave it a plot
  std::vector<Aim> aims_;
  std::vector<Plot> plots_;
  int32_t free_plot_ = -1;
  std::vector<Edge> edges_;
  Bearing bearings_[kBearings];
  int next_bearing_ = 0;
  std::vector<LookPlot> look_;
  std::vector<int> parent_, order_, size_, starts_, picked_, edge_of_;
  int sensors_used_ = 0;  // those beyond were never declared and never reported
  int radars_ = 0;
  double longest_period_ = 0;
  std::vector<double> cost_;
  std::vector<Answer> answers_;
  std::vector<End> ends_;
  std::vector<Parting> partings_;
  int32_t row_ = -1;
  double now_ = -1e18, swept_ = -1e18, due_ = 1e18;
  uint32_t stamp_ = 0;
  uint64_t rejected_ = 0;
};

}  // namespace dunlin

#include "binding.h"
#include "claims.h"
#include "clusters.h"
#include "crossings.h"
#include "flock.h"
#include "gather.h"
#include "input.h"
#include "life.h"
#include "looks.h"
#include "report.h"
#include "settle.h"
#include "shadow.h"
#include "update.h"
