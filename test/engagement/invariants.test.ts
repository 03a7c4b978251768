import fc from 'fast-check';
import t from 'tap';
import type { Decider } from '../../src/engagement/deps.ts';
import { isOver } from '../../src/model/command.ts';
import type { Engagement } from '../../src/model/engagement.ts';
import { verbs } from '../../src/model/verb.ts';
import { seedOf } from '../support/basics/seed.ts';
import { sized } from '../support/basics/size.ts';
import { engagementsOver, Field, onOpenSurface, somebody } from '../support/engagement/engagement.ts';
import { openRegistry, type RegistryRig } from '../support/registry/registry.ts';

/** What may happen, in any order: people who decide, and a world that changes under their hands. */
type Step = { do: string; who: number; which: number; plan: number; by: number };
const people: readonly Decider[] = [
  somebody('anna'),
  somebody('ben'),
  somebody('carl', 'owner'),
  somebody('vera', 'viewer'),
  { ...somebody('feed', 'owner'), userId: null, isKey: true },
  onOpenSurface,
];
const deeds = ['approve', 'reject', 'cancel', 'propose', 'pass', 'tick', 'auto', 'end', 'spoil'];
const worse = [
  'affiliation',
  'config',
  'doctrine',
  'verb',
  'path',
  'age',
  'gone',
  'picture',
  'energy',
  'two',
  'posture',
];
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 8, arbitrary: fc.constant('approve') },
    { weight: 8, arbitrary: fc.constantFrom(...deeds) },
    { weight: 2, arbitrary: fc.constantFrom(...worse) },
  ),
  who: fc.oneof(fc.nat(2), fc.nat(people.length - 1)),
  which: fc.nat(5),
  plan: fc.nat(5),
  by: fc.integer({ min: 1, max: 130 }),
});

t.test('nothing is begun without what it takes, whatever people do and whatever changes', async (t) => {
  const rig = openRegistry(t);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), fc.boolean(), async (steps, twoPeople) => {
      await played(rig, steps, twoPeople);
    }),
    { seed: seedOf(t), numRuns: sized(120) },
  );
});

async function played(rig: RegistryRig, steps: readonly Step[], twoPeople: boolean): Promise<void> {
  const field = new Field();
  if (twoPeople) field.policy.engagement.two_person.push('orbit');
  field.policy.autonomy = 'observe_auto';
  for (const [i, name] of ['North 1', 'South 1', 'East 1'].entries()) field.addVehicle(name, {}, i * 120);
  for (const level of ['critical', 'high', 'medium'] as const) field.addTrack(level, {}, field.seen.size * 90);
  const engagements = engagementsOver(rig, field);
  engagements.tick();
  const states = new Map<string, string>();
  for (const one of steps) {
    const before = field.begun.length;
    const proposed = new Map(engagements.view().engagements.map((row) => [row.id, row]));
    await taken(field, engagements, one);
    // What begins by itself begins a moment later.
    await new Promise((resolve) => setImmediate(resolve));
    for (const { leg, task, atMs } of field.begun.slice(before)) {
      const engagement = engagements.get(task.engagement_id ?? '');
      mustBeAgreed(engagement, proposed.get(engagement.id), leg, field, atMs);
    }
    for (const row of engagements.view().engagements) {
      const was = states.get(row.id);
      if (was !== undefined && !isRunning(was) && was !== row.state) throw new Error(`${was} became ${row.state}`);
      if (proposed.has(row.id) && JSON.stringify(proposed.get(row.id)?.candidates) !== JSON.stringify(row.candidates))
        throw new Error('plans changed under a hand');
      states.set(row.id, row.state);
    }
    if (
      field.begun.some(({ task }) => !isOver(task.state) && !isRunning(engagements.get(task.engagement_id ?? '').state))
    )
      throw new Error('a task outlived its engagement');
  }
  for (const row of engagements.open()) engagements.cancel(row.id, {}, somebody('anna'));
}

function isRunning(state: string): boolean {
  return ['proposed', 'pending_approval', 'approved', 'executing'].includes(state);
}

function mustBeAgreed(
  { approvals, candidates, chosen_plan_id }: Engagement,
  before: Engagement | undefined,
  leg: Engagement['candidates'][number]['legs'][number],
  field: Field,
  atMs: number,
): void {
  const plan = candidates.find(({ id }) => id === chosen_plan_id);
  if (!plan?.legs.some((one) => one === leg)) throw new Error('a leg that was not in the plan');
  if (atMs + Date.parse('2025-06-01T12:00:00.000Z') >= Date.parse(plan.expires_at)) throw new Error('it had expired');
  const yes = approvals.filter(({ decision }) => decision === 'approved');
  const state = field.vehicles.get(leg.asset_id)?.row.verbs.find(({ verb }) => verb === leg.verb);
  if (!state?.available || field.refused.has(leg.asset_id)) throw new Error('a verb that cannot be used');
  if (plan.policy_version !== field.policyVersion) throw new Error('another config');
  if (yes.length === 0) {
    if (verbs[leg.verb].class !== 'observation' || !field.policy.engagement.automatic.includes(leg.verb))
      throw new Error(`${leg.verb} began by itself`);
    if (field.autonomy !== 'observe_auto') throw new Error('nobody had confirmed it');
    return;
  }
  if (!before) throw new Error('nobody could have read it');
  const distinct = new Set(yes.map(({ user_id, by }) => user_id ?? by));
  if (distinct.size < plan.required_approvals) throw new Error('too few people');
  if (plan.required_approvals > 1 && yes.some(({ user_id }) => user_id === null)) throw new Error('people unknown');
  if (yes.some(({ role, by }) => role === 'viewer' || by.startsWith('user:feed'))) throw new Error('who may not');
}

async function taken(field: Field, engagements: ReturnType<typeof engagementsOver>, one: Step): Promise<void> {
  const by = people[one.who] ?? onOpenSurface;
  const open = engagements.open();
  const row = open[one.which % Math.max(1, open.length)];
  const track = [...field.seen.values()][one.which % 3];
  const vehicle = [...field.vehicles.values()][one.which % 3];
  const quietly = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (thrown) {
      if (!(thrown instanceof Error) || thrown.name !== 'Fault') throw thrown;
    }
  };
  // Whoever is the second is asked about the plan that the first agreed to.
  const plan =
    row?.candidates.find(({ id }) => id === row.chosen_plan_id) ?? row?.candidates[one.plan % row.candidates.length];
  const ask = row && plan && { engagement_id: row.id, plan_id: plan.id, hash: plan.hash, seq: 1 };
  const named = { operator: 'anna', reason: 'a test' };
  if (one.do === 'approve' && ask) await quietly(() => engagements.approve({ ...ask, ...named }, by));
  else if (one.do === 'spoil' && ask) {
    const wrong = { ...ask, hash: `${ask.hash}0` };
    const before = field.begun.length;
    await quietly(() => engagements.approve({ ...wrong, ...named }, by));
    if (field.begun.length > before) throw new Error('another hash was begun');
  } else if (one.do === 'reject' && row) await quietly(() => engagements.reject(row.id, {}, by));
  else if (one.do === 'cancel' && row) await quietly(() => engagements.cancel(row.id, {}, by));
  else if (one.do === 'propose' && track) await quietly(() => engagements.propose(track.id, null, by));
  else if (one.do === 'pass') field.pass(one.by % 4 ? one.by / 8 : one.by);
  else if (one.do === 'auto') await quietly(() => engagements.confirmAutonomy('observe_auto', 'a test', by));
  else if (one.do === 'affiliation' && track)
    field.seen.set(track.id, { ...track, affiliation: one.by % 2 ? 'neutral' : 'hostile' });
  else if (one.do === 'config') field.policyVersion++;
  else if (one.do === 'doctrine') field.doctrineVersion++;
  else if (one.do === 'two') field.policy.engagement.two_person.push('shadow', 'look_at');
  else if (one.do === 'posture') field.policy.posture = one.by % 2 ? 'severe' : 'elevated';
  else if (one.do === 'verb' && vehicle) field.withhold(vehicle, 'orbit', 'busy', 'it is busy');
  else if (one.do === 'path' && vehicle)
    field.refused.set(vehicle.row.asset_id ?? '', { reason: 'keep_out', text: 'a tower stands there' });
  else if (one.do === 'age') field.nowMs += 6_000;
  else if (one.do === 'gone' && track) field.seen.delete(track.id);
  else if (one.do === 'picture') field.seqAgeMs = one.by % 2 ? null : 0;
  else if (one.do === 'energy' && vehicle) vehicle.row.energy_pct = one.by % 100;
  else if (one.do === 'end') {
    const running = field.begun.find(({ task }) => !isOver(task.state));
    if (running) field.change(running.task.id, { state: one.by % 2 ? 'done' : 'failed', phase: 'over' });
  }
  if (one.do === 'tick' || one.by % 3 === 0) engagements.tick();
}
