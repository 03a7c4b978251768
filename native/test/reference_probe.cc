// Lets a test call single functions of the tracker. A request is a line with a name and numbers; the answer is a line
// with the resulting numbers. Functions that need a sensor use the one that the last request "sensor" declared.
#include <cstdio>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "numbers.h"

namespace {

using namespace dunlin;

Sensor sensor;
const Settings settings;
Decays decays;

void AskSensor(Numbers& in, Numbers& out) {
  double site[3], columns[kSensorWidth];
  in.Read(site, 3);
  in.Read(columns, kSensorWidth);
  sensor = Sensor{};
  Configure(sensor, Frame::At(site[0], site[1], site[2]), columns);
  out.Write(sensor.at.data(), 3);
  out.Write(sensor.to_site.data(), 9);
}
void AskPredict(Numbers& in, Numbers& out) {
  double dt = in.Next(), q = in.Next(), up[3];
  in.Read(up, 3);
  Gaussian g = ReadGaussian(in);
  Predict(g, dt, q, up);
  Write(out, g);
}
double LogLikelihood(const Fit& fit, int numbers) {
  return -0.5 * (fit.distance2 + std::log(fit.det) + numbers * std::log(kTwoPi));
}
template <Fit (*Update)(Gaussian&, const double*, const Sym3&)>
void AskUpdate(Numbers& in, Numbers& out) {
  double z[3], r[6];
  in.Read(z, 3);
  in.Read(r, 6);
  Gaussian g = ReadGaussian(in);
  out.Write(LogLikelihood(Update(g, z, r), 3));
  Write(out, g);
}
/// Writes the share of the state's information that is kept, the logarithm of the report's likelihood, and the updated
/// state.
void AskIntersect(Numbers& in, Numbers& out) {
  double z[3], r[6], v[3], rv[6];
  bool moving = in.Next() == 1;
  in.Read(z, 3);
  in.Read(r, 6);
  in.Read(v, 3);
  in.Read(rv, 6);
  Gaussian g = ReadGaussian(in);
  Sym6 report;
  out.Write(InformationOf(r, rv, moving, report) ? KeptShare(g, report, moving) : -1);
  out.Write(LogLikelihood(Intersect(g, z, r, v, rv, moving), moving ? 6 : 3));
  Write(out, g);
}
void AskUpdateAlongRow(Numbers& in, Numbers& out) {
  double h[3];
  in.Read(h, 3);
  double y = in.Next(), r = in.Next();
  Gaussian g = ReadGaussian(in);
  out.Write(LogLikelihood(UpdateAlongRow(g, h, y, r), 1));
  Write(out, g);
}
void AskBlend(Numbers& in, Numbers& out) {
  double w = in.Next();
  Imm imm;
  for (int i : {0, 1}) SetModel(imm, i, ReadGaussian(in));
  Gaussian both;
  Blend(imm.both, w, both);
  Write(out, both);
}
void AskPredictImm(Numbers& in, Numbers& out) {
  double dt = in.Next();
  Imm imm = ReadImm(in), moved;
  PredictImm(imm, dt, settings, decays, moved);
  Write(out, moved);
}
void AskUpdateImm(Numbers& in, Numbers& out) {
  Measurement m = ReadMeasurement(in);
  Imm imm = ReadImm(in);
  out.Write(UpdateImm(imm, m, &sensor, settings));
  Write(out, imm);
}
void AskPlaceOfPolar(Numbers& in, Numbers& out) {
  Measurement m = ReadMeasurement(in);
  PlaceOfPolar(sensor, m);
  out.Write(m.z, 3);
  out.Write(m.r, 6);
}
void AskSightOf(Numbers& in, Numbers& out) {
  double p[3];
  in.Read(p, 3);
  Sight s = SightOf(sensor, p);
  out.Write(s.azimuth);
  out.Write(s.elevation);
  out.Write(s.range);
  out.Write(s.by_azimuth, 3);
  out.Write(s.by_elevation, 3);
  out.Write(s.by_range, 3);
}
void AskCovers(Numbers& in, Numbers& out) {
  double p[3];
  in.Read(p, 3);
  out.Write(Covers(sensor, p, in.Next()));
}
void AskAssign(Numbers& in, Numbers& out) {
  int rows = in.NextInt(), columns = in.NextInt();
  std::vector<double> cost(static_cast<size_t>(rows) * columns);
  in.Read(cost.data(), rows * columns);
  std::vector<int> column_of(rows, -1);
  static Assigner assigner(64);
  assigner.Solve(cost.data(), rows, columns, column_of.data());
  for (int column : column_of) out.Write(column);
}
void AskAge(Numbers& in, Numbers& out) {
  Track k{};
  double t = in.Next();
  bool claimed = in.Next() == 1;
  k.shown = in.Next();
  k.hidden = in.Next();
  Age(k, t, claimed, settings, decays);
  out.Write(k.shown);
  out.Write(k.hidden);
}
void AskWeigh(Numbers& in, Numbers& out) {
  Track k{};
  double ratio = in.Next();
  k.shown = in.Next();
  k.hidden = in.Next();
  Weigh(k, ratio);
  out.Write(k.shown);
  out.Write(k.hidden);
}
/// Reads plots of one radar: differences from the track in azimuth and range, then their variances. Writes the learnt
/// registration.
void AskLearn(Numbers& in, Numbers& out) {
  Registration reg;
  for (int left = in.NextInt(); left > 0; left--) {
    double plot[4];
    in.Read(plot, 4);
    reg.Learn(plot[0], plot[1], plot[2], plot[3], settings);
  }
  for (double value : {reg.azimuth, reg.range, reg.aa, reg.ar, reg.rr, reg.plots}) out.Write(value);
  out.Write(reg.AppliesAzimuth(settings));
  out.Write(reg.AppliesRange(settings));
}
/// Reads entries (track, kind, e, n, reach): a reach of −1 removes the track, −2 only changes its kind. Then reads
/// searches (kind, e, n, radius), and writes for each the number of visited tracks and the tracks.
void AskGrid(Numbers& in, Numbers& out) {
  Grid grid(in.NextInt());
  for (int left = in.NextInt(); left > 0; left--) {
    int track = in.NextInt();
    Grid::Kind kind = static_cast<Grid::Kind>(in.NextInt());
    double put[3];
    in.Read(put, 3);
    if (put[2] == -2) grid.SetKind(track, kind);
    else if (put[2] == -1) grid.Remove(track);
    else grid.Put(track, put[0], put[1], put[2], kind);
  }
  for (int left = in.NextInt(); left > 0; left--) {
    Grid::Kind kind = static_cast<Grid::Kind>(in.NextInt());
    double asked[3];
    in.Read(asked, 3);
    size_t count = out.list.size();
    out.Write(0.0);
    grid.Near(kind, asked[0], asked[1], asked[2], [&](int track) { out.Write(track); });
    out.list[count] = static_cast<double>(out.list.size() - count - 1);
  }
}
/// Reads a gate, the plots of a scan (z, r), then tracks (p, pp). Writes for each track the number of visited plots and
/// the plots.
void AskPolarIndex(Numbers& in, Numbers& out) {
  double gate = in.Next(), place[3], spread[6];
  auto next_sight = [&] {
    in.Read(place, 3);
    in.Read(spread, 6);
    return GroundSightOf(sensor, place, spread);
  };
  int plots = in.NextInt();
  PolarIndex index(plots);
  index.Clear();
  for (int i = 0; i < plots; i++) {
    GroundSight sight = next_sight();
    index.Add(GroundPlotOf(i, place, spread), sight);
  }
  index.Build();
  for (int left = in.NextInt(); left > 0; left--) {
    size_t count = out.list.size();
    out.Write(0.0);
    index.ForEach(index.ReachOf(next_sight(), gate), [&](const GroundPlot& plot) { out.Write(plot.plot); });
    out.list[count] = static_cast<double>(out.list.size() - count - 1);
  }
}
void AskToSite(Numbers& in, Numbers& out) {
  double site[3], place[3];
  in.Read(site, 3);
  in.Read(place, 3);
  Frame frame = Frame::At(site[0], site[1], site[2]);
  Vec3 at = frame.FromGeodetic(place[0], place[1], place[2]), back = frame.ToGeodetic(at);
  out.Write(at.data(), 3);
  out.Write(back.data(), 3);
}

using Ask = void (*)(Numbers&, Numbers&);
const std::map<std::string, Ask> kAsks = {
    {"sensor", AskSensor},
    {"predict", AskPredict},
    {"position", AskUpdate<UpdatePosition>},
    {"velocity", AskUpdate<UpdateVelocity>},
    {"intersect", AskIntersect},
    {"row", AskUpdateAlongRow},
    {"blend", AskBlend},
    {"predict_imm", AskPredictImm},
    {"update_imm", AskUpdateImm},
    {"polar", AskPlaceOfPolar},
    {"sight", AskSightOf},
    {"covers", AskCovers},
    {"assign", AskAssign},
    {"age", AskAge},
    {"weigh", AskWeigh},
    {"learn", AskLearn},
    {"grid", AskGrid},
    {"polar_index", AskPolarIndex},
    {"to_site", AskToSite},
};

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    size_t space = line.find(' ');
    auto ask = kAsks.find(line.substr(0, space));
    if (ask == kAsks.end()) {
      std::fprintf(stderr, "there is no request %s\n", line.substr(0, space).c_str());
      return 1;
    }
    Numbers in = NumbersOf(line.c_str() + (space == std::string::npos ? line.size() : space)), out;
    ask->second(in, out);
    for (double value : out.list) std::printf("%.17g ", value);
    std::printf("\n");
  }
}
