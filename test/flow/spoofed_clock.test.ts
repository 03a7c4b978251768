import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { type Broadcast, heardOf, secondsOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 240);
const serial = '1588E040445AC004418';
const mac = '90:3A:E6:5B:C8:A8';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const [UNTIL_S, FROM_S] = [120, 30.3];
const path = winding({ lat: 47.05, lon: 8.3 }, 60, 8, UNTIL_S);
const hidden = () => ({ place: placeAt(path(30).place, 240, 700), courseDeg: 240, speedMps: 0 });
const names = { mac, serial, beginMs, untilS: UNTIL_S, pilot: placeAt(path(0).place, 200, 300) };

type Clock = NonNullable<Broadcast['clock']>;
const right: Clock = (_, ms) => secondsOf(ms);
const off =
  (s: number): Clock =>
  (_, ms) =>
    secondsOf(ms + s * 1_000);
const stands: Clock = () => 0;
const cases: [name: string, real: { clock: Clock; everyS: number }, spoof: { clock: Clock; everyS: number }][] = [
  ['stands, of a spoof whose clock is right', { clock: stands, everyS: 1 }, { clock: right, everyS: 0.5 }],
  ['stands, of a slow spoof whose clock is right', { clock: stands, everyS: 1 }, { clock: right, everyS: 4 }],
  ['stands, of a spoof whose clock stands elsewhere', { clock: stands, everyS: 1 }, { clock: () => 900, everyS: 1 }],
  ['is right, of a faster spoof whose clock is right', { clock: right, everyS: 4 }, { clock: right, everyS: 0.5 }],
  ['is right, of a faster spoof 10 minutes ahead', { clock: right, everyS: 4 }, { clock: off(600), everyS: 0.5 }],
  ['is right, of a faster spoof 5 minutes behind', { clock: right, everyS: 4 }, { clock: off(-300), everyS: 1 }],
  [
    'is 10 minutes behind, of a spoof whose clock is right',
    { clock: off(-600), everyS: 3 },
    { clock: right, everyS: 0.5 },
  ],
];

for (const [name, real, spoof] of cases) {
  t.test(`an aircraft whose clock ${name}: it keeps its track and enters a zone`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    sky.protect('works', path(90).place, 100);
    let [worstM, unseenS] = [0, 0];
    const heard = [
      ...heardOf({ ...names, path, ...real }),
      ...heardOf({ ...names, path: hidden, fromS: FROM_S, ...spoof }),
    ];
    await sky.pass(beginMs + UNTIL_S * 1000, heard, () => {
      const s = (sky.nowMs - beginMs) / 1000;
      if (s < 10) return;
      const offM = sky.tracks().map(({ position, updated_at }) => {
        const shownS = (Date.parse(updated_at) - beginMs) / 1000;
        return position ? metresBetween(position, path(shownS).place) : Number.POSITIVE_INFINITY;
      });
      const nearM = Math.min(...offM);
      worstM = Math.max(worstM, nearM);
      if (!sky.tracks().some(({ state }, i) => state === 'confirmed' && (offM[i] ?? 1e9) < 40)) unseenS += 0.1;
    });
    const enteredS = (sky.enteredMs() - beginMs) / 1000;
    const link = sky.worldServices.world.links.list()[0]?.document();
    t.comment(
      `${worstM.toFixed(0)} m off, unseen ${unseenS.toFixed(1)} s, entered ${enteredS}, ${JSON.stringify(link?.rejects)}`,
    );
    t.ok(worstM < 40, `${worstM.toFixed(1)} m off`);
    t.ok(unseenS < 1, `not confirmed at its place for ${unseenS.toFixed(1)} s`);
    t.ok(enteredS > 65 && enteredS < 80, `entered at ${enteredS.toFixed(1)} s`);
    t.ok(sky.tracks().some(({ integrity }) => integrity.verdict === 'suspect'));
    t.ok(sky.tracks().length <= 2, `${sky.tracks().length} tracks`);
  });
}
