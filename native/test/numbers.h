// Lists of numbers in the form that a test sends and receives, and the tracker's states in this form.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../tracker/tracker.h"

namespace dunlin {

struct Numbers {
  std::vector<double> list;
  size_t at = 0;
  double Next() {
    if (at >= list.size()) {
      std::fprintf(stderr, "a request is too short\n");
      std::exit(1);
    }
    return list[at++];
  }
  int NextInt() { return static_cast<int>(Next()); }
  void Read(double* to, int count) {
    for (int i = 0; i < count; i++) to[i] = Next();
  }
  void Write(const double* from, int count) { list.insert(list.end(), from, from + count); }
  void Write(double value) { list.push_back(value); }
};

/// Reads a Gaussian: p, v, pp, pv, vv, 27 numbers.
inline Gaussian ReadGaussian(Numbers& in) {
  Gaussian g;
  in.Read(g.p, 3);
  in.Read(g.v, 3);
  in.Read(g.pp, 6);
  in.Read(g.pv, 9);
  in.Read(g.vv, 6);
  return g;
}
inline void Write(Numbers& out, const Gaussian& g) {
  out.Write(g.p, 3);
  out.Write(g.v, 3);
  out.Write(g.pp, 6);
  out.Write(g.pv, 9);
  out.Write(g.vv, 6);
}
inline Imm ReadImm(Numbers& in) {
  Imm imm;
  imm.calm = in.Next();
  imm.habit = in.Next();
  imm.climb = in.Next();
  imm.rising = in.Next();
  for (int i : {0, 1}) SetModel(imm, i, ReadGaussian(in));
  return imm;
}
inline void Write(Numbers& out, const Imm& imm) {
  out.Write(imm.calm);
  out.Write(imm.habit);
  out.Write(imm.climb);
  out.Write(imm.rising);
  for (int i : {0, 1}) Write(out, ModelOf(imm, i));
}
/// Reads a measurement: the form, then z, r, v, rv, 19 numbers.
inline Measurement ReadMeasurement(Numbers& in) {
  Measurement m{};
  m.form = static_cast<Form>(in.NextInt());
  in.Read(m.z, 3);
  in.Read(m.r, 6);
  in.Read(m.v, 3);
  in.Read(m.rv, 6);
  return m;
}

/// Returns the numbers of a line up to the first text that is not a number.
inline Numbers NumbersOf(const char* line) {
  Numbers numbers;
  for (char* end;; line = end) {
    double value = std::strtod(line, &end);
    if (end == line) return numbers;
    numbers.list.push_back(value);
  }
}

}  // namespace dunlin
