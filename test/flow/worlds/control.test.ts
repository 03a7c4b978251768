import t from 'tap';
import type { LogEvent } from '../../../src/model/event.ts';
import type { SimState } from '../../../src/model/picture.ts';
import type { Run } from '../../../src/model/run.ts';
import { onlyInFull, takeTime, until } from '../../support/basics/patience.ts';
import { must } from '../../support/daemon/alerts.ts';
import { type Daemon, startDaemon } from '../../support/daemon/daemon.ts';
import { play, receiver, scenarioIn, show, simAs, simState, visitor } from '../../support/daemon/shown_worlds.ts';
import { firstOwner } from '../../support/daemon/signed_in.ts';
import { trackOf } from '../../support/daemon/watch.ts';

onlyInFull(t);
takeTime(t, 180);
const FIRST = '1581F5FKD229400000A1';
const SECOND = '1581F5FKD229400000A2';

const tell = (daemon: Daemon, what: string, body: object = {}): Promise<SimState> =>
  must<SimState>(daemon, `/api/sim/${what}`, body);

/** How each of these is refused. */
async function refusals(daemon: Daemon, asked: Record<string, object>): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const [what, body] of Object.entries(asked)) {
    const { status, body: answer } = await daemon.post(`/api/sim/${what}`, body);
    said[what] = `${status} ${answer.error ?? ''}`;
  }
  return said;
}

t.test('time stands, goes in steps and goes on, and each wrong moment is a conflict that says why', async (t) => {
  const daemon = await startDaemon(t);
  const actor = { ...visitor(SECOND), id: 'late' };
  const idle = { pause: {}, resume: {}, step: {}, stop: {}, rate: { rate: 2 }, seek: { to_s: 1 }, inject: { actor } };
  for (const [what, said] of Object.entries(await refusals(daemon, idle)))
    t.match(said, /^409 .*(idle|recording)/, what);
  t.equal((await daemon.post('/api/sim/start', { scenario_id: '11111111-2222-4333-8444-555555555555' })).status, 404);

  const scenario = await scenarioIn(daemon, { actors: [visitor(FIRST)], sensors: [receiver], duration_s: 600 });
  const both = await Promise.all([1, 2].map(() => daemon.post('/api/sim/start', { scenario_id: scenario.id })));
  t.same(both.map(({ status }) => status).sort(), [200, 409], 'of two starts at once one wins');
  t.match(both.find(({ status }) => status === 409)?.body.error ?? '', /small is being played: stop it first/);
  t.match(await refusals(daemon, { resume: {}, step: {} }), { resume: /^409 .*running/, step: /^409 .*running/ });

  const paused = await tell(daemon, 'pause');
  t.match(paused, { run: 'paused' });
  t.match(await refusals(daemon, { pause: {}, start: { scenario_id: scenario.id } }), { pause: /^409/, start: /^409/ });
  const stepped = await tell(daemon, 'step', { step_s: 2.5 });
  const passed = (state: SimState): number => Date.parse(state.sim_at ?? '') - Date.parse(paused.sim_at ?? '');
  t.equal(passed(stepped), 2_500, 'a step is as long as it was asked to be');
  t.match(await simState(daemon), { run: 'paused', sim_at: stepped.sim_at });
  t.match(await tell(daemon, 'rate', { rate: 20 }), { rate: 20, run: 'paused' });
  await tell(daemon, 'inject', { actor });
  t.match(await refusals(daemon, { inject: { actor } }), { inject: /^409 there is an actor 'late'/ });
  const own = { actor: { id: 'own', kind: 'asset', start: { east_m: 0, north_m: 0 }, mavlink: {} } };
  t.match(await refusals(daemon, { inject: own }), {
    inject: /^409 'own' cannot be added during a run, because it has an autopilot/,
  });
  t.match(await tell(daemon, 'resume'), { run: 'running', rate: 20 });
  await trackOf(daemon, SECOND);
  t.match(await tell(daemon, 'stop'), { run: 'completed', mode: 'sim' });
  const over = await refusals(daemon, { stop: {}, pause: {}, resume: {}, rate: { rate: 2 }, inject: { actor } });
  for (const [what, said] of Object.entries(over)) t.match(said, /^409 .*completed/, what);
  const [run, ...more] = await daemon.get<Run[]>('/api/simulation/runs');
  t.same(more, []);
  t.match(run, { state: 'completed', reason: /stopped it$/, log_hash: /^sha256:[0-9a-f]{64}$/ });

  const short = await scenarioIn(daemon, {
    name: 'short',
    actors: [visitor(FIRST)],
    sensors: [receiver],
    orders: [{ do: 'approve_plan', at_s: 5, about: 'visitor', response: 'investigate' }],
    duration_s: 20,
  });
  await play(daemon, short, { rate: 20 });
  await simAs(daemon, 'completed');
  t.match((await daemon.get<Run[]>('/api/simulation/runs'))[0], {
    ...{ state: 'completed', reason: null, simulated_s: 20 },
    refused: [/^the order approve_plan about .* at 5 s was refused: no /],
  });
  t.match((await daemon.get<{ tracks: unknown[] }>('/api/picture')).tracks.length, 1, 'its picture stays');
  await show(daemon, 'live');

  const kinds = (await daemon.get<LogEvent[]>('/api/events?limit=1000')).map(({ kind }) => kind);
  for (const kind of [
    'run.started',
    'sim.paused',
    'sim.stepped',
    'sim.rate',
    'sim.injected',
    'sim.resumed',
    'sim.stopped',
    'mode.changed',
  ])
    t.ok(kinds.includes(kind), `${kind} stands in the log`);
});

t.test('what cannot be read is 400 and changes nothing', async (t) => {
  const daemon = await startDaemon(t);
  const scenario = await scenarioIn(daemon, { actors: [visitor(FIRST)], sensors: [receiver] });
  await play(daemon, scenario, { rate: 1 });
  await tell(daemon, 'pause');
  const before = await simState(daemon);
  const id = scenario.id;
  const hostile: [string, unknown][] = [
    ...[null, [], 7, 'x', {}, { scenario_id: '../etc' }].map((body): [string, unknown] => ['start', body]),
    ...[
      { rate: 0 },
      { rate: 21 },
      { rate: -1 },
      { rate: '2' },
      { seed: -1 },
      { seed: 2 ** 32 },
      { seed: 1.5 },
      { x: 1 },
    ].map((more): [string, unknown] => ['start', { scenario_id: id, ...more }]),
    ...[{ rate: 0.2 }, { rate: 1e9 }, { rate: null }, {}].map((body): [string, unknown] => ['rate', body]),
    ...[{ step_s: 0 }, { step_s: 61 }, { step_s: 'all' }, []].map((body): [string, unknown] => ['step', body]),
    ...[{ to_s: -1 }, {}].map((body): [string, unknown] => ['seek', body]),
    ...[{ mode: 'other' }, { mode: 'replay' }, { mode: 'sim', recording_id: id }, {}].map((body): [string, unknown] => [
      'mode',
      body,
    ]),
    ['inject', { actor: { id: 'Ab', kind: 'drone', start: { east_m: 0, north_m: 0 } } }],
    ['inject', { actor: { id: 'a', kind: 'drone', start: { east_m: 1e9, north_m: 0 } } }],
    ['inject', { actor: { id: 'a', kind: 'swarm', count: 1e9, start: { east_m: 0, north_m: 0 } } }],
  ];
  for (const [what, body] of hostile) {
    const { status } = await daemon.post(`/api/sim/${what}`, body);
    t.equal(status, 400, `${what} ${JSON.stringify(body)}`);
  }
  t.same(await simState(daemon), before);
  const crowd = { id: 'crowd', kind: 'swarm', count: 500, start: { east_m: 0, north_m: 500, height_m: 50 } };
  const answers = [];
  for (let n = 0; n < 4; n++)
    answers.push((await daemon.post('/api/sim/inject', { actor: { ...crowd, id: `crowd-${n}` } })).status);
  t.match(answers.at(-1), 400, `nobody can be put in without end: ${answers}`);
  t.match(await tell(daemon, 'step', { step_s: 1 }), { run: 'paused' });
});

t.test('a viewer looks on, and an operator plays', async (t) => {
  const daemon = await startDaemon(t);
  const scenario = await scenarioIn(daemon, { actors: [visitor(FIRST)], sensors: [receiver] });
  const anna = await firstOwner(t, daemon);
  const vera = await anna.member('vera', 'viewer');
  const otto = await anna.member('otto', 'operator');
  t.match(await vera.get('GET', '/v1/sim'), { mode: 'live' });
  const body = { scenario_id: scenario.id };
  for (const what of ['start', 'pause', 'resume', 'step', 'stop', 'rate', 'seek', 'inject', 'mode'])
    t.equal((await vera.ask('POST', `/v1/sim/${what}`, body)).status, 403, what);
  t.match(await otto.get('POST', '/v1/sim/start', body), { run: 'running' });
  t.match(await vera.get('GET', '/v1/sim/state'), { mode: 'sim' });
  await otto.get('POST', '/v1/sim/stop', {});
  await otto.get('POST', '/v1/sim/mode', { mode: 'live' });
  const stopped = await until(
    async () => (await anna.get<LogEvent[]>('GET', '/v1/events?kind=sim.stopped'))[0],
    'the stop stands in the log',
  );
  t.match(stopped, { text: /otto stopped small/, actor: { type: 'user', name: 'otto' } });
});
