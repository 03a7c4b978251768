import t from 'tap';
import { onlyInFull, takeTime } from '../support/basics/patience.ts';
import { randomFrom } from '../support/basics/random.ts';
import { seedOf } from '../support/basics/seed.ts';
import { honestFrames, sortie } from '../support/core/honest_flight.ts';
import { Aircraft, MavlinkReceiver } from '../support/sky/aircraft.ts';
import { secondsOf } from '../support/sky/broadcasts.ts';
import { DrivenSky, type Heard } from '../support/sky/driven_sky.ts';
import { byHand, circling, type Flight, straight } from '../support/sky/flight.ts';

onlyInFull(t);
takeTime(t, 300);
const beginMs = Date.parse('2026-05-01T10:20:00Z');
/** Four hundred seconds of 25 transmitters are 10 000 s. */
const UNTIL_S = 400;

const flights: ((random: () => number) => Flight)[] = [
  (random) => sortie(random, UNTIL_S),
  (random) => byHand(random, UNTIL_S),
  (random) => byHand(random, UNTIL_S, 30),
  () => straight([0, 0, 60], [0, 0, 0]),
  (random) => circling([0, 0, 80], 20 + 60 * random(), 8 + 8 * random()),
  (random) => straight([0, 0, 150], [20 * random(), 18, 0]),
];

/** A transmitter of a kind by its number: how it flies, how often it sends, how much of it is received. */
function flown(i: number, seed: number): Heard[] {
  const random = randomFrom(seed + i);
  const aircraft = new Aircraft({ mac: macOf(i), serial: serialOf(i) });
  const flight = flights[i % flights.length] ?? flights[0];
  if (!flight) return [];
  const receiver = new MavlinkReceiver();
  const frames = honestFrames(flight(random), random, {
    ...{ mac: macOf(i), serial: serialOf(i), beginsMs: beginMs, seed: seed + i, untilS: UNTIL_S },
    ...{ hz: [1, 1, 3, 0.25][i % 4] ?? 1, noiseM: 1 + 6 * random(), delayS: 0.1 + 0.9 * random() },
    ...{ lost: [0, 0, 0.3][i % 3] ?? 0, aheadS: [0, 0, 0, 321, -900][i % 5] ?? 0, lagS: 0.3 + 0.6 * random() },
  });
  return frames.map(({ atMs, messages }) => ({ atMs, bytes: receiver.pack(aircraft, messages as never) }));
}

/** A hover that is told to the last digit alike, and a transmitter without a fix, of which some send the time 0. */
function still(i: number, isPlaced: boolean): Heard[] {
  const aircraft = new Aircraft({ mac: macOf(i), serial: serialOf(i), speedMps: 0, courseDeg: 84 });
  const receiver = new MavlinkReceiver();
  const clocks = [secondsOf, () => null, (ms: number) => (isPlaced ? Math.floor(secondsOf(ms)) : 0)];
  const clock = clocks[i % 3] ?? secondsOf;
  return Array.from({ length: UNTIL_S * 2 }, (_, at) => {
    const atMs = beginMs + at * 500 + 100;
    const place = isPlaced ? {} : { latDeg: null, lonDeg: null };
    const turned = isPlaced && i % 2 ? { directionDeg: (at * 37) % 360 } : {};
    const location = { ...aircraft.location(0), ...place, ...turned, secondsAfterHour: clock(atMs) };
    return { atMs, bytes: receiver.pack(aircraft, [aircraft.basicId(), location, aircraft.system()]) };
  });
}

const macOf = (i: number): string => `60:60:1F:00:01:${i.toString(16).padStart(2, '0').toUpperCase()}`;
const serialOf = (i: number): string => `1581F5FKD2294B0${String(i).padStart(5, '0')}`;

t.test('10 000 seconds of honest flights, hovers and transmitters without a fix: never suspect', async (t) => {
  const seed = seedOf(t);
  const sky = await DrivenSky.open(t, beginMs);
  const heard: Heard[] = [];
  for (let i = 0; i < 25; i++) for (const one of i < 17 ? flown(i, seed) : still(i, i < 21)) heard.push(one);
  const against = new Map<string, string>();
  await sky.pass(beginMs + UNTIL_S * 1000, heard, () => {
    for (const { number, integrity, flags, identities } of sky.tracks()) {
      const isDoubted = integrity.verdict === 'suspect' || flags.length > 0;
      if (!isDoubted || against.has(number)) continue;
      const names = identities.map(({ value }) => value).join();
      const s = (sky.nowMs - beginMs) / 1000;
      against.set(number, `${names} at ${s} s: ${[...flags, ...integrity.reasons.map(({ id }) => id)].join()}`);
    }
  });
  t.same([...against.values()], []);
  t.equal(sky.tracks().length, 25, 'each is one track');
  // That so many appear at once is an event of its own; none of them is doubted for what it says.
  t.ok(Number.isNaN(sky.alertedMs('friend_cloned')));
});
