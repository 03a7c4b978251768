import t, { type Test } from 'tap';
import type { Asset } from '../../../src/model/asset.ts';
import type { Command } from '../../../src/model/command.ts';
import type { DecisionConfig } from '../../../src/model/decision_config.ts';
import type { Engagement, EngagementView, Plan } from '../../../src/model/engagement.ts';
import type { LogEvent } from '../../../src/model/event.ts';
import type { Picture } from '../../../src/model/picture.ts';
import type { Task } from '../../../src/model/task.ts';
import { onlyInFull, takeTime } from '../../support/basics/patience.ts';
import { must } from '../../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../../support/daemon/daemon.ts';
import { play, SIM_SITE, scenarioIn, show, simulatedVehicle } from '../../support/daemon/shown_worlds.ts';
import { StreamClient, type StreamEvent } from '../../support/http/stream_client.ts';

onlyInFull(t);
takeTime(t, 240);

/** A drone that hovers in a protected zone, a radar that sees it, and a vehicle of ours that stands ready. */
const intrusion = {
  name: 'intrusion',
  seed: 3,
  actors: [
    {
      ...{ id: 'intruder', kind: 'drone', type: 'multirotor', truth_affiliation: 'hostile' },
      start: { east_m: 0, north_m: 420, height_m: 60 },
    },
    simulatedVehicle({
      start: { east_m: 0, north_m: -50 },
      mavlink: { sysid: 42, battery_pct: 95 },
      performance: { cruise_speed_mps: 14, max_speed_mps: 20, climb_rate_mps: 4, endurance_s: 1_500 },
    }),
  ],
  sensors: [
    {
      ...{ id: 'radar', modality: 'radar', pd: 1, sigma: { range_m: 3, azimuth_deg: 0.2, elevation_deg: 0.3 } },
      placement: { east_m: -300, north_m: 0, height_m: 10, max_range_m: 3_000 },
    },
  ],
  zones: [
    {
      ...{ name: 'yard', kind: 'protected', alarm: { on: ['approach', 'enter'], eta_s: 60 } },
      geometry: { type: 'Point', coordinates: [SIM_SITE.lon, SIM_SITE.lat], radius_m: 500 },
    },
  ],
};

const approach = { kind: 'approach', target: { actor: 'heron' }, speed_mps: 16 };

const step = (daemon: Daemon, step_s: number): Promise<unknown> => must(daemon, '/api/sim/step', { step_s });

/** Lets the scenario go on by seconds until there is what is asked for. */
async function stepUntil<T>(
  daemon: Daemon,
  what: string,
  mostS: number,
  ask: () => Promise<T | null | undefined>,
): Promise<T> {
  for (let passedS = 0; passedS < mostS; passedS++) {
    const found = await ask();
    if (found) return found;
    await step(daemon, 1);
  }
  const { engagements } = await daemon.get<EngagementView>('/api/engagement');
  throw new Error(`not so after ${mostS} s of the scenario: ${what}; there is ${JSON.stringify(engagements)}`);
}

/** The scenario, paused, once a plan to investigate is proposed. */
async function proposed(
  t: Test,
  scenario: object = intrusion,
): Promise<{ daemon: Daemon; engagement: Engagement; plan: Plan }> {
  const daemon = await startDaemon(t);
  await play(daemon, await scenarioIn(daemon, scenario));
  await must(daemon, '/api/sim/pause', {});
  const found = await stepUntil(daemon, 'a plan to investigate can be done', 60, async () => {
    const { engagements } = await daemon.get<EngagementView>('/api/engagement');
    for (const engagement of engagements) {
      const plan = engagement.candidates.find(({ response, feasible }) => response === 'investigate' && feasible);
      if (plan && engagement.state === 'proposed') return { engagement, plan };
    }
    return null;
  });
  return { daemon, ...found };
}

/** Approves a plan on the picture of this moment. */
async function approve(daemon: Daemon, { id: engagement_id }: Engagement, { id: plan_id, hash }: Plan) {
  const { seq } = await daemon.get<Picture>('/api/picture');
  const ask = { engagement_id, plan_id, hash, seq, operator: 'anna', reason: 'a drill' };
  return { ask, begun: await must<Engagement>(daemon, '/api/engagement/task', ask) };
}

/** Distance over ground of the vehicle from the track, in metres. */
function apartM({ fleet, tracks }: Picture, trackId: string): number {
  const [vehicle, track] = [fleet[0]?.position, tracks.find(({ id }) => id === trackId)?.position];
  if (!vehicle || !track) return Number.NaN;
  const eastM = (vehicle.lon - track.lon) * 111_320 * Math.cos((SIM_SITE.lat * Math.PI) / 180);
  return Math.hypot(eastM, (vehicle.lat - track.lat) * 110_574);
}

t.test('a person approves a plan in a simulation, and the simulated vehicle flies to its standoff', async (t) => {
  const { daemon, engagement, plan } = await proposed(t);
  const before = await daemon.get<Picture>('/api/picture');
  t.match(plan.legs, [{ verb: 'takeoff' }, { verb: 'orbit', params: { kind: 'track', standoff_m: 100 } }]);
  for (const { provenance } of [...before.fleet, ...before.tracks, ...before.assets, engagement, plan])
    t.equal(provenance, 'simulated');

  const { ask, begun } = await approve(daemon, engagement, plan);
  t.match(begun, {
    state: 'executing',
    provenance: 'simulated',
    tasks: [{ verb: 'takeoff', provenance: 'simulated' }],
  });

  let nearestM = Number.POSITIVE_INFINITY;
  const flown = await stepUntil(daemon, 'the vehicle is on station', 120, async () => {
    nearestM = Math.min(nearestM, apartM(await daemon.get<Picture>('/api/picture'), plan.track_id));
    const now = await daemon.get<Engagement>(`/api/engagement/${engagement.id}`);
    return now.tasks.some(({ verb, phase }) => verb === 'orbit' && phase === 'on_station') ? now : null;
  });
  t.match(
    flown.tasks.map(({ verb, state }) => [verb, state]),
    [
      ['takeoff', 'done'],
      ['orbit', 'executing'],
    ],
  );
  t.ok(nearestM >= 95 && nearestM < 200, `${nearestM.toFixed(0)} m: it flew up to its standoff, and no nearer`);
  const tasks = await daemon.get<Task[]>('/api/tasks');
  t.same([...new Set(tasks.map(({ provenance }) => provenance))], ['simulated']);
  const { command_id } = tasks[0] as Task;
  t.match(await daemon.get<Command>(`/api/commands/${command_id}`), { provenance: 'simulated', verb: 'orbit' });
  const log = await daemon.get<LogEvent[]>('/api/events?limit=1000');
  const approved = log.filter(({ kind }) => /^(plan|command|engagement)\./.test(kind));
  t.ok(approved.some(({ kind }) => kind === 'plan.approved'));
  t.same([...new Set(approved.map(({ provenance }) => provenance))], ['simulated']);

  await t.test('nothing of it is in the live world, and its log says that the vehicle is simulated', async (t) => {
    await show(daemon, 'live');
    t.match(await daemon.get('/api/engagement'), { engagements: [] });
    t.same(await daemon.get<Task[]>('/api/tasks'), []);
    t.same(await daemon.get<Asset[]>('/api/assets'), []);
    t.equal((await daemon.request(`/api/commands/${command_id}`)).status, 404);
    const again = await daemon.post('/api/engagement/task', ask);
    t.equal(again.status, 404, 'a plan of the simulation cannot be approved from the live world');
    const rows = await daemon.get<LogEvent[]>('/api/events?limit=1000');
    const assets = rows.filter(({ kind }) => kind.startsWith('asset.'));
    t.ok(assets.length > 0);
    t.same([...new Set(assets.map(({ provenance }) => provenance))], ['simulated']);
  });
});

t.test('an engagement and its events carry distance and breaches of its tasks as they are', async (t) => {
  const [intruder, ours] = intrusion.actors;
  const { start } = intruder as { start: object };
  // It stays until our vehicle is with it, then flies at it.
  const attacks = { route: [{ ...start, wait_s: 75 }], behaviour: approach };
  const scenario = { ...intrusion, actors: [{ ...intruder, ...attacks }, ours] };
  const { daemon, engagement, plan } = await proposed(t, scenario);
  const stream = await StreamClient.open(t, daemon);
  await approve(daemon, engagement, plan);

  const distances = new Set<number | null>();
  let seconds = 0;
  const breached = await stepUntil(daemon, 'the intruder came inside the standoff', 180, async () => {
    seconds++;
    const tasks = await daemon.get<Task[]>('/api/tasks');
    const now = await daemon.get<Engagement>(`/api/engagement/${engagement.id}`);
    const view = await daemon.get<EngagementView>('/api/engagement');
    t.same(now.tasks, tasks.toReversed(), 'the engagement carries its tasks as they are');
    t.same(view.engagements.find(({ id }) => id === now.id)?.tasks, now.tasks);
    for (const { distance_m } of now.tasks) distances.add(distance_m);
    return now.tasks.find(({ breaches }) => breaches > 0);
  });
  t.ok(distances.size > 20, `${distances.size} distances were told`);
  t.ok((breached.closest_m ?? 100) < 100, `it came to ${breached.closest_m} m`);
  const isBreach = ({ event, data }: StreamEvent): boolean =>
    event === 'engagement_update' &&
    (data.body as Engagement).tasks.some(({ id, breaches }) => id === breached.id && breaches === breached.breaches);
  await stream.next(isBreach);
  const updates = stream.events.filter(({ event }) => event === 'engagement_update').length;
  t.ok(updates < seconds / 2, `${updates} engagement_update in ${seconds} s`);
});

t.test('a scenario acts as one person: a plan for two is not approved, and the log says so', async (t) => {
  const daemon = await startDaemon(t);
  const config = await daemon.get<DecisionConfig>('/api/decision-config');
  const engagement = { ...config.engagement, two_person: ['orbit'] };
  await must(daemon, '/api/decision-config', { ...config, engagement }, 'PUT');
  const orders = [{ do: 'approve_plan', at_s: 5, about: 'intruder', response: 'investigate' }];
  await play(daemon, await scenarioIn(daemon, { ...intrusion, orders }));
  await must(daemon, '/api/sim/pause', {});
  await step(daemon, 40);
  const refused = 'the order approve_plan about intruder at 5 s was refused: ';
  t.match(await daemon.get<LogEvent[]>('/api/events?kind=scenario.order_refused'), [
    {
      provenance: 'simulated',
      text: `${refused}the plan needs the approval of two people, and a scenario counts as one person`,
    },
  ]);
  const { engagements } = await daemon.get<EngagementView>('/api/engagement');
  t.ok(engagements.every(({ approvals, tasks }) => approvals.length + tasks.length === 0));
});
