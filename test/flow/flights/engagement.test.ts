import t from 'tap';
import type { Engagement, StopAll } from '../../../src/model/engagement.ts';
import { onlyInFull, takeTime } from '../../support/basics/patience.ts';
import { until } from '../../support/daemon/daemon.ts';
import { firstOwner } from '../../support/daemon/signed_in.ts';
import { must, Threatened } from '../../support/daemon/threatened_site.ts';
import { COPTER_MODE } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { groundSpeed } from '../../support/vehicles/flight.ts';

onlyInFull(t);
takeTime(t, 300);

/** What makes a vehicle do something, of all that it was told. */
function orders({ copter }: Threatened) {
  const moving: readonly number[] = [CMD.armDisarm, CMD.takeoff, CMD.setMode, CMD.reposition, CMD.returnToLaunch];
  return copter.recorder.commands().filter(({ fields }) => moving.includes(Number(fields.command)));
}

const isOnStation = ({ tasks }: Engagement): boolean =>
  tasks.some(({ verb, phase, state }) => verb === 'shadow' && phase === 'on_station' && state === 'executing');

function stands({ copter }: Threatened): Promise<true> {
  return until(async () => copter.mode === COPTER_MODE.brake && groundSpeed(copter.body) < 0.5, 'it holds');
}

t.test(
  'a copter on the ground takes off at the word of a person, shadows, and holds when that is taken back',
  async (t) => {
    const box = await Threatened.begin(t);
    const { copter, daemon } = box;
    const found = await box.planFor('shadow');
    const { plan } = found;
    t.match(plan, { required_approvals: 1, infeasible_reasons: [] });
    t.match(plan.legs, [
      { verb: 'takeoff', asset_id: box.assetId, params: { kind: 'value' } },
      { verb: 'shadow', asset_id: box.assetId, params: { kind: 'track', standoff_m: 100 } },
    ]);
    const [up, on] = plan.legs;
    t.ok((on?.eta_s ?? 0) > (up?.eta_s ?? 0), 'the way up comes before');
    t.ok((on?.energy_after_pct ?? 100) < (up?.energy_after_pct ?? 0));
    t.same(orders(box), [], 'nothing was sent before anybody agreed');
    const begun = await box.approve(found);
    t.match(begun, { state: 'executing', tasks: [{ verb: 'takeoff' }] });
    t.equal(begun.tasks.length, 1, 'it is up before it is told more');
    await box.becomes(begun.id, isOnStation, 'it is on station', 120_000);
    t.ok(copter.recorder.closestTo([box.target]) >= 99, `${copter.recorder.closestTo([box.target])} m`);
    t.ok(Math.abs(copter.body.altM - 45) < 8, `${copter.body.altM} m up`);

    const cancelled = await must<Engagement>(daemon, `/api/engagement/${begun.id}/cancel`, { operator: 'anna' });
    t.match(cancelled, { state: 'cancelled' });
    t.match(
      cancelled.tasks.map(({ verb, state }) => [verb, state]),
      [
        ['takeoff', 'done'],
        ['shadow', 'cancelled'],
      ],
    );
    await stands(box);

    await t.test('in the air it needs no take-off, and holds when everything is stopped', async (t) => {
      await must(daemon, '/api/engagement/propose', { track_id: plan.track_id });
      const again = await box.planFor('shadow');
      t.match(
        again.plan.legs.map(({ verb }) => verb),
        ['shadow'],
      );
      const flown = await box.approve(again);
      await box.becomes(flown.id, isOnStation, 'it is on station');
      const stopped = await must<StopAll>(daemon, '/api/engagement/stop_all', { operator: 'anna', reason: 'a test' });
      t.match(stopped, { engagements: 1, tasks: 1, platforms: [{ asset_id: box.assetId, held: true }] });
      t.equal((await box.engagement(flown.id)).state, 'cancelled');
      await stands(box);
    });

    await t.test('it is called home from what is near, as far as a person lets it', async (t) => {
      await box.setPosture('severe');
      await must(daemon, '/api/engagement/propose', { track_id: plan.track_id });
      const called = await box.approve(await box.planFor('return'));
      t.match(called, { state: 'executing', tasks: [{ verb: 'return_home', asset_id: box.assetId }] });
      await until(async () => copter.mode === COPTER_MODE.rtl, 'it returns');
      const held = await must<Engagement>(daemon, `/api/engagement/${called.id}/cancel`, { operator: 'anna' });
      t.match(held, { state: 'cancelled', tasks: [{ state: 'cancelled' }] });
      // A hold replaces no return: the vehicle is on its way home until a person sends it elsewhere.
      t.equal(copter.mode, COPTER_MODE.rtl);
      await box.setPosture('elevated');
    });

    await t.test('its track is heard no more: it holds, comes home, and the engagement says so', async (t) => {
      await must(daemon, '/api/engagement/propose', { track_id: plan.track_id });
      const flown = await box.approve(await box.planFor('shadow'));
      await box.becomes(flown.id, isOnStation, 'it is on station');
      box.blind();
      await box.becomes(flown.id, ({ tasks }) => tasks[0]?.phase === 'holding', 'it holds');
      const ended = await box.becomes(flown.id, ({ state }) => state === 'failed', 'it is given up');
      t.match(ended.reason, /T-\d{4}.*the vehicle returns home/);
      t.equal(copter.mode, COPTER_MODE.rtl);
    });
  },
);

t.test('where two must agree one is not enough; who stops everything stops a take-off', async (t) => {
  const box = await Threatened.begin(t, { two_person: ['takeoff'] });
  const { copter, daemon } = box;
  const found = await box.planFor('shadow');
  t.equal(found.plan.required_approvals, 2, 'what any leg takes counts');
  const open = await daemon.post('/api/engagement/task', { ...(await box.approvalOf(found)), operator: 'anna' });
  t.match([open.status, open.body.error], [409, /sign(?:ed)? in/]);
  const anna = await firstOwner(t, daemon);
  const ben = await anna.member('ben', 'operator');
  const first = await anna.get<Engagement>('POST', '/v1/engagement/task', await box.approvalOf(found));
  t.match(first, { state: 'pending_approval', tasks: [] });
  const twice = await anna.ask('POST', '/v1/engagement/task', await box.approvalOf(found));
  t.equal(twice.status, 409, 'the same person is not another');
  t.same(orders(box), [], 'nothing was sent');
  const second = await ben.get<Engagement>('POST', '/v1/engagement/task', await box.approvalOf(found));
  t.match(second, { state: 'executing', approvals: [{ decision: 'approved' }, { decision: 'approved' }] });
  t.not(second.approvals[0]?.user_id, second.approvals[1]?.user_id);
  await until(async () => copter.armed, 'it is armed');
  const stopped = await ben.get<StopAll>('POST', '/v1/engagement/stop_all', { reason: 'a test' });
  t.match(stopped, { engagements: 1, tasks: 1, platforms: [{ held: true }] });
  t.match(await box.engagement(second.id), { state: 'cancelled', tasks: [{ verb: 'takeoff', state: 'cancelled' }] });
  await until(async () => copter.mode === COPTER_MODE.brake, 'it brakes');
  const highest = copter.recorder.highestM();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  t.ok(copter.recorder.highestM() < highest + 3, 'it climbs no further');
  t.equal(copter.recorder.commands(CMD.reposition).length, 0, 'and goes nowhere');
});

t.test(
  'a removed user and a viewer have approved nothing: the vehicle stays on the ground until two others did',
  async (t) => {
    const box = await Threatened.begin(t, { two_person: ['takeoff'] });
    const { copter, daemon } = box;
    const found = await box.planFor('shadow');
    const anna = await firstOwner(t, daemon);
    const [ben, carl] = [await anna.member('ben', 'operator'), await anna.member('carl', 'operator')];
    const userId = async (approver: typeof ben): Promise<string> =>
      (await approver.get<{ user: { id: string } }>('GET', '/v1/me')).user.id;
    await ben.get('POST', '/v1/engagement/task', await box.approvalOf(found));
    await anna.get('DELETE', `/v1/users/${await userId(ben)}`);
    const second = await carl.get<Engagement>('POST', '/v1/engagement/task', await box.approvalOf(found));
    t.match(second, {
      state: 'pending_approval',
      approvals: [
        { decision: 'lapsed', reason: /user:ben .*removed/ },
        { by: 'user:carl', decision: 'approved' },
      ],
      tasks: [],
    });
    await anna.get('POST', `/v1/users/${await userId(carl)}`, { role: 'viewer' });
    const third = await anna.get<Engagement>('POST', '/v1/engagement/task', await box.approvalOf(found));
    t.match(third, { state: 'pending_approval', tasks: [] });
    t.same(orders(box), [], 'nothing was sent');
    t.notOk(copter.armed);
    await anna.get('POST', `/v1/users/${await userId(carl)}`, { role: 'operator' });
    const last = await carl.get<Engagement>('POST', '/v1/engagement/task', await box.approvalOf(found));
    t.match(last, { state: 'executing', tasks: [{ verb: 'takeoff' }] });
  },
);

t.test('a track that is gone when the vehicle is up is not followed: it comes home', async (t) => {
  const box = await Threatened.begin(t);
  const begun = await box.approve(await box.planFor('shadow'));
  await until(async () => box.copter.body.altM > 3, 'it climbs');
  box.blind();
  const ended = await box.becomes(begun.id, ({ state }) => state === 'failed', 'it is given up');
  t.match(ended.reason, /^a vehicle took off and cannot begin shadow: T-\d{4} was last received /);
  t.match(ended.tasks, [{ verb: 'takeoff', state: 'done' }]);
  await until(async () => box.copter.mode === COPTER_MODE.rtl, 'it returns');
  t.equal(box.copter.recorder.commands(CMD.reposition).length, 0);
});

t.test('nobody answers: the plan expires and nothing was sent', async (t) => {
  const box = await Threatened.begin(t, { plan_ttl_s: 5 });
  const isOver = ({ state }: Engagement): boolean => state !== 'proposed';
  const outcome = async (): Promise<Engagement> => {
    const { engagement } = await box.planFor('shadow');
    return box.becomes(engagement.id, isOver, 'it expires', 20_000);
  };
  let ended = await outcome();
  // While a threat grows, what is proposed about it is made anew before its time is over.
  while (ended.state === 'superseded') ended = await outcome();
  t.match(ended, { state: 'expired', reason: 'nobody answered in time', approvals: [], tasks: [] });
  t.same(orders(box), []);
  t.equal(box.copter.armed, false);
});
