import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { heardOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 240);
const serial = '1588E040445AC004418';
const mac = '90:3A:E6:5B:C8:A8';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const [UNTIL_S, FROM_S, WITHIN_S] = [60, 30, 8];
const names = { mac, serial, beginMs, untilS: UNTIL_S };

/** A forger beside the aircraft: how far, since `s` seconds, what it says besides, and how often each of the two reports. */
type Forger = {
  asideM: (s: number) => number;
  change?: (s: number) => object;
  realS: number;
  forgedS: number;
  lagS: number;
};

const at = (metres: number) => () => metres;
const cases: [name: string, forger: Forger, offM: number][] = [
  ['325 m beside, each 4 s', { asideM: at(325), realS: 4, forgedS: 4, lagS: 3.8 }, 20],
  ['325 m beside, each 4 s, its aircraft each second', { asideM: at(325), realS: 1, forgedS: 4, lagS: 0.9 }, 20],
  ['60 m beside, half a second later', { asideM: at(60), realS: 1, forgedS: 1, lagS: 0.5 }, 60],
  ['60 m beside, each 2 s', { asideM: at(60), realS: 1, forgedS: 2, lagS: 0.5 }, 60],
  [
    '200 m beside, that says to fly at 60 m/s',
    { asideM: at(200), change: () => ({ speedHMps: 60 }), realS: 2, forgedS: 2, lagS: 1.9 },
    30,
  ],
  [
    '200 m beside, that says to fly at 60 m/s, each 4 s',
    { asideM: at(200), change: () => ({ speedHMps: 60 }), realS: 4, forgedS: 4, lagS: 3.8 },
    30,
  ],
  [
    '250 m beside, that says now and then to know its place badly',
    { asideM: at(250), change: (s) => (Math.round(s) % 4 < 2 ? { hAcc: 8 } : {}), realS: 1, forgedS: 1, lagS: 0.5 },
    30,
  ],
  [
    '250 m beside, that says to know its place badly in every other report',
    {
      ...{ asideM: at(250), realS: 1, forgedS: 0.4, lagS: 0.4 },
      change: (s) => (Math.round((s - FROM_S) / 0.4) % 2 ? { hAcc: 8 } : {}),
    },
    30,
  ],
  ['that flies off at 5 m/s', { asideM: (s) => 5 * s, realS: 1, forgedS: 1, lagS: 0.5 }, 60],
  ['that flies off at 5 m/s, just after it', { asideM: (s) => 5 * s, realS: 1, forgedS: 1, lagS: 0.1 }, 60],
  ['that flies off at 15 m/s', { asideM: (s) => 15 * s, realS: 1, forgedS: 1, lagS: 0.5 }, 60],
];

for (const [name, { asideM, change, realS, forgedS, lagS }, mostM] of cases) {
  t.test(`a forger ${name}: the aircraft is where it is, and suspect within ${WITHIN_S} s`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    const path = winding({ lat: 47.05, lon: 8.3 }, 60, 12, UNTIL_S);
    const beginS = FROM_S + lagS;
    const forged = (s: number) => ({ ...path(s), place: placeAt(path(s).place, 330, asideM(s - beginS)) });
    const real = heardOf({ ...names, path, everyS: realS });
    let [worstM, suspectS, apartS] = [0, Number.NaN, Number.NaN];
    await sky.pass(
      beginMs + UNTIL_S * 1000,
      [...real, ...heardOf({ ...names, path: forged, fromS: beginS, everyS: forgedS, ...(change ? { change } : {}) })],
      () => {
        const s = (sky.nowMs - beginMs) / 1000;
        const [track] = sky.tracks();
        if (!track?.position || s < 10) return;
        const shownS = (Date.parse(track.updated_at) - beginMs) / 1000;
        worstM = Math.max(worstM, metresBetween(track.position, path(shownS).place));
        if (s < beginS) return void t.equal(track.integrity.verdict, 'unchecked');
        if (Number.isNaN(apartS) && asideM(s - beginS) >= 50) apartS = s;
        if (Number.isNaN(suspectS) && track.integrity.verdict === 'suspect') suspectS = s;
      },
    );
    const reasons = sky.tracks()[0]?.integrity.reasons.map(({ id }) => id) ?? [];
    t.comment(
      `suspect ${(suspectS - apartS).toFixed(1)} s after it was 50 m away, ${worstM.toFixed(0)} m off, ${sky.tracks().length} tracks, ${reasons}`,
    );
    t.ok(suspectS - apartS <= WITHIN_S, `suspect after ${suspectS - apartS} s`);
    t.ok(worstM <= mostM, `${worstM.toFixed(0)} m off`);
  });
}
