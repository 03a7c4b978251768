import t from 'tap';
import { blankObservation } from '../../src/edge/feed/blank.ts';
import type { Identity, Observation } from '../../src/model/observation.ts';
import { CoreWitness } from '../support/core/core.ts';
import { mac, positionAt, serial } from '../support/core/observation.ts';

const heard = (atMs: number, ...identities: Identity[]): Observation => ({
  ...blankObservation('00000000-0000-8000-8000-00000000aaaa', null, atMs),
  report: 'identity',
  identities,
});

/** Two aircraft nine kilometres apart, each with an address and a serial of its own. */
function fly(core: CoreWitness, second: number): void {
  const atMs = second * 1000;
  core.step(
    atMs,
    positionAt(atMs, second * 10, 0, { identities: [mac('AA:AA'), serial('S-A')] }),
    positionAt(atMs, 9_000 + second * 10, 0, { identities: [mac('BB:BB'), serial('S-B')] }),
  );
}

t.test("another's serial told under an aircraft's address takes no track away", async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 5; s++) fly(core, s);
  core.step(5_000, heard(5_000, mac('BB:BB'), serial('S-A')));
  for (let s = 6; s < 30; s++) fly(core, s);
  t.same(core.numbers(), [1, 2], 'both aircraft are still one track each');
  t.same(core.removed, [], 'and none was ended');
  for (const number of [1, 2]) {
    t.equal(core.state(number), 'confirmed');
    t.same(core.cards.get(number)?.flags, ['id_duplicate'], 'both are marked');
  }
});

t.test('tracks that are far apart are not merged on the word of a report without a place', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 3; s++) {
    core.step(
      s * 1000,
      positionAt(s * 1000, 0, 0, { identities: [mac('AA:AA'), serial('S-A')] }),
      positionAt(s * 1000, 9_000, 0, { identities: [mac('BB:BB')] }),
    );
  }
  core.step(3_000, heard(3_000, mac('BB:BB'), serial('S-A')));
  t.same(core.removed, []);
});

t.test('a report that calls its own place very uncertain merges nothing either', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 3; s++) {
    core.step(
      s * 1000,
      positionAt(s * 1000, 0, 0, { identities: [mac('AA:AA'), serial('S-A')] }),
      positionAt(s * 1000, 9_000, 0, { identities: [mac('BB:BB')] }),
    );
  }
  core.step(3_000, positionAt(3_000, 4_500, 0, { identities: [mac('BB:BB'), serial('S-A')], sigmaHM: 18_520 }));
  t.same(core.removed, []);
});

t.test('a serial heard in two places without any address is two tracks, not one for each report', async (t) => {
  const core = new CoreWitness();
  for (let s = 0; s < 20; s++) {
    const identities = [serial('S-A')];
    core.step(s * 1000, positionAt(s * 1000, 0, 0, { identities }), positionAt(s * 1000, 9_000, 0, { identities }));
  }
  t.same(core.numbers(), [1, 2]);
  t.equal(core.state(2), 'confirmed');
});

t.test('a name that a track forgot leads nowhere, least of all to a track that has ended', async (t) => {
  const core = new CoreWitness();
  for (let i = 0; i < 40; i++) {
    core.step(i * 100, positionAt(i * 100, i, 0, { identities: [mac('AA:AA'), serial(`S-${i}`)] }));
  }
  for (let s = 4; s < 90; s++) core.step(s * 1000);
  t.same(core.numbers(), [], 'it has ended');
  for (let i = 0; i < 40; i++) {
    core.step(90_000, positionAt(90_000, 0, i * 5_000, { identities: [serial(`S-${i}`)] }));
  }
  t.equal(core.numbers().length, 40, 'each name begins a track of its own');
  t.notOk(core.numbers().includes(1));
});

t.test('copies beyond count do not push out the aircraft they copy', async (t) => {
  const core = new CoreWitness({ maxTracks: 500 });
  const identities = [serial('S-A')];
  for (let s = 0; s < 20; s++) {
    core.step(s * 1000, positionAt(s * 1000, s * 10, 0, { identities }));
    for (let i = 1; i <= 40; i++) {
      core.step(s * 1000, positionAt(s * 1000, 0, i * 9_000, { identities: [mac(`CC:${s}:${i}`), serial('S-A')] }));
    }
  }
  t.equal(core.state(1), 'confirmed');
  t.ok(Math.abs(core.column(1, 'latDeg') - (47 + 190 / 111_194)) < 0.0002, 'the first is where it is');
});

/** Telemetry of a vehicle over links that prove it, or over ones that do not. */
function telemetry(s: number, eastM: number, authentic: boolean, ...addresses: string[]): Observation {
  const identities = addresses.map((value): Identity => ({ type: 'mavlink', value, transport: 'mavlink' }));
  return positionAt(s * 1_000, eastM, 0, { identities, authentic });
}

t.test('two tracks of one vehicle are one once it reports both addresses, and the older remains', async (t) => {
  for (const reporter of ['fast', 'slow'] as const) {
    const core = new CoreWitness();
    for (let s = 0; s < 3; s++) core.step(s * 1_000, telemetry(s, 0, true, 'fast'), telemetry(s, 1, true, 'slow'));
    t.same(core.numbers(), [1, 2]);
    core.step(3_000, telemetry(3, 0, true, ...(reporter === 'fast' ? ['fast', 'slow'] : ['slow', 'fast'])));
    for (let s = 4; s < 7; s++) core.step(s * 1_000, telemetry(s, 0, true, 'fast'), telemetry(s, 1, true, 'slow'));
    t.same(core.numbers(), [1], reporter);
    t.match(core.removed, [{ number: 2, reason: 'merged' }], reporter);
  }
});

t.test('an address that is elsewhere, or that an unproven report names, is of no other track', async (t) => {
  for (const [eastM, authentic] of [
    [1, false],
    [9_000, true],
  ] as const) {
    const core = new CoreWitness();
    const beside = (s: number): Observation => telemetry(s, eastM, authentic, 'slow');
    for (let s = 0; s < 3; s++) core.step(s * 1_000, telemetry(s, 0, authentic, 'fast'), beside(s));
    for (let s = 3; s < 6; s++) core.step(s * 1_000, telemetry(s, 0, authentic, 'fast', 'slow'), beside(s));
    t.same(core.numbers(), [1, 2], `${eastM} m, ${authentic}`);
    t.same(core.removed, []);
  }
});
