import type { Report } from '../../../src/core/integrity/report.ts';
import { randomFrom } from '../basics/random.ts';
import type { Flight } from '../sky/flight.ts';
import { SiteAxes } from '../sky/site_axes.ts';

const site = new SiteAxes(48.2, 16.37, 200);

export type Reporting = {
  seed: number;
  untilS: number;
  hz?: number;
  /** One standard deviation of the place, along each axis, of which most moves slowly, as of a real receiver. */
  noiseM?: number;
  /** Of the time from aircraft to us, at most. */
  delayS?: number;
  /** Delay of the reported velocity, s. */
  lagS?: number;
  /** The source's clock is ahead of ours by so much. */
  aheadS?: number;
};

/** Reports of an honest aircraft on a flight: noisy, rounded as Remote ID rounds, delayed, with a clock of its own. */
export function reportedFlight(flight: Flight, reporting: Reporting): Report[] {
  const { seed, untilS, hz = 1, noiseM = 3, delayS = 0.3, lagS = 0.5, aheadS = 0 } = reporting;
  const random = randomFrom(seed);
  const gauss = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const drift = [gauss() * noiseM, gauss() * noiseM];
  const reports: Report[] = [];
  for (let s = 0; s <= untilS; s += 1 / hz) {
    const { place } = flight(s);
    const { velocity } = flight(Math.max(0, s - lagS));
    const [e = 0, n = 0] = [0, 1].map((axis) => {
      drift[axis] = (drift[axis] ?? 0) * 0.98 + gauss() * noiseM * 0.2;
      return (place[axis] ?? 0) + (drift[axis] ?? 0) + gauss() * noiseM * 0.2;
    });
    const [latDeg, lonDeg] = site.toGeodetic([e, n, place[2]]);
    const speedMps = Math.round(Math.hypot(velocity[0], velocity[1]) * 4) / 4;
    const courseDeg = Math.round(((Math.atan2(velocity[0], velocity[1]) * 180) / Math.PI + 360) % 360) % 360;
    reports.push({
      receivedS: s + delayS * random(),
      sourceS: Math.round((s + aheadS) * 10) / 10,
      timeS: s,
      latDeg: Math.round(latDeg * 1e7) / 1e7,
      lonDeg: Math.round(lonDeg * 1e7) / 1e7,
      heightM: Math.round(place[2] * 2) / 2,
      speedMps,
      eastMps: speedMps * Math.sin((courseDeg * Math.PI) / 180),
      northMps: speedMps * Math.cos((courseDeg * Math.PI) / 180),
      climbMps: Math.round(velocity[2] * 2) / 2,
      sigmaM: noiseM,
      airborne: true,
      operatorLatDeg: 48.2,
      operatorLonDeg: 16.37,
    });
  }
  return reports;
}
