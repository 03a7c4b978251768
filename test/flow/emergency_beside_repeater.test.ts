import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { placeAt } from '../support/basics/place.ts';
import { MavlinkReceiver } from '../support/sky/aircraft.ts';
import { type Broadcast, heardOf, standing, winding } from '../support/sky/broadcasts.ts';
import { DrivenSky, type Heard } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 120);
const serial = '1588E040445AC004418';
const mac = '90:3A:E6:5B:C8:A8';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const [UNTIL_S, EMERGENCY_S, OVER_S] = [40, 10, 25];
const HELD_S = 5;
const path = winding({ lat: 47.05, lon: 8.3 }, 60, 8, UNTIL_S);
const names = { mac, serial, beginMs, untilS: UNTIL_S };
const AIRBORNE = 2;
const EMERGENCY = 3;

const real = (more: Partial<Broadcast> = {}): Heard[] =>
  heardOf({
    ...{ ...names, path },
    change: (s) => ({ status: s >= EMERGENCY_S && s < OVER_S ? EMERGENCY : AIRBORNE }),
    ...more,
  });
/** Every report of the aircraft again, with the status `airborne`. */
const repeater = (delayS: number): Heard[] =>
  heardOf({
    ...{ ...names, path, fromS: EMERGENCY_S, delayS: () => delayS, receiver: new MavlinkReceiver(4) },
    change: () => ({ status: AIRBORNE }),
  });

for (const [order, delayS] of [
  ['0.4 s after it', 0.6],
  ['10 ms after it', 0.21],
  ['before it', 0.05],
] as const) {
  t.test(`an emergency is shown while a repeater says airborne ${order}, and ends 5 s after it`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    const shown: { s: number; status: string | null }[] = [];
    await sky.pass(beginMs + UNTIL_S * 1000, [...real(), ...repeater(delayS)], () => {
      const [track] = sky.named(serial);
      if (!track) return;
      shown.push({ s: (sky.nowMs - beginMs) / 1000, status: track.status });
      t.equal(track.flags.includes('emergency'), track.status === 'emergency', 'flag and status agree');
    });
    const lastS = OVER_S - 1 + 0.2;
    const within = (fromS: number, toS: number): Set<string | null> =>
      new Set(shown.filter(({ s }) => s > fromS && s < toS).map(({ status }) => status));
    t.same([...within(2, EMERGENCY_S)], ['airborne']);
    t.same([...within(EMERGENCY_S + 1, lastS + HELD_S - 0.3)], ['emergency'], 'it does not flap');
    t.same([...within(lastS + HELD_S + 0.5, UNTIL_S)], ['airborne'], 'it ends');
    const [track] = sky.named(serial);
    t.equal(sky.named(serial).length, 1);
    t.match(track?.flags, ['id_duplicate'], 'two contents of one broadcast are evidence');
    t.equal(track?.integrity.verdict, 'suspect');
  });
}

t.test(
  'a lone change of status makes nobody suspect, and a repeat of it by another receiver counts once',
  async (t) => {
    const sky = await DrivenSky.open(t, beginMs, ['north', 'south']);
    const both = ['north', 'south'].flatMap((link, i) =>
      real({ path: standing(path(0).place), link, receiver: new MavlinkReceiver(3 + i), delayS: () => 0.2 + 0.3 * i }),
    );
    await sky.pass(beginMs + UNTIL_S * 1000, both, () => {
      for (const { integrity, flags } of sky.named(serial)) {
        t.equal(integrity.verdict, 'unchecked');
        t.notOk(flags.includes('id_duplicate'));
      }
    });
  },
);

t.test('a report whose place is refused makes no emergency', async (t) => {
  const sky = await DrivenSky.open(t, beginMs);
  const far = placeAt(path(0).place, 90, 9_000);
  const calm = heardOf({ ...names, path });
  const forged = heardOf({
    ...{ ...names, path: standing(far), fromS: 10.5, untilS: 10.6 },
    change: () => ({ status: EMERGENCY }),
  });
  await sky.pass(beginMs + UNTIL_S * 1000, [...calm, ...forged], () => {
    for (const { status, flags } of sky.named(serial)) {
      t.not(status, 'emergency');
      t.notOk(flags.includes('emergency'));
    }
  });
});

t.test('an emergency that is the last word of an aircraft stays', async (t) => {
  const sky = await DrivenSky.open(t, beginMs);
  await sky.pass(beginMs + 30_000, real({ untilS: 12 }));
  t.match(sky.named(serial)[0], { status: 'emergency', flags: ['emergency'] });
});
