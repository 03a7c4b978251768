import t from 'tap';
import type { PlanVehicle } from '../../src/engagement/deps.ts';
import { mslOfHae } from '../../src/geo/geoid.ts';
import type { FleetRow } from '../../src/model/fleet.ts';
import type { PlatformPerformance } from '../../src/model/performance.ts';
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

const anna = somebody('anna');

type Of = Parameters<typeof openRegistry>[0];

/** As the fleet tells of a vehicle that stands, ready to take off. */
function stand(field: Field, vehicle: PlanVehicle): void {
  for (const verb of ['hold', 'land', 'goto', 'orbit', 'shadow', 'escort', 'search', 'set_speed'] as const)
    field.withhold(
      vehicle,
      verb,
      'on_ground',
      `${verb} is not available on ${vehicle.row.name}: the vehicle is on the ground`,
    );
}

const standing: Partial<FleetRow> = { landed: 'on_ground', armed: false, energy_pct: 95 };

function begin(of: Of, change: (field: Field, vehicle: PlanVehicle) => void = () => {}) {
  const field = new Field();
  const vehicle = field.addVehicle('North 1', standing);
  const at = vehicle.row.position;
  if (at) at.alt_hae_m = 230;
  stand(field, vehicle);
  const track = field.addTrack('high');
  change(field, vehicle);
  const rig = openRegistry(of);
  const engagements = engagementsOver(rig, field);
  engagements.tick();
  const approve = async () => {
    const proposal = proposalOf(engagements, track.id);
    return engagements.approve(approvalOf(proposal, planFor(proposal, 'investigate')), anna);
  };
  const rise = (id: string): void => {
    for (const state of vehicle.row.verbs) {
      const isUp = state.verb !== 'takeoff';
      Object.assign(state, { available: isUp, reason: isUp ? null : 'airborne', text: isUp ? null : 'it flies' });
    }
    vehicle.row.landed = 'in_air';
    field.change(id, { state: 'done', phase: 'over' });
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return { field, vehicle, track, engagements, approve, rise, settled };
}

t.test('a vehicle that stands ready takes off to the height of the track first, and that takes its time', (t) => {
  const { engagements, track, vehicle } = begin(t);
  const { legs } = planFor(proposalOf(engagements, track.id), 'investigate');
  t.match(legs, [
    { verb: 'takeoff', asset_id: vehicle.row.asset_id, params: { kind: 'value', height_m: 70 } },
    { verb: 'orbit', asset_id: vehicle.row.asset_id },
  ]);
  // 30 s until it can, unless its performance says other, and 70 m at 5 m/s.
  t.equal(legs[0]?.eta_s, 44);
  t.ok((legs[1]?.eta_s ?? 0) > 44);
  t.end();
});

t.test('it is never sent up higher than it may, nor lower than what stands about it', (t) => {
  const heightFor = (trackHaeM: number | null, performance: PlatformPerformance = {}): number | undefined => {
    const { engagements, track } = begin(t, (field, vehicle) => {
      vehicle.performance = { ...vehicle.performance, ...performance };
      const seen = [...field.seen.values()][0];
      if (seen?.position) seen.position.alt_hae_m = trackHaeM;
    });
    const [up] = planFor(proposalOf(engagements, track.id), 'investigate').legs;
    return up?.params.kind === 'value' ? up.params.height_m : undefined;
  };
  t.equal(heightFor(900), 115, 'its ceiling, less what is not known of the ground');
  t.equal(heightFor(900, { ceiling_msl_m: mslOfHae(290, SITE.lat, SITE.lon) }), 55, 'its ceiling above sea level');
  t.equal(heightFor(210), 20);
  t.equal(heightFor(null), 20);
  t.end();
});

t.test('who cannot take off is left out, with the reason of that', (t) => {
  const { engagements, track } = begin(t, (field, vehicle) =>
    field.withhold(vehicle, 'takeoff', 'not_armable', 'takeoff is not available on North 1: its own checks fail'),
  );
  const plan = planFor(proposalOf(engagements, track.id), 'investigate');
  t.match(plan, { feasible: false, legs: [], infeasible_reasons: [{ reason: 'not_armable', text: /checks fail/ }] });
  t.end();
});

t.test('energy for the way up and down is kept too', (t) => {
  const { engagements, track } = begin(t, (_, vehicle) => {
    vehicle.row.energy_pct = 80;
    vehicle.enduranceS = 400;
    vehicle.performance = { ...vehicle.performance, climb_rate_mps: 1 };
  });
  const plan = planFor(proposalOf(engagements, track.id), 'investigate');
  t.match(plan, { feasible: false, infeasible_reasons: [{ reason: 'low_energy', text: /after its take-off/ }] });
  t.end();
});

t.test('what comes after the take-off begins once that is done, and by then alone', async (t) => {
  const { field, engagements, approve, rise, settled } = begin(t);
  const begun = await approve();
  t.equal(begun.state, 'executing');
  await settled();
  t.same(
    field.begun.map(({ leg }) => leg.verb),
    ['takeoff'],
  );
  field.pass(130);
  engagements.tick();
  t.equal(engagements.get(begun.id).state, 'executing', 'that the plan had expired by now is nothing to what runs');
  rise(begun.tasks[0]?.id ?? '');
  await settled();
  t.same(
    field.begun.map(({ leg }) => leg.verb),
    ['takeoff', 'orbit'],
  );
  t.equal(engagements.get(begun.id).state, 'executing');
  field.change(field.begun[1]?.task.id ?? '', { state: 'done', phase: 'over' });
  await settled();
  t.match(engagements.get(begun.id), { state: 'completed', tasks: [{ verb: 'takeoff' }, { verb: 'orbit' }] });
  t.same(field.home, []);
});

t.test('a take-off that fails fails all of it, with its reason', async (t) => {
  const { field, engagements, approve, settled } = begin(t);
  const begun = await approve();
  field.change(begun.tasks[0]?.id ?? '', { state: 'failed', phase: 'over', reason: 'the vehicle did not lift off' });
  await settled();
  t.match(engagements.get(begun.id), { state: 'failed', reason: 'the vehicle did not lift off' });
  t.equal(field.begun.length, 1);
  t.same(field.home, [], 'it stands where it stood');
});

for (const [what, change, reason] of [
  [
    'its track is another than it was held for',
    ({ field, track }: ReturnType<typeof begin>) => field.seen.set(track.id, { ...track, affiliation: 'neutral' }),
    /the affiliation of/,
  ],
  ['its track is gone', ({ field, track }: ReturnType<typeof begin>) => field.seen.delete(track.id), /has ended/],
  [
    'its way is not clear',
    ({ field, vehicle }: ReturnType<typeof begin>) =>
      field.refused.set(vehicle.row.asset_id ?? '', { reason: 'keep_out', text: 'the path crosses a zone' }),
    /crosses a zone/,
  ],
  ['the decision config is another', ({ field }: ReturnType<typeof begin>) => field.policyVersion++, /version/],
] as const) {
  t.test(`${what} when it is up: it is told no more than to come home, and all of it failed`, async (t) => {
    const all = begin(t);
    const begun = await all.approve();
    change(all);
    all.rise(begun.tasks[0]?.id ?? '');
    await all.settled();
    t.match(all.engagements.get(begun.id), { state: 'failed', reason: /^a vehicle took off and cannot begin orbit: / });
    t.match(all.engagements.get(begun.id).reason, reason);
    t.equal(all.field.begun.length, 1);
    t.same(all.field.home, [all.vehicle.row.asset_id]);
  });
}

t.test('who is cancelled on its way up is told no more', async (t) => {
  const { field, engagements, approve, rise, settled } = begin(t);
  const begun = await approve();
  const id = begun.tasks[0]?.id ?? '';
  engagements.cancel(begun.id, { reason: 'a test' }, anna);
  t.same(field.cancelled, [id]);
  rise(id);
  await settled();
  t.equal(field.begun.length, 1);
  t.equal(engagements.get(begun.id).state, 'cancelled');
  t.same(field.home, []);
});

t.test('cancelled just when the next is told, that is ended too', async (t) => {
  const { field, engagements, approve, rise, settled } = begin(t);
  const begun = await approve();
  let letGo = (): void => {};
  field.beforeStart = () =>
    new Promise((resolve) => {
      letGo = resolve;
    });
  rise(begun.tasks[0]?.id ?? '');
  await settled();
  engagements.cancel(begun.id, { reason: 'a test' }, anna);
  letGo();
  await settled();
  t.equal(field.begun.length, 2);
  t.same(field.cancelled, [field.begun[1]?.task.id]);
});

t.test('one of two that does not get up ends the way of the other', async (t) => {
  const { field, engagements, approve, settled } = begin(t, (field) =>
    stand(field, field.addVehicle('North 2', standing, 100, 520)),
  );
  const begun = await approve();
  t.equal(begun.tasks.length, 2);
  field.change(begun.tasks[1]?.id ?? '', { state: 'failed', phase: 'over', reason: 'the vehicle did not lift off' });
  await settled();
  t.equal(engagements.get(begun.id).state, 'failed');
  t.same(field.cancelled, [begun.tasks[0]?.id]);
});
