import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { heardOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 120);
const serial = '1588E040445AC004418';
const mac = '90:3A:E6:5B:C8:A8';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const UNTIL_S = 120;
const FROM_S = 30.3;
const path = winding({ lat: 47.05, lon: 8.3 }, 60, 8, UNTIL_S);
const hidden = () => ({ place: placeAt(path(30).place, 240, 700), courseDeg: 240, speedMps: 0 });
const beside = (s: number) => ({ ...path(s), place: placeAt(path(s).place, 30, 600) });
const pilot = placeAt(path(0).place, 200, 300);
const names = { mac, serial, beginMs, untilS: UNTIL_S, pilot };

/** The reports of an aircraft, without those of a time. */
function heardBut(fromS: number, toS: number): ReturnType<typeof heardOf> {
  const isHeard = (s: number): boolean => s < fromS || s > toS;
  return heardOf({ ...names, path, copies: 2 }).filter(({ atMs }) => isHeard((atMs - beginMs) / 1000));
}

for (const [name, real, spoof] of [
  ['each 4 s', heardOf({ ...names, path, everyS: 4 }), { path: hidden, everyS: 0.5 }],
  ['each 3 s', heardOf({ ...names, path, everyS: 3 }), { path: hidden, everyS: 0.5 }],
  ['each 4 s, slower than a spoof beside it', heardOf({ ...names, path, everyS: 4 }), { path: beside, everyS: 1 }],
  ['each second, but for 2.6 s', heardBut(29.5, 32.9), { path: hidden, everyS: 0.5 }],
] as const) {
  t.test(`an aircraft that reports ${name}, keeps its track while a spoof sends by its names`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    sky.protect('works', path(90).place, 100);
    let worstM = 0;
    await sky.pass(beginMs + UNTIL_S * 1000, [...real, ...heardOf({ ...names, ...spoof, fromS: FROM_S })], () => {
      const s = (sky.nowMs - beginMs) / 1000;
      const [track] = sky.tracks();
      if (s < 10 || !track?.position) return;
      const shownS = (Date.parse(track.updated_at) - beginMs) / 1000;
      worstM = Math.max(worstM, metresBetween(track.position, path(shownS).place));
    });
    t.ok(worstM < 30, `${worstM.toFixed(1)} m off`);
    const enteredS = (sky.enteredMs() - beginMs) / 1000;
    t.ok(enteredS > 65 && enteredS < 80, `entered at ${enteredS.toFixed(1)} s`);
    t.equal(sky.tracks()[0]?.integrity.verdict, 'suspect');
    t.ok(sky.tracks().length <= 2);
  });
}

for (const [name, real, fromS] of [
  ['spoke first', heardBut(-1, 5), 0],
  ['took the place in a silence of 8 s', heardBut(29.5, 38), FROM_S],
] as const) {
  t.test(`an aircraft beside a spoof of its radio and names that ${name}, has a track and enters a zone`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    sky.protect('works', path(90).place, 100);
    await sky.pass(beginMs + UNTIL_S * 1000, [...real, ...heardOf({ ...names, path: hidden, fromS, everyS: 0.5 })]);
    const tracks = sky.tracks();
    t.equal(tracks.length, 2);
    for (const { integrity, flags } of tracks) {
      t.equal(integrity.verdict, 'suspect');
      t.ok(flags.includes('id_duplicate'));
    }
    const offM = tracks.map(({ position }) => (position ? metresBetween(position, path(UNTIL_S).place) : Number.NaN));
    t.ok(Math.min(...offM) < 15, `${offM.join(' m, ')} m off`);
    const enteredS = (sky.enteredMs() - beginMs) / 1000;
    t.ok(enteredS > 65 && enteredS < 80, `entered at ${enteredS.toFixed(1)} s`);
  });
}
