import t from 'tap';
import { isAnswered } from '../../src/console/state/alert_vehicle.ts';
import { approvedWork } from '../../src/console/state/approved_work.ts';
import type { Engagement } from '../../src/model/engagement.ts';
import type { Task } from '../../src/model/task.ts';

const task = { id: 'k', asset_id: 'heron', verb: 'orbit', phase: 'going', ended_at: null } as unknown as Task;
const leg = { asset_id: 'heron', verb: 'orbit', params: { kind: 'track', track_id: 't', standoff_m: 100 } };

const engagementOf = (state: Engagement['state'], decisions = ['approved']): Engagement =>
  ({
    ...{ state, track_id: 't', candidates: [{ id: 'p', legs: [leg] }], chosen_plan_id: 'p', tasks: [task] },
    approvals: decisions.map((decision) => ({ decision })),
  }) as unknown as Engagement;

t.test('a vehicle works on a track while a plan that a person approved is carried out', async (t) => {
  const newest = { ...task, phase: 'on_station' } as Task;
  t.same(
    approvedWork([engagementOf('executing')], () => newest),
    [{ assetId: 'heron', trackId: 't', verb: 'orbit', phase: 'on_station', standoffM: 100 }],
  );
  t.same(
    approvedWork([engagementOf('proposed')], () => newest),
    [],
    'a proposal is no work',
  );
  t.same(
    approvedWork([engagementOf('executing', [])], () => newest),
    [],
    'nor is a plan that began by itself approved',
  );
  t.same(
    approvedWork([engagementOf('executing')], () => ({ ...task, ended_at: '2026-06-01T10:00:00.000Z' }) as Task),
    [],
    'nor is a task that ended',
  );
});

t.test('nothing more can be ordered once the own vehicle stands, or the aircraft moves away from it', async (t) => {
  const alert = {
    track_ids: ['t'] as string[],
    rule_id: 'crewed_aircraft_near',
    subject: { type: 'track' as const, id: 't', label: 'T-0005' },
    text: 'Crewed aircraft T-0005 is 900 m from Heron.',
  };
  const place = { lat: 52, lon: 4, alt_hae_m: 100, alt_msl_m: 60, alt_agl_m: null, height_takeoff_m: null };
  const moving = (mps: number, courseDeg = 0) => ({ speed_mps: mps, course_deg: courseDeg, climb_mps: 0 });
  const row = {
    key: 'k',
    name: 'Heron',
    asset_id: 'heron',
    landed: 'in_air',
    connection: 'online' as const,
    position: place,
  } as const;
  const north = { position: { ...place, lat: 52.01 }, velocity: moving(50, 180) };
  t.ok(isAnswered(alert, north, [{ ...row, velocity: moving(0.2) }]), 'it stands');
  t.notOk(isAnswered(alert, north, [{ ...row, velocity: moving(5) }]), 'it flies towards the aircraft');
  t.ok(isAnswered(alert, { ...north, velocity: moving(50) }, [{ ...row, velocity: moving(5) }]), 'the aircraft leaves');
  t.notOk(isAnswered(alert, { ...north, velocity: moving(6) }, [{ ...row, velocity: moving(5) }]), 'it follows it');
  t.notOk(isAnswered(alert, undefined, [{ ...row, velocity: moving(5) }]), 'an unknown place');
  t.notOk(isAnswered(alert, north, [{ ...row, velocity: null }]), 'an unknown speed');
  t.notOk(isAnswered(alert, north, []), 'no vehicle');
  t.notOk(isAnswered(alert, north, [{ ...row, connection: 'stale', velocity: moving(0.2) }]), 'a lost link');
  t.notOk(isAnswered(alert, north, [{ ...row, velocity: { ...moving(0.2), climb_mps: 4 } }]), 'it climbs');
  t.notOk(isAnswered({ ...alert, track_ids: ['t', 'u'] }, north, [{ ...row, velocity: moving(0.2) }]), 'two aircraft');
});
