import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { emptySite, firstPolicy } from '../../src/core/assess/configuration.ts';
import { CoreRemote } from '../../src/core/thread/remote.ts';
import { Claims } from '../../src/edge/link/claims.ts';
import { createClock } from '../../src/host/clock.ts';
import { pulse } from '../../src/host/pulse.ts';
import type { LogEvent } from '../../src/model/event.ts';
import { idleSim } from '../../src/model/picture.ts';
import { formatTime } from '../../src/model/time.ts';
import { alertStore } from '../../src/store/alerts.ts';
import { createHistoryLog } from '../../src/store/log/history.ts';
import { LogCounter } from '../../src/store/log_counter.ts';
import { openScratch } from '../../src/store/state.ts';
import { World } from '../../src/world/world.ts';
import { memoryLog } from '../host/memory_log.ts';
import { until } from '../support/basics/patience.ts';
import { positionAt, serial } from '../support/core/observation.ts';
import { worldAlone } from '../support/core/world_alone.ts';
import { rowOf } from '../support/daemon/swarm.ts';

const tracking = { confirmHits: 2, confirmWindowS: 4, coastS: 60, lostS: 120, closeS: 600, maxTracks: 100 };

/** The worker that the next act starts: Node tells of each one. No signal reaches a single thread, so these tests hold it. */
async function workerOf(act: () => unknown): Promise<Worker> {
  const told = once(process, 'worker');
  await act();
  const [worker] = (await told) as [Worker];
  return worker;
}

function rigWorld(t: Test, wallOffset: { ms: number }) {
  const dataDir = mkdtempSync(join(tmpdir(), 'dunlin-core-'));
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
  const history = createHistoryLog({ dataDir, retention: { prunedBefore: null, bytes: 1e9 }, onFault: () => {} });
  const clock = createClock({ wall: () => Date.now() + wallOffset.ms });
  const state = openScratch({ id: 'wsp_core', name: 'core', createdAt: formatTime(0) });
  t.teardown(() => state.close());
  const { log } = memoryLog();
  const failures: string[] = [];
  const feeds = { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 200, maxSenders: 100 };
  const stream = { trackHz: 4, tickMs: 20, replayEvents: 1_000 };
  const world = new World(
    {
      sysid: 245,
      workspaceId: '',
      environment: 'live',
      provenance: 'live',
      links: [],
      sensors: [],
      feeds,
      tracking,
      stream,
    },
    {
      clock,
      log,
      history,
      counter: new LogCounter(0),
      alerts: alertStore(state, 'wsp_core'),
      claims: new Claims(),
      ...worldAlone,
      sim: () => idleSim,
      onFatal: (sentence) => failures.push(sentence),
    },
    { lastTracks: [] },
  );
  const times = { createdAt: '2025-06-01T00:00:00.000Z', updatedAt: '2025-06-01T00:00:00.000Z' };
  const declared = {
    placement: null,
    heartbeatS: 60,
    declaredBy: 'manual',
    linkId: null,
    version: 1,
    ...times,
  } as const;
  world.sensors.declare({ id: '00000000-0000-8000-8000-00000000aaaa', name: 'mast', modality: 'radar', ...declared });
  let flownS = 0;
  const fly = (): void => {
    flownS += 0.2;
    for (let at = 0; at < 5; at++) world.rows.take(rowOf(at, 'mast', flownS), null, clock.nowMs());
  };
  const told: LogEvent[] = [];
  world.stream.onFlush((events) => {
    for (const event of events) if (event.kind === 'log') told.push(event.body);
  });
  return { world, history, clock, fly, failures, told };
}

/** Lets aircraft fly until something holds. */
async function flyUntil(fly: () => void, holds: () => boolean, what: string): Promise<void> {
  await until(async () => {
    fly();
    return holds();
  }, what);
}

t.test('a core that dies is begun again from the picture: the same tracks go on', async (t) => {
  const wallOffset = { ms: 0 };
  const { world, history, clock, fly, failures, told } = rigWorld(t, wallOffset);
  await history.start();
  const worker = await workerOf(() => world.start());
  const confirmed = () => world.tracks().filter(({ state }) => state === 'confirmed').length === 5;
  await flyUntil(fly, confirmed, 'five confirmed tracks');
  const before = world.tracks().map(({ id, number }) => ({ id, number }));
  // The documents that a core is begun with tell UTC; its own time does not move with the wall clock.
  wallOffset.ms = 3_600_000;
  t.ok(Math.abs((clock.check().stepMs ?? 0) - 3_600_000) < 1_000, 'the wall clock was set meanwhile');
  const second = world.tracks()[0]?.last_seen_at;
  await flyUntil(fly, () => world.tracks()[0]?.last_seen_at !== second, 'they are told in the new UTC');

  const another = await workerOf(() => worker.terminate());
  t.not(another, worker);
  const restarted = () => told.some(({ kind }) => kind === 'core.restarted');
  await flyUntil(fly, () => restarted() && confirmed(), 'five confirmed tracks again');
  t.match(
    told.find(({ kind }) => kind === 'core.restarted'),
    { severity: 'critical', text: /^the core failed and was started again: / },
    'people are told',
  );
  t.same(
    world.tracks().map(({ id, number }) => ({ id, number })),
    before,
    'no track was lost, doubled or given another name',
  );
  t.ok(world.coreSilentMs() < 1_000);
  t.same(failures, [], 'the daemon goes on');
  await world.stop();
  await history.stop();
  t.equal(history.status().dropped, 0);
});

t.test('what flew when the core died is lost until it is heard again', async (t) => {
  const { world, history, fly } = rigWorld(t, { ms: 0 });
  await history.start();
  const worker = await workerOf(() => world.start());
  const inState = (state: string) => world.tracks().filter((track) => track.state === state);
  await flyUntil(fly, () => inState('confirmed').length === 5, 'five confirmed tracks');
  const turned: string[] = [];
  world.stream.onFlush((events) => {
    for (const { kind, body } of events) if (kind === 'track_state' && body.state === 'lost') turned.push(body.was);
  });
  await workerOf(() => worker.terminate());
  await until(async () => turned.length === 5, 'five changes are told');
  t.same(turned, Array(5).fill('confirmed'));
  t.equal(inState('lost').filter(({ position }) => position !== null).length, 5, 'each where it was');
  await flyUntil(fly, () => inState('confirmed').length === 5, 'they are heard again');
  await world.stop();
  await history.stop();
});

/** A core on its own, on a clock that the test moves. */
function rigCore(t: Test) {
  const state = {
    aheadMs: 0,
    outputs: 0,
    tracks: new Set<number>(),
    restarts: [] as string[],
    failures: [] as string[],
  };
  const nowMs = (): number => performance.now() + state.aheadMs;
  const core = new CoreRemote(
    () => ({
      settings: tracking,
      seed: new Uint8Array(8).fill(3),
      lastNumber: 0,
      sensors: [],
      restored: [],
      assess: { policy: firstPolicy, site: emptySite, words: [], rules: [], sensors: [] },
    }),
    () => 0,
    nowMs,
    {
      output: (output) => {
        state.outputs++;
        for (const card of output.cards) state.tracks.add(card.number);
      },
      assigned: () => {},
      restarted: (sentence) => state.restarts.push(sentence),
      failed: (sentence) => state.failures.push(sentence),
    },
    (everyMs, run) => pulse.once(everyMs, run),
  );
  t.teardown(() => core.stop());
  return { core, state, nowMs };
}

async function answers(state: { outputs: number }): Promise<void> {
  const { outputs } = state;
  await until(async () => state.outputs > outputs, 'the core answers');
}

t.test('three deaths in a minute are made good, the fourth is told as a failure, once', async (t) => {
  const { core, state, nowMs } = rigCore(t);
  let worker = await workerOf(() => core.start());
  for (let death = 1; death <= 3; death++) {
    worker = await workerOf(() => worker.terminate());
    await answers(state);
    t.equal(state.restarts.length, death);
  }
  core.push(positionAt(nowMs(), 0, 0, { identities: [serial('A')] }));
  await until(async () => state.tracks.size === 1, 'the last one tracks');
  t.same(state.failures, []);
  await worker.terminate();
  await until(async () => state.failures.length > 0, 'it is told');
  t.match(state.failures, [/^the core failed: /]);
  t.equal(state.restarts.length, 3);
  for (let n = 0; n < 25_000; n++) core.push(positionAt(nowMs(), 0, 0));
  t.equal(core.dropped, 5_000, 'what comes after it is counted and takes no more memory than it may');
  t.equal(state.failures.length, 1);
});

t.test('deaths that are far apart are made good for ever', async (t) => {
  const { core, state } = rigCore(t);
  let worker = await workerOf(() => core.start());
  for (let death = 1; death <= 6; death++) {
    state.aheadMs += 30_000;
    worker = await workerOf(() => worker.terminate());
    await answers(state);
  }
  t.equal(state.restarts.length, 6);
  t.same(state.failures, []);
});
