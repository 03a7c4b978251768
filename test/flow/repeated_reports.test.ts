import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { MavlinkReceiver } from '../support/sky/aircraft.ts';
import { heardOf, secondsOf, standing } from '../support/sky/broadcasts.ts';
import { DrivenSky, type Heard } from '../support/sky/driven_sky.ts';

onlyInFull(t);
takeTime(t, 120);
const serial = '1581F5FKD2294B000001';
const mac = '60:60:1F:00:00:01';
const beginMs = Date.parse('2026-05-01T10:20:00Z');
const place = { lat: 47.05, lon: 8.3 };
const UNTIL_S = 60;

for (const [name, clock] of [
  ['does not tell its time', () => null],
  ['tells one time', () => 1200],
  ['tells its time', (_: number, utcMs: number) => Math.floor(secondsOf(utcMs))],
] as const) {
  t.test(`a drone that hovers, one report like the other, and ${name}: confirmed, stays, and enters`, async (t) => {
    const sky = await DrivenSky.open(t, beginMs);
    sky.protect('area', place, 200);
    const hover = { mac, serial, beginMs, path: standing(place), untilS: UNTIL_S, everyS: 0.11, clock };
    const states = new Set<string>();
    await sky.pass(beginMs + UNTIL_S * 1000, heardOf(hover), () => {
      if (sky.nowMs - beginMs > 3_000) states.add(sky.tracks()[0]?.state ?? 'none');
    });
    t.same([...states], ['confirmed']);
    t.equal(sky.tracks().length, 1);
    t.ok(sky.enteredMs() - beginMs <= 3_000, 'its entry is told');
    t.ok(sky.alertedMs('zone_entry') - beginMs <= 3_000, 'and an alert is raised');
    const [track] = sky.named(serial);
    t.notOk(track?.integrity.reasons.some(({ id }) => id === 'static_clone'));
    const [contributor] = track?.contributors ?? [];
    t.ok((contributor?.hits ?? 0) <= UNTIL_S + 2, `${contributor?.hits} observations of ${UNTIL_S} s`);
  });
}

t.test('one broadcast over two receivers and several repeats is one observation: it confirms nobody', async (t) => {
  const sky = await DrivenSky.open(t, beginMs, ['north', 'south']);
  const heard: Heard[] = ['north', 'south'].flatMap((link, i) =>
    heardOf({
      ...{ mac, serial, beginMs, path: standing(place), untilS: 0, copies: 5, link },
      receiver: new MavlinkReceiver(3 + i),
      delayS: () => 0.1 + 0.05 * i,
    }),
  );
  await sky.pass(beginMs + 1_500, heard);
  const [track] = sky.named(serial);
  t.equal(track?.state, 'tentative');
  t.same(
    track?.contributors.map(({ hits }) => hits),
    [1, 1],
    'both receivers have heard it',
  );
  const again = heardOf({ mac, serial, beginMs: beginMs + 1_500, path: standing(place), untilS: 0, link: 'south' });
  await sky.pass(beginMs + 3_000, again);
  t.equal(sky.named(serial)[0]?.state, 'confirmed', 'the same a moment later is another observation');
});

t.test('one broadcast over two radios of an aircraft is one observation: it confirms nobody', async (t) => {
  const sky = await DrivenSky.open(t, beginMs);
  const radio = (of: string, atMs: number, delayS: number): Heard[] =>
    heardOf({ mac: of, serial, beginMs: atMs, path: standing(place), untilS: 0, copies: 3, delayS: () => delayS });
  const both = (atMs: number): Heard[] => [...radio(mac, atMs, 0.1), ...radio('60:60:1F:00:00:02', atMs, 0.3)];
  await sky.pass(beginMs + 1_500, both(beginMs));
  const tracks = sky.named(serial);
  t.equal(tracks.length, 1);
  t.equal(tracks[0]?.state, 'tentative');
  await sky.pass(beginMs + 3_000, both(beginMs + 1_500));
  t.match(sky.named(serial), [{ state: 'confirmed' }], 'a second later it is another');
});

t.test(
  'one place in reports that say to fly is a static clone; standing, turning and climbing about is none',
  async (t) => {
    const cases: [name: string, change: (s: number) => object, isClone: boolean][] = [
      ['told at 12 m/s', () => ({ speedHMps: 12, directionDeg: 60 }), true],
      ['told at 0.75 m/s on a changing course', (s) => ({ speedHMps: 0.75, directionDeg: (s * 40) % 360 }), true],
      ['told to stand', () => ({ speedHMps: 0 }), false],
      ['told to stand, and turns', (s) => ({ speedHMps: 0, directionDeg: (s * 40) % 360 }), false],
      ['told to tremble', (s) => ({ speedHMps: s % 2 ? 0 : 0.25, directionDeg: (s * 140) % 360 }), false],
      ['told without a speed', () => ({ speedHMps: null, directionDeg: null }), false],
    ];
    for (const [name, change, isClone] of cases) {
      const sky = await DrivenSky.open(t, beginMs);
      await sky.pass(
        beginMs + 40_000,
        heardOf({ mac, serial, beginMs, path: standing(place), untilS: 40, everyS: 1, change }),
      );
      const reasons = sky.named(serial)[0]?.integrity.reasons.map(({ id }) => id) ?? [];
      t.equal(reasons.includes('static_clone'), isClone, `${name}: ${reasons.join()}`);
      if (!isClone) t.same(reasons, [], name);
    }
  },
);
