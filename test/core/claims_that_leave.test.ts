import t, { type Test } from 'tap';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { stateCodes } from '../../src/model/track_row.ts';
import { CoreWitness } from '../support/core/core.ts';
import { positionAt, serial } from '../support/core/observation.ts';
import { underRadar } from '../support/sky/claimed_aircraft.ts';
import { circling, displaced, type Flight } from '../support/sky/flight.ts';
import { SiteAxes, type Vector } from '../support/sky/site_axes.ts';
import { Sky } from '../support/sky/sky.ts';
import type { Eye } from '../support/sky/sky_sensor.ts';
import { WatchedSky } from '../support/sky/watched_sky.ts';

const flight = circling([900, 700, 120], 300, 12);
const beginS = 20;

/** Checks that a claim that drifts off from its aircraft is parted from it in time, and each is shown for what it is. */
function leaves(t: Test, seed: number, drift: Vector, withinS: number): void {
  const lastS = beginS + withinS + 20;
  const said: Flight = displaced(flight, [0, 0, 0], drift, beginS);
  const watched = underRadar(seed, lastS, flight, said);
  watched.until(beginS);
  const [before] = watched.of('S-1');
  t.match(before?.card, { integrity: { verdict: 'consistent' } }, 'as long as it is where it says, it is believed');
  let partedS = Number.POSITIVE_INFINITY;
  for (let s = beginS + 0.5; s <= lastS; s += 0.5) {
    watched.until(s);
    const [claimed] = watched.of('S-1');
    if (claimed && claimed.number !== before?.number) partedS = Math.min(partedS, s - beginS);
    else if (s - beginS > partedS) t.fail(`at ${s} s it is taken back`);
  }
  t.ok(partedS <= withinS, `parted after ${partedS} s`);
  const [claimed] = watched.of('S-1');
  t.equal(claimed?.card.integrity.verdict, 'suspect');
  t.ok(
    claimed?.card.integrity.reasons.some(({ id }) => id === 'position_disagrees'),
    'with the reason',
  );
  t.match(watched.at(flight(lastS).place, 40), { number: before?.number, card: { identities: [] } });
}

for (let seed = 1; seed <= 5; seed++) {
  t.test(`a claim that drifts off slowly is parted from its aircraft (seed ${seed})`, async (t) =>
    leaves(t, seed, [3.5, -3.5, 0], 60),
  );
  t.test(`a claim that flies off at 20 m/s is parted within 10 s (seed ${seed})`, async (t) =>
    leaves(t, seed, [14.1, -14.1, 0], 10),
  );
}

t.test('a claim that radar saw once and sees no more is not borne out for ever', async (t) => {
  const watched = underRadar(1, 60, flight, displaced(flight, [0, 0, 0], [70, -70, 0], beginS));
  watched.until(60);
  t.not(watched.of('S-1')[0]?.card.integrity.verdict, 'consistent', 'it is three kilometres from what radar sees');
});

t.test('a claim that calls its own place very uncertain names no aircraft that is seen elsewhere', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 30; s++) {
    const heights = { altHaeM: 600, sigmaVM: 3 };
    core.step(s * 1000, positionAt(s * 1000, s * 10, 0, { ...heights, sensorId: 'eye' }));
    const said = { ...heights, sigmaHM: 18_520, sensorId: 'ear', identities: [serial('S-1')] };
    if (s >= 8) core.step(s * 1000 + 500, positionAt(s * 1000 + 500, s * 10, 10_000, said));
  }
  t.same(core.cards.get(1)?.identities, [], 'the aircraft is ten kilometres from where the claim is');
});

/** A radar that measures `measures`, under which a claim reports from 5 s to `silentS` that it flies as `said`. */
function underEye(measures: Eye['measures'], seconds: number, said: Flight, silentS: number): WatchedSky {
  const sky = new Sky(new SiteAxes(46.2, 6.1, 400), 1);
  const radar = sky.eye([0, 0, 10], { measures, seeing: { clutterPerScan: 0, detection: 1 } });
  const voice = sky.voice(sky.ear(), [serial('S-1')]);
  for (let s = 0; s < seconds; s++) {
    sky.look(radar, s, [flight]);
    if (s >= 5 && s < silentS) sky.claim(voice, s + 0.3, said);
  }
  return new WatchedSky(sky);
}

const altitudeOf = (watched: WatchedSky, number: number): number => watched.rows.get(number)?.[TRACK.altHaeM] ?? 0;

for (const [measures, knows] of [
  ['plane', false],
  ['place', true],
] as const) {
  const what = knows ? 'keeps the altitude that its radar measures' : 'loses the altitude that only the claim reported';
  t.test(`a track that its claim leaves for another place ${what}`, async (t) => {
    const watched = underEye(measures, 60, displaced(flight, [0, 0, 0], [14.1, -14.1, 0], beginS), 60);
    watched.until(beginS);
    const [{ number } = { number: 0 }] = watched.of('S-1');
    t.ok(Math.abs(altitudeOf(watched, number) - 520) < 30, 'known while the claim is with it');
    watched.until(60);
    t.not(watched.of('S-1')[0]?.number, number, 'the claim has left');
    t.equal(watched.rows.get(number)?.[TRACK.state], stateCodes.indexOf('confirmed'));
    t.equal(!Number.isNaN(altitudeOf(watched, number)), knows);
  });
}

for (const [measures, knows] of [
  ['plane', false],
  ['place', true],
] as const) {
  const what = knows ? 'keeps the altitude that its radar measures' : 'loses the altitude that nobody reports any more';
  t.test(`a track that its radar follows on without its claim ${what}`, async (t) => {
    const watched = underEye(measures, 90, flight, 40);
    watched.until(55);
    const [{ number } = { number: 0 }] = watched.of('S-1');
    t.ok(Math.abs(altitudeOf(watched, number) - 520) < 30, 'known for some time after its last report');
    watched.until(70);
    t.equal(watched.rows.get(number)?.[TRACK.state], stateCodes.indexOf('confirmed'));
    t.equal(!Number.isNaN(altitudeOf(watched, number)), knows);
  });
}
