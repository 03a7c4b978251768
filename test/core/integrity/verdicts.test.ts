import t from 'tap';
import { restoredFinding } from '../../../src/core/identity/claimant.ts';
import type { ReadDossier } from '../../../src/core/integrity/dossier.ts';
import { defaultPolicy } from '../../../src/model/decision_defaults.ts';
import type { Identity, Observation } from '../../../src/model/observation.ts';
import type { Integrity } from '../../../src/model/track_row.ts';
import { CoreWitness } from '../../support/core/core.ts';
import { mac, positionAt, serial } from '../../support/core/observation.ts';

const { identity } = defaultPolicy;
const GOOD = '1581F5FKD2294B000001';
const OTHER = '1581F5FKD2294B000002';
const BEGINS_MS = 1_000_000;

type Said = { eastM?: number; identities?: Identity[]; more?: Partial<Observation> };

/** Seconds of what each says, flying north at 4 m/s. */
function say(core: CoreWitness, fromS: number, untilS: number, ...all: Said[]): void {
  for (let s = fromS; s < untilS; s++) {
    const atMs = BEGINS_MS + s * 1000;
    const said = all.map(({ eastM = 0, identities = [serial(GOOD)], more }) =>
      positionAt(atMs, s * 4, eastM, { speedMps: 4, courseDeg: 0, sourceMs: atMs, identities, ...more }),
    );
    core.step(atMs, ...said);
  }
}

function held(core: CoreWitness, number = 1): [Integrity['verdict'] | undefined, number | undefined, ...string[]] {
  const integrity = core.cards.get(number)?.integrity;
  return [integrity?.verdict, integrity?.score, ...(integrity?.reasons ?? []).map(({ id }) => id)];
}

const operator = { lat: 47.2, lon: 8, type: 'live_gnss' as const };

t.test('a serial of another form is told and costs a little, and the verdict stays', async (t) => {
  const core = new CoreWitness();
  say(core, 0, 20, { identities: [serial('HOME-1')] });
  t.same(held(core), ['unchecked', 0.4, 'serial_malformed']);
  say(core, 20, 30, { identities: [serial('HOME-1')], more: { speedMps: 30 } });
  t.same(held(core), ['suspect', 0.1, 'speed_inconsistent', 'serial_malformed']);
});

t.test('the policy holds from the next report on, and a reason that no longer holds goes after a while', async (t) => {
  const core = new CoreWitness();
  core.core.setIdentityPolicy({ ...identity, operator_far_m: 50_000 });
  say(core, 0, 10, { more: { operator } });
  t.same(held(core), ['unchecked', 0.5], 'twenty kilometres are not too far here');
  core.core.setIdentityPolicy(identity);
  say(core, 10, 12, { more: { operator } });
  t.same(held(core), ['suspect', 0.2, 'operator_far']);
  const near = { more: { operator: { ...operator, lat: 47.01 } } };
  say(core, 12, 21, near);
  t.same(held(core), ['suspect', 0.2, 'operator_far'], 'held for a while');
  say(core, 21, 25, near);
  t.same(held(core), ['unchecked', 0.5]);
});

t.test('names told of two are marked while both speak and for as long as the policy says', async (t) => {
  const core = new CoreWitness();
  core.core.setIdentityPolicy({ ...identity, duplicate_hold_s: 20 });
  const one = { identities: [mac('AA:01'), serial(GOOD)] };
  const other = { identities: [mac('AA:02'), serial(GOOD)], eastM: 3_000 };
  say(core, 0, 60, one, other);
  for (const number of [1, 2]) {
    t.same(held(core, number), ['suspect', 0.2, 'duplicate_identity']);
    t.same(core.cards.get(number)?.flags, ['id_duplicate']);
  }
  say(core, 60, 79, one);
  t.same(held(core), ['suspect', 0.2, 'duplicate_identity'], 'held');
  say(core, 79, 90, one);
  t.same(held(core), ['unchecked', 0.5]);
  t.same(core.cards.get(1)?.flags, []);
});

t.test('who proves himself is not judged by what he says, nor is who speaks under his name', async (t) => {
  const core = new CoreWitness();
  const lies = { speedMps: 40, operator, sourceMs: 5 };
  say(core, 0, 20, { more: { ...lies, authentic: true } }, { eastM: 10, more: lies });
  t.same(held(core), ['unchecked', 0.5]);
});

t.test('crewed aircraft are not held to speeds that come in other messages than their places', async (t) => {
  const core = new CoreWitness();
  const crewed: Identity[] = [
    { type: 'icao24', value: '4B1234', transport: 'adsb' },
    { type: 'callsign', value: 'SWR12', transport: 'adsb' },
  ];
  say(core, 0, 20, { identities: crewed, more: { speedMps: 120 } });
  t.same(held(core), ['unchecked', 0.5]);
});

t.test('duplicate_identity states its finding: another aircraft, or a serial that changes', async (t) => {
  const text = (core: CoreWitness) => core.cards.get(1)?.integrity.reasons[0]?.text;
  const [two, changing, both] = [new CoreWitness(), new CoreWitness(), new CoreWitness()];
  const other = { identities: [mac('AA:02'), serial(GOOD)], eastM: 3_000 };
  say(two, 0, 20, { identities: [mac('AA:01'), serial(GOOD)] }, other);
  t.equal(text(two), 'another aircraft reports its identity');
  for (let s = 0; s < 6; s++) {
    const identities = [mac('AA:01'), serial(`1581F5FKD2294B00000${s}`)];
    say(changing, s, s + 1, { identities });
    say(both, s, s + 1, { identities }, { identities: [mac('AA:02'), serial('1581F5FKD2294B000000')], eastM: 3_000 });
  }
  t.equal(text(changing), 'its own serial changes');
  t.equal(text(both), 'another aircraft reports its identity, and its own serial changes');
});

t.test('a serial that changes again after the hold is found again', async (t) => {
  const core = new CoreWitness();
  core.core.setIdentityPolicy({ ...identity, duplicate_hold_s: 20 });
  const of = (s: number) => [mac('AA:01'), serial(s % 2 === 0 ? GOOD : OTHER)];
  for (let s = 0; s < 10; s++) say(core, s, s + 1, { identities: of(s) });
  t.same(held(core), ['suspect', 0.2, 'duplicate_identity']);
  say(core, 10, 40, { identities: of(0) });
  t.same(held(core), ['unchecked', 0.5]);
  for (let s = 40; s < 44; s++) say(core, s, s + 1, { identities: of(s) });
  t.same(held(core), ['suspect', 0.2, 'duplicate_identity']);
  t.equal(core.cards.get(1)?.integrity.reasons[0]?.text, 'its own serial changes');
});

t.test('a forger with the address of a proven vehicle does not change its serial', async (t) => {
  const core = new CoreWitness();
  const own: Said = { identities: [mac('AA:01'), serial(GOOD)], more: { authentic: true } };
  say(core, 0, 20, own, { identities: [mac('AA:01'), serial(OTHER)], eastM: 3_000 });
  t.notMatch(
    core.cards
      .get(1)
      ?.integrity.reasons.map(({ text }) => text)
      .join() ?? '',
    'its own serial changes',
  );
});

t.test('a restored duplicate changes its serial only if it has two', async (t) => {
  const finding = (...names: string[]) => restoredFinding({ names } as unknown as ReadDossier);
  t.equal(finding('serial:A', 'serial:A', 'mac:B'), 'other_aircraft');
  t.equal(finding('serial:A', 'serial:C'), 'serial_changes');
});
