import { setImmediate } from 'node:timers/promises';
import t from 'tap';
import { IdentityMap } from '../../src/core/identity/identity_map.ts';
import { type ReadDossier, readDossier } from '../../src/core/integrity/dossier.ts';
import { OBSERVED } from '../../src/model/rows/layouts.ts';
import { collectGarbage } from '../support/basics/garbage.ts';

const dossier = dossierOf(0, '1581F000000000000001');

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

t.test('a claim that was silent for a quarter of an hour ends, unless it has a track', async (t) => {
  const ended: number[] = [];
  const claims = new IdentityMap(16, { settle() {}, join() {}, forget: (claim) => void ended.push(claim) });
  const dossiers = { tracked: dossierOf(0, 'S-0'), silent: dossierOf(1, 'S-1'), again: dossierOf(2, 'S-2') };
  const receive = (name: keyof typeof dossiers, atS: number) => {
    const row = new Float64Array(OBSERVED.width).fill(Number.NaN);
    row[OBSERVED.receivedS] = atS;
    return claims.resolve(dossiers[name], row, 0);
  };
  const [tracked, silent, again] = [receive('tracked', 1), receive('silent', 2), receive('again', 3)];
  tracked.track = 7;
  receive('again', 500);
  const hasTrack = (number: number): boolean => number === 7;
  claims.forgetSilent(901.9, hasTrack);
  t.same(ended, []);
  claims.forgetSilent(902, hasTrack);
  t.same(ended, [silent.index], 'the claim with a track before it does not keep it');
  t.equal(receive('again', 1000), again);
  t.equal(receive('tracked', 1000), tracked);
  t.not(receive('silent', 1000), silent, 'a later report begins a claim of its own');
});

function dossierOf(index: number, value: string): ReadDossier {
  const identities = [{ type: 'serial' as const, value, transport: 'bt5' as const }];
  return readDossier({ index, identities, classification: [], operator: null, takeoff: null, status: null });
}
