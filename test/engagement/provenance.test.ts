import t, { type Test } from 'tap';
import type { Provenance } from '../../src/model/track.ts';
import {
  approvalOf,
  engagementsOver,
  Field,
  planFor,
  proposalOf,
  SITE,
  somebody,
} from '../support/engagement/engagement.ts';
import { openRegistry } from '../support/registry/registry.ts';

const worlds: readonly Provenance[] = ['live', 'simulated', 'replayed'];
const pairs = worlds.flatMap((vehicle) => worlds.map((track) => [vehicle, track] as const));

/** A vehicle of one world and a track of a world, seen by one engagement service. */
function meet(t: Test, vehicle: Provenance, track: Provenance) {
  const field = new Field();
  field.addVehicle('Heron', { provenance: vehicle });
  const seen = field.addTrack('high', { provenance: track });
  const engagements = engagementsOver(openRegistry(t), field);
  engagements.tick();
  return { field, engagements, vehicle, track: seen };
}

t.test('a vehicle serves tracks of its own world, and no plan sends it to a track of another', async (t) => {
  for (const [vehicle, track] of pairs) {
    const of = meet(t, vehicle, track);
    const plan = planFor(proposalOf(of.engagements, of.track.id), 'investigate');
    t.equal(plan.provenance, track);
    if (vehicle === track) {
      t.match(plan, { feasible: true, legs: [{ verb: 'orbit' }] }, `${vehicle} serves ${track}`);
      continue;
    }
    const text = `Heron is ${vehicle} and ${of.track.number} is ${track}: they are in different worlds`;
    t.match(plan, { feasible: false, legs: [], infeasible_reasons: [{ reason: 'policy_denied', text }] });
  }
});

t.test('a vehicle that turns out to be of another world is not sent, whichever of the two is live', async (t) => {
  for (const [vehicle, track] of pairs.filter(([vehicle, track]) => vehicle !== track)) {
    const { field, engagements, track: seen } = meet(t, track, track);
    const proposal = proposalOf(engagements, seen.id);
    const ask = approvalOf(proposal, planFor(proposal, 'investigate'));
    for (const { row } of field.vehicles.values()) row.provenance = vehicle;
    const message = `Heron is ${vehicle} and ${seen.number} is ${track}: they are in different worlds`;
    await t.rejects(engagements.approve(ask, somebody('anna')), { code: 'conflict', message });
    t.same(field.begun, [], `${vehicle} was not sent to ${track}`);
  }
});

t.test('the world of each vehicle is asked again right before it is sent', async (t) => {
  const field = new Field();
  field.policy.engagement.max_assets = 2;
  field.doctrine.planning_profiles = field.doctrine.planning_profiles.map((one) => ({ ...one, max_assets: 2 }));
  field.addVehicle('Heron', { provenance: 'simulated' }, 90);
  field.addVehicle('Egret', { provenance: 'simulated' }, 270);
  const track = field.addTrack('high', { provenance: 'simulated', position: { ...SITE, ...heights } });
  const engagements = engagementsOver(openRegistry(t), field);
  engagements.tick();
  const proposal = proposalOf(engagements, track.id);
  const plan = planFor(proposal, 'investigate');
  t.equal(plan.legs.length, 2);
  const second = field.vehicles.get(plan.legs[1]?.asset_id ?? '');
  field.beforeStart = async () => {
    if (second) second.row.provenance = 'live';
  };
  await t.rejects(engagements.approve(approvalOf(proposal, plan), somebody('anna')), {
    message: /in different worlds/,
  });
  t.match(
    field.begun.map(({ leg, task }) => [leg.asset_id, task.state]),
    [[plan.legs[0]?.asset_id, 'cancelled']],
    'all vehicles of a plan go or none',
  );
});

const heights = { alt_hae_m: 300, alt_msl_m: null, alt_agl_m: null, height_takeoff_m: null };
