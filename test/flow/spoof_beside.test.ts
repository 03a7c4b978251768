import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween, placeAt } from '../support/basics/place.ts';
import { seedOf } from '../support/basics/seed.ts';
import { type Broadcast, heardOf, jumping, secondsOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 120);
const serial = '1588E040445AC004418';
const mac = '90:3A:E6:5B:C8:A8';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const UNTIL_S = 75;
const FROM_S = 30;
const EVERY_S = 4.05;
const WITHIN_S = 5;
const path = winding({ lat: 47.05, lon: 8.3 }, 60, 8, UNTIL_S);
const middle = path(50).place;

type Clock = NonNullable<Broadcast['clock']>;
const clocks: [string, Clock][] = [
  ['is right', (_, ms) => secondsOf(ms)],
  ['stands', () => 931.1],
  ['is 15 s behind', (_, ms) => secondsOf(ms - 15_000)],
  ['is 10 minutes behind', (_, ms) => secondsOf(ms - 600_000)],
  ['is a minute ahead', (_, ms) => secondsOf(ms + 60_000)],
  ['is untold', () => null],
];

for (const [name, clock] of clocks) {
  for (const [flown, spoofPath] of [
    ['that jumps and says to stand', (seed: number) => jumping(middle, seed, EVERY_S, (s) => path(s + FROM_S))],
    ['that flies beside it', () => (s: number) => ({ ...path(s), place: placeAt(path(s).place, 30, 400) })],
  ] as const) {
    t.test(
      `a spoof of the same name ${flown}, whose clock ${name}: the track stays and the spoof is told`,
      async (t) => {
        const seed = seedOf(t);
        const sky = await DrivenSky.open(t, beginMs);
        sky.ours('Anafi', serial);
        const names = { mac, serial, beginMs, untilS: UNTIL_S };
        const pilot = placeAt(path(0).place, 200, 300);
        const real = heardOf({ ...names, path, copies: 9 });
        const shown = spoofPath(seed);
        const spoof = heardOf({
          ...{ ...names, clock, pilot, fromS: FROM_S, everyS: EVERY_S, copies: 2 },
          path: (s) => shown(flown.includes('jumps') ? s - FROM_S : s),
          delayS: () => 0.35,
        });
        let worstM = 0;
        let tracks = 0;
        await sky.pass(beginMs + UNTIL_S * 1000, [...real, ...spoof], () => {
          const s = (sky.nowMs - beginMs) / 1000;
          const [track] = sky.named(serial);
          tracks = Math.max(tracks, sky.named(serial).length);
          if (!track?.position || s < 5) return;
          t.equal(track.state, 'confirmed');
          const shownS = (Date.parse(track.updated_at) - beginMs) / 1000;
          worstM = Math.max(worstM, metresBetween(track.position, path(shownS).place));
          if (s < FROM_S) t.same([track.integrity.verdict, track.affiliation], ['unchecked', 'friend']);
        });
        // A spoof that flies consistently is shown beside it; one that jumps is no aircraft.
        t.ok(tracks <= (flown.includes('jumps') ? 1 : 2), `${tracks} tracks`);
        t.ok(worstM < 10, `${worstM.toFixed(1)} m off`);
        const toldS = (sky.alertedMs('friend_cloned') - beginMs) / 1000 - FROM_S;
        t.comment(`told after ${toldS.toFixed(1)} s; at most ${worstM.toFixed(1)} m off`);
        t.ok(toldS >= 0 && toldS <= WITHIN_S, `friend_cloned after ${toldS.toFixed(1)} s`);
        const [track] = sky.named(serial);
        t.match(track, { affiliation: 'unknown', integrity: { verdict: 'suspect' } });
        t.ok(track?.flags.includes('id_duplicate'));
        t.ok(track?.integrity.reasons.some(({ id }) => id === 'duplicate_identity'));
      },
    );
  }
}

for (const [name, clock] of clocks.slice(0, 2)) {
  t.test(
    `a lone transmitter that jumps and says to stand, its pilot near, its clock ${name}, is suspect`,
    async (t) => {
      const seed = seedOf(t);
      const sky = await DrivenSky.open(t, beginMs);
      const shown = jumping(middle, seed, EVERY_S, path);
      const spoof = { mac, serial, beginMs, path: shown, untilS: 40, everyS: EVERY_S, copies: 2, clock, pilot: middle };
      let suspectS = Number.NaN;
      await sky.pass(beginMs + 20_000, heardOf(spoof), () => {
        const isSuspect = sky.named(serial)[0]?.integrity.verdict === 'suspect';
        if (isSuspect && Number.isNaN(suspectS)) suspectS = (sky.nowMs - beginMs) / 1000;
      });
      t.ok(suspectS <= WITHIN_S, `after ${suspectS.toFixed(1)} s`);
      t.ok((sky.alertedMs('suspect_remote_id') - beginMs) / 1000 <= WITHIN_S + 0.5, 'an alert is raised');
      const reasons = sky.named(serial)[0]?.integrity.reasons.map(({ id }) => id) ?? [];
      t.ok(reasons.includes('jump'), reasons.join());
      t.equal(reasons.includes('clock_inconsistent'), name === 'stands', 'the clock is named where it stands');
    },
  );
}
