import t from 'tap';
import { isStanding } from '../../src/console/state/alert_vehicle.ts';
import { approvedWork } from '../../src/console/state/approved_work.ts';
import type { Engagement } from '../../src/model/engagement.ts';
import type { Task } from '../../src/model/task.ts';

const task = { id: 'k', asset_id: 'heron', verb: 'orbit', phase: 'going', ended_at: null } as unknown as Task;
const leg = { asset_id: 'heron', verb: 'orbit', params: { kind: 'track', track_id: 't', standoff_m: 100 } };

const engagementOf = (state: Engagement['state'], tasks: Task[] = [task]): Engagement =>
  ({
    state,
    track_id: 't',
    candidates: [{ id: 'p', legs: [leg] }],
    chosen_plan_id: 'p',
    tasks,
  }) as unknown as Engagement;

t.test('a vehicle works on a track while a plan that a person approved is carried out', async (t) => {
  const newest = { ...task, phase: 'on_station' } as Task;
  t.same(
    approvedWork([engagementOf('executing')], () => newest),
    [{ assetId: 'heron', trackId: 't', phase: 'on_station', standoffM: 100 }],
  );
  t.same(
    approvedWork([engagementOf('proposed')], () => newest),
    [],
    'a proposal is no work',
  );
  t.same(
    approvedWork([engagementOf('executing')], () => ({ ...task, ended_at: '2026-06-01T10:00:00.000Z' }) as Task),
    [],
    'nor is a task that ended',
  );
});

t.test('the own vehicle of an alert stands on the ground or in the air, as far as its speed is known', async (t) => {
  const alert = {
    rule_id: 'crewed_aircraft_near',
    subject: { type: 'track', id: 't', label: 'T-0005' },
    text: 'Crewed aircraft T-0005 is 900 m from Heron.',
  } as const;
  const row = { key: 'k', name: 'Heron', asset_id: 'heron', landed: 'in_air' } as const;
  const speed = (mps: number) => ({ speed_mps: mps, course_deg: 0, climb_mps: 0 });
  t.ok(isStanding(alert, [{ ...row, velocity: speed(0.2) }]));
  t.notOk(isStanding(alert, [{ ...row, velocity: speed(5) }]));
  t.notOk(isStanding(alert, [{ ...row, velocity: null }]), 'a speed that is unknown');
  t.notOk(isStanding(alert, []), 'no vehicle');
});
