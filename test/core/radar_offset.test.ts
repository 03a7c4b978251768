import t from 'tap';
import { serial } from '../support/core/observation.ts';
import { circling } from '../support/sky/flight.ts';
import { SiteAxes } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const site = new SiteAxes(46.2, 6.1, 400);

for (let seed = 1; seed <= 5; seed++) {
  t.test(`a radar that was set up askew is found out, the one that stands well is not (seed ${seed})`, async (t) => {
    const sky = new Sky(site, seed);
    const well = sky.eye([0, 0, 10]);
    const askew = sky.eye([-800, 500, 10], { offset: { azimuthDeg: 1.5, rangeM: 25 } });
    const ear = sky.ear();
    const flights = Array.from({ length: 5 }, (_, i) =>
      circling([1_500 * Math.sin(i * 1.2), 1_500 * Math.cos(i * 1.2), 100 + 15 * i], 300, 12 + i),
    );
    const voices = flights.map((_, i) => sky.voice(ear, [serial(`S-${i}`)]));
    for (let s = 0; s < 120; s++) {
      sky.look(well, s, flights);
      sky.look(askew, s + 0.5, flights);
      for (const [i, flight] of flights.entries())
        if (voices[i]) sky.claim(voices[i], s + i / 5, flight, sky.between(0.1, 1));
    }
    const watched = new WatchedSky(sky);
    for (let s = 1; s <= 120; s++) watched.until(s);
    const told = (index: number) =>
      watched.offsets.filter(({ sensorId }) => sensorId === sky.sensors[index]?.id).at(-1);
    const { azimuthDeg = Number.NaN, rangeM = Number.NaN } = told(askew.index) ?? {};
    t.ok(Math.abs(azimuthDeg - 1.5) < 0.4, `${azimuthDeg} deg is 1.5`);
    t.ok(Math.abs(rangeM - 25) < 8, `${rangeM} m is 25`);
    const none = told(well.index) ?? { azimuthDeg: 0, rangeM: 0 };
    t.ok(
      Math.abs(none.azimuthDeg) < 0.4 && Math.abs(none.rangeM) < 8,
      `${none.azimuthDeg} deg, ${none.rangeM} m is none`,
    );
    t.equal(watched.confirmed().length, 5, 'and each aircraft is one track');
  });
}
