import fc from 'fast-check';
import t from 'tap';
import { TRACK } from '../../src/model/rows/layouts.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { CoreWitness } from '../support/core/core.ts';
import { mac, positionAt } from '../support/core/observation.ts';

t.test('no declared error, however small or large, makes a track lose its place', async (t) => {
  const seed = seedOf(t);
  const metres = fc.constantFrom(Number.MIN_VALUE, 1e-200, 1e-9, 1e-3, 1, 100, 100_000);
  const speeds = fc.constantFrom(Number.MIN_VALUE, 1e-200, 1e-9, 1, 1_000);
  const report = fc.record({
    afterMs: fc.constantFrom(0, 0, 1, 1_000, -1_500),
    northM: fc.integer({ min: -100, max: 100 }),
    sigmaHM: metres,
    sigmaVM: metres,
    sigmaSpeedMps: speeds,
    altHaeM: fc.constantFrom(null, 400, 410),
    speedMps: fc.constantFrom(null, 0, 20),
  });
  fc.assert(
    fc.property(fc.array(report, { minLength: 2, maxLength: 30 }), (reports) => {
      const core = new CoreWitness();
      let atMs = 10_000;
      for (const { afterMs, northM, ...said } of reports) {
        atMs += afterMs;
        core.step(atMs, positionAt(atMs, northM, 0, { ...said, courseDeg: 90, climbMps: 1, identities: [mac('AA')] }));
      }
      const row = core.rows.get(1);
      const told = [TRACK.latDeg, TRACK.lonDeg, TRACK.eastMps, TRACK.majorM, TRACK.minorM].map(
        (column) => row?.[column],
      );
      if (!told.every(Number.isFinite)) throw new Error(`the row holds ${told}`);
      // Who declares hundreds of kilometres may be shown so far off, as long as that is said.
      const offM = Math.abs(core.column(1, 'latDeg') - 47) * 111_194;
      if (offM > 11_000 + 3 * core.column(1, 'majorM')) throw new Error(`it stands ${offM} m off`);
    }),
    { seed, numRuns: sized(300) },
  );
});
