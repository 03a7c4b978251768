import t from 'tap';
import { CoreWitness } from '../support/core/core.ts';
import { mac, positionAt, serial } from '../support/core/observation.ts';

t.test('an anonymous aircraft that flies out of the plane it began in stays one track', async (t) => {
  const core = new CoreWitness();
  core.step(0, positionAt(0, 0, 0, { identities: [mac('AA:AA')] }));
  for (let s = 0; s < 120; s++) core.step(s * 1000, positionAt(s * 1000, 47_000 + s * 60, 0));
  const anonymous = core.numbers().filter((number) => core.cards.get(number)?.identities.length === 0);
  t.equal(anonymous.length, 1, 'one track over fifty kilometres from where the first aircraft was seen');
});

t.test('invented aircraft all over the earth cost a real one nothing of its place', async (t) => {
  const alone = new CoreWitness({ maxTracks: 300 });
  const crowded = new CoreWitness({ maxTracks: 300 });
  for (let i = 0; i < 160; i++) {
    crowded.step(0, { ...positionAt(0, 0, 0, { identities: [mac(`F:${i}`)] }), latDeg: i - 80, lonDeg: 100 });
  }
  for (let s = 0; s < 10; s++) {
    const said = { identities: [serial('S1')], altHaeM: 500, sigmaVM: 30, speedMps: 10, courseDeg: 0 };
    for (const core of [alone, crowded]) core.step(s * 1000, positionAt(s * 1000, s * 10, 0, said));
  }
  const real = crowded.numbers().find((number) => crowded.cards.get(number)?.identities[0]?.value === 'S1') ?? 0;
  for (const column of ['majorM', 'minorM', 'sigmaVM'] as const) {
    const [told, expected] = [crowded.column(real, column), alone.column(1, column)];
    t.ok(Math.abs(told - expected) < 0.01, `${column} ${told} is ${expected}`);
  }
});

t.test('the other side of the earth is not near', async (t) => {
  const core = new CoreWitness();
  const said = { altHaeM: 500, sigmaVM: 3 };
  for (let s = 0; s < 5; s++) {
    core.step(s * 1000, positionAt(s * 1000, 0, 0, { ...said, identities: [mac('AA:AA'), serial('S1')] }));
  }
  // Where a line straight down through the earth comes out: north and east of it are nothing in the track's plane.
  for (let lat = -47.4; lat < -46.2; lat += 0.002) {
    const claim = positionAt(5_000, 0, 0, { ...said, identities: [mac('CC:CC'), serial('S1')] });
    core.step(5_000, { ...claim, latDeg: lat, lonDeg: -172 });
  }
  t.ok(Math.abs(core.column(1, 'latDeg') - 47) < 1e-4);
  t.ok(Math.abs(core.column(1, 'altHaeM') - 500) < 1, `at ${core.column(1, 'altHaeM')} m`);
});
