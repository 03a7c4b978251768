import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { Claims } from '../../src/edge/link/claims.ts';
import { createClock } from '../../src/host/clock.ts';
import type { Alert } from '../../src/model/alert.ts';
import { idleSim } from '../../src/model/picture.ts';
import type { PictureEvent } from '../../src/picture/events.ts';
import { alertStore } from '../../src/store/alerts.ts';
import { createHistoryLog } from '../../src/store/log/history.ts';
import { LogCounter } from '../../src/store/log_counter.ts';
import { workspaceRows } from '../../src/store/workspaces.ts';
import { World } from '../../src/world/world.ts';
import { memoryLog } from '../host/memory_log.ts';
import { until } from '../support/basics/patience.ts';
import { worldAlone } from '../support/core/world_alone.ts';
import { firingOf } from '../support/registry/firings.ts';
import { openFolder } from './rig.ts';

t.test(
  'whoever applies the stream to the picture holds the alerts of the picture; a raised one is told within a tick',
  async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'dunlin-alert-stream-'));
    const history = createHistoryLog({ dataDir, retention: { prunedBefore: null, bytes: 1e9 }, onFault: () => {} });
    await history.start();
    const state = openFolder(t);
    const clock = createClock();
    const tracking = { confirmHits: 2, confirmWindowS: 10, coastS: 5, lostS: 22, closeS: 600, maxTracks: 100 };
    const world = new World(
      {
        ...{ sysid: 245, workspaceId: 'w', environment: 'live', provenance: 'live', links: [], sensors: [], tracking },
        feeds: { maxAgeS: 10, aheadS: 2, senderMsgsPerS: 200, maxSenders: 100 },
        stream: { trackHz: 4, tickMs: 20, replayEvents: 1_000 },
      },
      {
        ...{
          clock,
          history,
          counter: new LogCounter(0),
          claims: new Claims(),
          ...worldAlone,
          sim: () => idleSim,
          log: memoryLog().log,
          onFatal: () => {},
        },
        alerts: alertStore(state, workspaceRows(state).list()[0]?.id ?? ''),
      },
      { lastTracks: [] },
    );
    t.teardown(async () => {
      await world.stop();
      await history.stop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    await world.start();
    world.alerts.setPolicy({ cooldownS: 1, maxActive: 20 });
    const held = new Map(world.snapshot().alerts.map((alert) => [alert.id, alert]));
    const sounded: number[] = [];
    world.stream.onFlush((events: readonly PictureEvent[]) => {
      for (const { kind, body } of events) {
        if (kind === 'live_alert') sounded.push(performance.now());
        if (kind !== 'alert' && kind !== 'alert_update') continue;
        if (body.settled_at === null) held.set(body.id, body);
        else held.delete(body.id);
      }
    });
    const changes = ['raised', 'changed', 'worse', 'ended'] as const;
    const severities = ['info', 'notice', 'warning', 'critical'] as const;
    for (let i = 0; i < 600; i++) {
      const [change = 'raised', severity = 'info'] = [changes[(i * 7) % 4], severities[(i * 13) % 4]];
      world.alerts.take(
        [firingOf({ key: `k${(i * 5) % 37}`, change, severity, text: `${i}` })],
        clock.nowMs() + i * 50,
      );
      if (i % 50 === 0) world.alerts.tick(clock.nowMs() + i * 50);
      if (i % 97 === 0) {
        const shown = new Map(world.snapshot().alerts.map((alert: Alert) => [alert.id, alert]));
        t.same([...held].sort(), [...shown].sort());
        t.equal(world.snapshot().counts.alerts, held.size);
      }
    }
    t.ok(sounded.length > 20);
    const waits: number[] = [];
    for (let i = 0; i < 100; i++) {
      const before = sounded.length;
      const began = performance.now();
      world.alerts.take([firingOf({ key: `late ${i}`, severity: 'critical' })], clock.nowMs() + 100_000);
      await until(async () => sounded.length > before, 'it sounds');
      waits.push((sounded.at(-1) ?? Number.POSITIVE_INFINITY) - began);
      world.alerts.take([firingOf({ key: `late ${i}`, change: 'ended' })], clock.nowMs() + 100_000);
    }
    waits.sort((a, b) => a - b);
    t.comment(`firing to stream: p50 ${waits[50]?.toFixed(1)} ms, p95 ${waits[95]?.toFixed(1)} ms`);
    const burst = Array.from({ length: 10_000 }, (_, i) => firingOf({ key: `burst ${i}`, severity: 'critical' }));
    const began = performance.now();
    world.alerts.take(burst, clock.nowMs() + 200_000);
    const tookMs = performance.now() - began;
    t.comment(`10 000 firings in a world took ${tookMs.toFixed(0)} ms`);
    t.equal(world.snapshot().alerts.length, 20);
  },
);
