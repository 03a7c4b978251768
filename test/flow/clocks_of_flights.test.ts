import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { metresBetween } from '../support/basics/place.ts';
import { type Broadcast, heardOf, secondsOf, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 120);
const serial = '1581F5FKD2294B000001';
const mac = '60:60:1F:00:00:01';
/** Ten seconds before the full hour: each flight crosses it. */
const beginMs = Date.parse('2026-05-01T10:59:50Z');
const UNTIL_S = 90;
const from = { lat: 47.05, lon: 8.3 };
const path = winding(from, 60, 12, UNTIL_S);
/** The flight is in it from about its 60th second on. */
const area = { middle: path(80).place, halfM: 200 };

type Clock = { name: string; told?: Broadcast['clock']; delayS?: Broadcast['delayS']; reason?: string };

const right = (_: number, utcMs: number): number => secondsOf(utcMs);
const LOST = { fromS: 25, untilS: 45 };
const clocks: Clock[] = [
  { name: 'is right' },
  { name: 'stands from the beginning, at 0', told: () => 0, reason: 'clock_inconsistent' },
  { name: 'stands from 30 s on', told: (s, ms) => (s < 30 ? right(s, ms) : 19.9), reason: 'clock_inconsistent' },
  { name: 'is untold', told: () => null, reason: 'clock_inconsistent' },
  { name: 'jumps back once', told: (s, ms) => right(s, s < 30 ? ms : ms - 1_000_000) },
  { name: 'jumps ahead once', told: (s, ms) => right(s, s < 30 ? ms : ms + 1_000_000) },
  {
    name: 'jumps with each report from 30 s on',
    told: (s, ms) => right(s, s < 30 ? ms : ms - ((s * 397) % 1_700) * 1_000),
    reason: 'clock_inconsistent',
  },
  { name: 'runs 2 % fast', told: (s, ms) => right(s, ms + s * 20) },
  { name: 'is 10 minutes off', told: (s, ms) => right(s, ms - 600_000) },
  {
    name: 'is right, and a lost link brings 20 s at once',
    delayS: (s) => (s >= LOST.fromS && s < LOST.untilS ? LOST.untilS + 0.2 - s : 0.2),
  },
];

for (const { name, told, delayS, reason } of clocks) {
  for (const [pace, more] of [
    ['once a second', {}],
    ['in nine copies a second', { copies: 9 }],
  ] as const) {
    t.test(`a flight told ${pace} whose clock ${name}: one track, at its place, its entry told`, async (t) => {
      const sky = await DrivenSky.open(t, beginMs);
      sky.protect('area', area.middle, area.halfM);
      const heard = heardOf({
        ...{ mac, serial, beginMs, path, untilS: UNTIL_S, ...more },
        ...(told ? { clock: told } : {}),
        ...(delayS ? { delayS } : {}),
      });
      let worstM = 0;
      let enteredS = Number.NaN;
      const states = new Set<string>();
      await sky.pass(beginMs + UNTIL_S * 1000, heard, () => {
        const s = (sky.nowMs - beginMs) / 1000;
        const truth = path(s).place;
        if (Number.isNaN(enteredS) && isInside(truth)) enteredS = s;
        const [track] = sky.tracks();
        const isLost = delayS && s > LOST.fromS && s < LOST.untilS + 2;
        if (!track?.position || s < 5 || isLost) return;
        states.add(track.state);
        // What is shown holds for its own time.
        const shownS = (Date.parse(track.updated_at) - beginMs) / 1000;
        worstM = Math.max(worstM, metresBetween(track.position, path(shownS).place));
      });
      t.comment(`at most ${worstM.toFixed(1)} m off`);
      t.equal(sky.tracks().length, 1);
      t.same([...states], ['confirmed']);
      t.ok(worstM < 10, `${worstM.toFixed(1)} m off`);
      const lateS = (sky.enteredMs() - beginMs) / 1000 - enteredS;
      t.ok(Math.abs(lateS) <= 1, `its entry is told ${lateS.toFixed(1)} s late`);
      const [track] = sky.named(serial);
      t.same(
        track?.integrity.reasons.map(({ id }) => id),
        reason ? [reason] : [],
      );
      if (name === 'is untold') t.equal(track?.integrity.verdict, 'unchecked');
      const link = sky.worldServices.world.links.list()[0]?.document();
      t.equal(link?.rejects.implausible, 0);
    });
  }
}

function isInside({ lat, lon }: { lat: number; lon: number }): boolean {
  const { middle, halfM } = area;
  const northM = Math.abs(lat - middle.lat) * 111_190;
  const eastM = Math.abs(lon - middle.lon) * 111_190 * Math.cos((middle.lat * Math.PI) / 180);
  return Math.max(northM, eastM) <= halfM;
}
