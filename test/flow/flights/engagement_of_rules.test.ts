import t from 'tap';
import type { Engagement, EngagementView } from '../../../src/model/engagement.ts';
import type { LogEvent } from '../../../src/model/event.ts';
import type { Rule } from '../../../src/model/rule.ts';
import type { RuleDryRun } from '../../../src/model/rule_dry_run.ts';
import { takeTime } from '../../support/basics/patience.ts';
import { placeAt } from '../../support/basics/place.ts';
import { must } from '../../support/daemon/alerts.ts';
import { type Daemon, startDaemon, until } from '../../support/daemon/daemon.ts';
import { begun, startFlights } from '../../support/daemon/flights.ts';
import { play, receiver, scenarioIn, show, visitor } from '../../support/daemon/shown_worlds.ts';
import { trackOf } from '../../support/daemon/watch.ts';
import { Drones, hovering } from '../../support/sky/drones.ts';
import { ArduCopter } from '../../support/vehicles/arducopter.ts';
import { CMD } from '../../support/vehicles/command.ts';

takeTime(t, 150);

const serial = '1581F5FKD2294F000001';
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Of what nobody knows and is slow the rule makes a threat that something is offered about, and asks for it. */
const ruleOf = (daemon: Daemon, name: string): Promise<Rule> =>
  must<Rule>(daemon, '/api/rules', {
    name,
    when: {
      all: [
        { field: 'track.affiliation', op: 'eq', value: 'unknown' },
        { field: 'track.speed_mps', op: 'lt', value: 5 },
      ],
    },
    cooldown_s: 0,
    // biome-ignore lint/suspicious/noThenProperty: the interface calls it so, and a list is no function
    then: [{ do: 'raise_level', level: 'high' }, { do: 'propose_plan' }],
    message: '{track.label} is slow.',
  });

const engagements = async (daemon: Daemon): Promise<Engagement[]> =>
  (await daemon.get<EngagementView>('/api/engagement')).engagements;

const proposed = async (daemon: Daemon): Promise<Engagement[]> =>
  (await engagements(daemon)).filter(({ state }) => state === 'proposed');

const requests = (daemon: Daemon): Promise<LogEvent[]> => daemon.get<LogEvent[]>('/api/events?kind=plan.requested');

const fired = (daemon: Daemon, { id }: Rule, times: number): Promise<true> =>
  until(async () => (await daemon.get<Rule>(`/api/rules/${id}`)).counts.fired >= times || null, 'it fired');

t.test('a rule that fires proposes an engagement once, says that it asked, and sends nothing', async (t) => {
  const rig = await startFlights(t);
  const { daemon } = rig;
  const copter = await begun(t, new ArduCopter({ groundStation: rig.groundStation, ready: true }));
  const assetId = await rig.adopt(copter, 'Heron');
  await rig.able(assetId, 'takeoff');
  await must(daemon, '/api/sensors', { name: 'mast', modality: 'remote_id' });
  const since = new Date(Date.now() - 1_000).toISOString();
  const drones = new Drones(t, daemon);
  drones.fly(serial, hovering(placeAt(copter.body, 0, 3_000)));
  const { id, number } = await trackOf(daemon, serial, ({ state }) => state === 'confirmed');
  await wait(3_000);
  t.same(await engagements(daemon), [], 'by itself the service proposes nothing about it');

  const rule = await ruleOf(daemon, 'slow');
  const [first] = await until(async () => {
    const found = await proposed(daemon);
    return found.length > 0 ? found : null;
  }, 'it is proposed');
  t.match(first, { track_id: id, proposed_by: { by: 'rule:slow', user_id: null }, approvals: [], tasks: [] });
  const [row, ...more] = await requests(daemon);
  t.match(row, {
    text: `rule:slow requested plans about ${number}`,
    reason: `slow: ${number} is slow.`,
    actor: { type: 'rule', id: rule.id, name: 'slow' },
    subject: { type: 'engagement', id: first?.id },
  });
  t.same(more, []);

  await t.test('it fires again, and another beside it: nothing is proposed twice', async (t) => {
    const another = await ruleOf(daemon, 'slow, too');
    await fired(daemon, another, 1);
    await must(daemon, `/api/rules/${rule.id}`, { enabled: false });
    await wait(1_000);
    await must(daemon, `/api/rules/${rule.id}`, { enabled: true });
    await fired(daemon, rule, 2);
    await wait(4_000);
    t.equal((await proposed(daemon)).length, 1);
    t.equal((await requests(daemon)).length, 1);
    const span = { since, until: new Date(Date.now() + 1_000).toISOString() };
    const tried = await must<RuleDryRun>(daemon, `/api/rules/${rule.id}/dry-run`, span);
    t.match(tried, { fired: 1 }, 'what it would have fired is found');
    t.equal((await requests(daemon)).length, 1, 'nor by trying it');
  });

  await t.test('a person says no, and it is not proposed again', async (t) => {
    const [now] = await proposed(daemon);
    await must(daemon, `/api/engagement/${now?.id}/reject`, { operator: 'anna', reason: 'the farmer' });
    await must(daemon, `/api/rules/${rule.id}`, { enabled: false });
    await wait(1_000);
    await must(daemon, `/api/rules/${rule.id}`, { enabled: true });
    await fired(daemon, rule, 3);
    await wait(4_000);
    t.same(await proposed(daemon), []);
    t.equal((await requests(daemon)).length, 1);
  });

  const moving: readonly number[] = [CMD.armDisarm, CMD.takeoff, CMD.setMode, CMD.reposition, CMD.returnToLaunch];
  const orders = copter.recorder.commands().filter(({ fields }) => moving.includes(Number(fields.command)));
  t.same(orders, [], 'nobody approved anything, and nothing was sent');
});

t.test('in the simulated world that is shown a rule has its plans there, and nowhere else', async (t) => {
  const daemon = await startDaemon(t);
  await ruleOf(daemon, 'slow');
  const scenario = await scenarioIn(daemon, { actors: [visitor(serial)], sensors: [receiver] });
  await play(daemon, scenario);
  await show(daemon, 'sim');
  const [one] = await until(async () => {
    const found = await proposed(daemon);
    return found.length > 0 ? found : null;
  }, 'it is proposed');
  t.match(one, { proposed_by: { by: 'rule:slow' }, approvals: [], tasks: [] });
  t.equal((await requests(daemon)).length, 1);
  await show(daemon, 'live');
  t.same(await engagements(daemon), []);
  t.same(await requests(daemon), []);
});
