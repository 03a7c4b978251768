import { randomUUID } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Fault } from '../../../src/model/fault.ts';
import { createHistoryLog } from '../../../src/store/log/history.ts';
import type { PackedRow } from '../../../src/store/log/packed.ts';
import { until } from '../../support/basics/deadline.ts';
import { EngineBench, hourMs, packed } from '../../support/store/history_engine.ts';
import { detectionAt, detectionRow, eventAt } from '../../support/store/history_rows.ts';
import { mountTmpfs, noMount } from '../../support/store/tmpfs.ts';

const skip = noMount();

/** Takes what is left of the file system but `leave` bytes. */
function fill(folder: string, leave: number): string {
  const { bavail, bsize } = statfsSync(folder);
  const path = join(folder, `file-of-another-${randomUUID()}`);
  writeFileSync(path, Buffer.alloc(Math.max(0, bavail * bsize - leave)));
  return path;
}

t.test(
  'a full disk is said and counted, ends nothing, and recovers by itself when there is room',
  { skip },
  async (t) => {
    const folder = mountTmpfs(t, 'size=2m');
    const faults: Fault[] = [];
    const log = createHistoryLog({
      dataDir: folder,
      retention: { prunedBefore: null, bytes: 1e9 },
      onFault: (fault) => faults.push(fault),
      queueRows: 5_000,
    });
    await log.start();
    t.teardown(() => log.stop());
    const nowMs = Date.now();
    log.append('event', eventAt(nowMs, 1));
    await until('the first row is committed', () => log.status().written === 1);
    const hog = fill(folder, 100_000);

    let made = 1;
    const append = (count: number): void => {
      for (let i = 0; i < count; i++) log.append('detection', detectionRow(detectionAt(nowMs + made++)));
    };
    append(2_000);
    await until('it is degraded', () => log.status().state === 'degraded');
    t.match(log.status().text, `The history in ${folder}/history cannot be written: its disk is full`);
    t.equal(faults.length, 1, 'told once');
    t.same(
      (await log.events({})).rows.map(({ seq }) => seq),
      [1],
      'what is on the disk can still be read',
    );
    append(8_000);
    log.append('event', eventAt(nowMs, 2));
    t.ok(log.status().droppedByKind.detection > 0, `${log.status().dropped} detections were dropped`);
    t.equal(log.status().droppedByKind.event, 0);
    t.ok(log.status().queued <= 5_000 + 4_500, 'what waits is bounded');

    rmSync(hog);
    // Not everything that waits fits on this disk; what has room is written.
    await until('rows are written again', () => log.status().written > 1);
    const { written, dropped, queued } = log.status();
    t.equal(written + dropped + queued, made + 1, 'every row is written, waiting or counted');
    t.equal(faults.length, 1);
  },
);

t.test('stopping on a full disk ends in time and counts what could not be written', { skip }, async (t) => {
  const folder = mountTmpfs(t, 'size=1m');
  const log = createHistoryLog({ dataDir: folder, retention: { prunedBefore: null, bytes: 1e9 }, onFault: () => {} });
  await log.start();
  fill(folder, 0);
  for (let seq = 1; seq <= 100; seq++) log.append('event', eventAt(Date.now(), seq));
  const begun = performance.now();
  await log.stop();
  t.ok(performance.now() - begun < 6_000);
  t.match(log.status(), { written: 0, queued: 0, droppedByKind: { event: 100 } });
});

t.test("on a full disk the oldest day goes for today's, one a minute, and each is told", { skip }, async (t) => {
  const folder = mountTmpfs(t, 'size=8m');
  const bench = new EngineBench(folder);
  for (let day = 0; day < 3; day++) {
    for (let i = 0; i < 4; i++) {
      bench.put(
        ...Array.from({ length: 200 }, (_, j) =>
          packed('detection', detectionRow(detectionAt(bench.wallMs + 200 * i + j))),
        ),
      );
    }
    bench.tick(24 * hourMs);
  }
  bench.engine.close();
  fill(folder, 0);
  const text = 'x'.repeat(70_000);
  let seq = 0;
  const events = (): PackedRow[] =>
    Array.from({ length: 3 }, () => packed('event', eventAt(bench.wallMs, ++seq, { text })));
  bench.put(...events());
  t.match(bench.faults(), [
    `The disk of ${bench.folder} is full: the history of 2026-03-04 was deleted to make space for today.`,
  ]);
  t.equal(bench.sent.at(-1)?.type, 'committed', 'the rows were written into the room it made');
  fill(folder, 0);
  bench.put(...Array.from({ length: 20 }, events).flat());
  t.equal(bench.faults().length, 1, 'not another day within the minute');
  t.match(bench.condition()?.text, 'its disk is full');
  bench.tick(61_000);
  t.equal(bench.faults().length, 2);
  t.match(bench.faults()[1], 'the history of 2026-03-05 was deleted');
  bench.engine.close();
});
