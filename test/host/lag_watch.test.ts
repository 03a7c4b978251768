import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { createLagWatch } from '../../src/host/lag_watch.ts';

/** Holds this thread up, as a sync of a slow disk does. */
function stall(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

t.test('one pause of the event loop is no lag; several within a minute are', async (t) => {
  const ahead = { ms: 0 };
  const lag = createLagWatch(() => performance.now() + ahead.ms);
  lag.start();
  lag.start();
  // The timers of this process hold it up for this long only.
  const alive = setInterval(() => {}, 1_000);
  for (let pause = 1; pause <= 3; pause++) {
    t.equal(lag.worstMs(), 0, `${pause - 1} pauses`);
    stall(2_200);
    await sleep(50);
  }
  const worstMs = lag.worstMs();
  t.ok(worstMs >= 1_000 && worstMs < 10_000, `late by ${worstMs.toFixed(0)} ms`);
  lag.stop();
  t.equal(lag.worstMs(), 0);
  clearInterval(alive);
});
