import t from 'tap';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';
import { heardOf, secondsOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky } from '../support/sky/driven_sky.ts';

const serial = '1581F5FKD2294B000001';
const mac = '60:60:1F:00:00:01';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const UNTIL_S = 40;
const AT_S = 20.5;
const path = winding({ lat: 47.05, lon: 8.3 }, 60, 12, UNTIL_S);
const far = { lat: 0, lon: -80.53 };

/** A flight told over so many radios by turns, and one report that a bit error put elsewhere. */
async function fly(
  sky: DrivenSky,
  { radios = 1, everyS = 1, untilS = UNTIL_S, place = far },
  each: (s: number) => void,
): Promise<void> {
  const macs = Array.from({ length: radios }, (_, i) => `${mac.slice(0, -1)}${i + 1}`);
  const heard = macs.flatMap((radio, i) =>
    heardOf({ mac: radio, serial, beginMs, path, fromS: (i * everyS) / radios, untilS, everyS }),
  );
  const { courseDeg, speedMps } = path(AT_S);
  const aircraft = new Aircraft({ mac, serial, from: place, courseDeg: Math.round(courseDeg), speedMps });
  const garbled = { ...aircraft.location(0), secondsAfterHour: secondsOf(beginMs + AT_S * 1000) };
  const bytes = new MavlinkReceiver().pack(aircraft, [garbled]);
  await sky.pass(beginMs + UNTIL_S * 1000, [...heard, { atMs: beginMs + (AT_S + 0.2) * 1000, bytes }], () =>
    each((sky.nowMs - beginMs) / 1000),
  );
}

for (const [name, how] of [
  ['one radio', {}],
  ['two radios', { radios: 2 }],
  ['one radio that sends each 4 s', { everyS: 4 }],
  ['one radio, some hundred metres aside', { place: placeAt(path(AT_S).place, 10, 400) }],
] as const) {
  t.test(`one garbled report of an aircraft with ${name} is counted and is no place`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    sky.ours('Heron', serial);
    let worstM = 0;
    await fly(sky, how, (s) => {
      const tracks = sky.tracks();
      if (s < 10) return;
      t.equal(tracks.length, 1);
      t.match(tracks[0], { state: 'confirmed', integrity: { verdict: 'unchecked', reasons: [] }, flags: [] });
      if (!tracks[0]?.position) return;
      const shownS = (Date.parse(tracks[0].updated_at) - beginMs) / 1000;
      worstM = Math.max(worstM, metresBetween(tracks[0].position, path(shownS).place));
    });
    t.ok(worstM < 10, `${worstM.toFixed(1)} m off`);
    t.equal(sky.tracks()[0]?.affiliation, 'friend');
    const rejects = sky.worldServices.world.sensors.list(sky.nowMs).map((sensor) => sensor.rejects.implausible ?? 0);
    t.same(rejects, [1], 'it is counted');
  });
}

t.test('the last report that comes, garbled, leaves the aircraft where it was', async (t) => {
  const sky = await DrivenSky.open(t, beginMs);
  await fly(sky, { untilS: 20 }, () => {});
  const [track] = sky.tracks();
  t.ok(track?.position && metresBetween(track.position, path(20).place) < 300);
});

t.test('an aircraft that is elsewhere after a pause is there with its second report', async (t) => {
  const sky = await DrivenSky.open(t, beginMs);
  const other = placeAt(path(0).place, 90, 3_000);
  const there = winding(other, 0, 12, UNTIL_S);
  const before = heardOf({ mac, serial, beginMs, path, untilS: 10 });
  const after = heardOf({ mac, serial, beginMs, path: there, fromS: 15, untilS: 30 });
  await sky.pass(beginMs + 15_900, [...before, ...after]);
  t.ok(metresBetween(sky.tracks()[0]?.position ?? other, other) > 2_000, 'one report is no place');
  await sky.pass(beginMs + 17_000);
  t.ok(metresBetween(sky.tracks()[0]?.position ?? far, there(16).place) < 50, 'a second one that agrees is');
  t.equal(sky.tracks().length, 1);
});

for (const [name, altGeoM] of [
  ['8 km up', 500 + 8_192],
  ['its lowest height', -999.5],
] as const) {
  t.test(`one garbled height, ${name}, is counted and is no height of the aircraft`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    const flight = heardOf({ mac, serial, beginMs, path, untilS: UNTIL_S });
    const { place, courseDeg, speedMps } = path(AT_S);
    const aircraft = new Aircraft({ mac, serial, from: place, courseDeg: Math.round(courseDeg), speedMps });
    const garbled = { ...aircraft.location(0), altGeoM, secondsAfterHour: secondsOf(beginMs + AT_S * 1000) };
    const bytes = new MavlinkReceiver().pack(aircraft, [garbled]);
    const heights = new Set<number>();
    await sky.pass(beginMs + UNTIL_S * 1000, [...flight, { atMs: beginMs + (AT_S + 0.2) * 1000, bytes }], () => {
      const tracks = sky.tracks();
      if (sky.nowMs < beginMs + 10_000) return;
      t.equal(tracks.length, 1);
      t.match(tracks[0], { state: 'confirmed', integrity: { verdict: 'unchecked', reasons: [] } });
      heights.add(Math.round(tracks[0]?.position?.alt_hae_m ?? Number.NaN));
    });
    const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
    t.ok(lowest > 480 && highest < 520, `${lowest} to ${highest} m`);
    const rejects = sky.worldServices.world.sensors.list(sky.nowMs).map((sensor) => sensor.rejects.implausible ?? 0);
    t.same(rejects, [1], 'it is counted');
  });
}

t.test('an aircraft that corrects its height is not suspect, and its track follows', async (t) => {
  const sky = await DrivenSky.open(t, beginMs);
  const corrected = (s: number) => ({ altGeoM: s < 20 ? 0 : 500 });
  const heard = heardOf({ mac, serial, beginMs, path, untilS: UNTIL_S, change: corrected });
  let rightS = Number.NaN;
  await sky.pass(beginMs + UNTIL_S * 1000, heard, () => {
    const [track, ...more] = sky.tracks();
    t.equal(more.length, 0);
    if (!track) return;
    t.match(track, { integrity: { verdict: 'unchecked', reasons: [] }, flags: [] });
    const isRight = Math.abs((track.position?.alt_hae_m ?? Number.NaN) - 500) < 30;
    if (isRight && Number.isNaN(rightS)) rightS = (sky.nowMs - beginMs) / 1000;
  });
  // The filter takes 16 s for 500 m, held back or not.
  t.ok(rightS <= 38, `at its height ${rightS - 20} s after`);
});
