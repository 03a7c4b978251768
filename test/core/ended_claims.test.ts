import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { IdentityMap } from '../../src/core/identity/identity_map.ts';
import { readDossier } from '../../src/core/integrity/dossier.ts';
import { OBSERVED } from '../../src/model/rows/layouts.ts';
import { collectGarbage } from '../support/basics/garbage.ts';

const identities = [{ type: 'serial' as const, value: '1581F000000000000001', transport: 'bt5' as const }];
const dossier = readDossier({ index: 0, identities, classification: [], operator: null, takeoff: null, status: null });

t.test('the stories of a claim go with its track, although the dossier of its aircraft is kept', async (t) => {
  const claims = new IdentityMap(16, { settle() {}, join() {}, forget() {} });
  const row = new Float64Array(OBSERVED.width).fill(Number.NaN);
  row[OBSERVED.receivedS] = 1;
  const receive = () => claims.resolve(dossier, row, 0);
  const ended = (() => {
    const claimant = receive();
    t.equal(receive(), claimant, 'the next report is of the same claim');
    claimant.track = 7;
    claims.release(claimant.index, 7);
    return new WeakRef(claimant);
  })();
  // A reference that was read holds until the turn of the event loop is over.
  await setImmediate();
  collectGarbage();
  t.equal(ended.deref(), undefined);
  t.equal(receive().track, 0, 'a later report begins a claim of its own');
});
