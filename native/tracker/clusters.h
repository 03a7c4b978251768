// Which plot is whose: pairs in clusters that share nothing, each assigned at the least cost.
#pragma once

#include "tracker.h"

namespace dunlin {

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

/// Tells every candidate and its track that it has a plot, so that who settles it need not go from pair to plot; and of
/// every plot and candidate keeps the best pair that was not chosen.
inline void Tracker::KeepChosen() {
  for (int i = 0; i < static_cast<int>(edges_.size()); i++) {
    const Edge& e = edges_[i];
    Candidate& c = candidates_[e.candidate];
    LookPlot& l = look_[e.plot];
    if (c.edge == i) {
      c.cost = e.cost;
      c.plot = l.plot;
      seen_[c.track] = stamp_;
    } else {
      c.rival = std::min(c.rival, e.cost);
      l.rival = std::min(l.rival, e.cost);
    }
  }
}

}  // namespace dunlin
