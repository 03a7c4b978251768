import { MessageChannel } from 'node:worker_threads';
import t from 'tap';
import { Pulse } from '../../src/host/pulse.ts';
import { idleTimers } from '../../src/host/timers.ts';
import { type ManualTimers, manualTimers, settle } from './manual_timers.ts';

/** Lets time pass in pieces, with turns of the event loop for all work that is due at one time. */
async function pass(timers: ManualTimers, ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += 100) {
    await timers.advance(100);
    for (let turn = 0; turn < 4; turn++) await settle();
  }
}

t.test('work with the same interval has one timer, whenever it began', async (t) => {
  const timers = manualTimers();
  const pulse = new Pulse(timers);
  const ran: string[] = [];
  const ends = [pulse.every(1_000, (dueMs) => ran.push(`a ${dueMs}`))];
  await pass(timers, 300);
  ends.push(pulse.every(1_000, (dueMs) => ran.push(`b ${dueMs}`)));
  await pass(timers, 100);
  ends.push(pulse.every(500, (dueMs) => ran.push(`c ${dueMs}`)));
  await pass(timers, 2_000);
  t.same(ran, ['c 500', 'a 1000', 'b 1000', 'c 1000', 'c 1500', 'a 2000', 'b 2000', 'c 2000']);
  t.ok(timers.waiting() <= 2, `${timers.waiting()} timers`);
  for (const end of ends) end();
  await pass(timers, 5_000);
  t.equal(ran.length, 8, 'ended work does not run');
  t.equal(timers.waiting(), 0, 'and has no timer');
});

t.test('work that is ended by other work of the same time does not run', async (t) => {
  const timers = manualTimers();
  const pulse = new Pulse(timers);
  let runs = 0;
  pulse.once(1_000, () => cancel());
  const cancel = pulse.once(1_000, () => runs++);
  await timers.advance(3_000);
  t.equal(runs, 0);
});

t.test('after a stall, work runs once, at the next multiple again, and after the data that waits', async (t) => {
  const timers = manualTimers();
  let stalledMs = 0;
  const pulse = new Pulse({ ...timers, now: () => timers.now() + stalledMs });
  const order: string[] = [];
  const end = pulse.every(1_000, (dueMs) => order.push(`due ${dueMs}`));
  stalledMs = 4_200;
  setImmediate(() => order.push('data'));
  await timers.advance(1_000);
  t.same(order, ['data', 'due 1000']);
  await timers.advance(800);
  t.same(order, ['data', 'due 1000', 'due 6000']);
  end();
});

t.test('work that fails does not stop other work, nor itself', async (t) => {
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  // The runner's own handlers would end the test.
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', note);
  t.teardown(() => {
    process.removeListener('uncaughtException', note);
    for (const other of others) process.on('uncaughtException', other);
  });
  const timers = manualTimers();
  const pulse = new Pulse(timers);
  let runs = 0;
  const ends = [
    pulse.every(1_000, () => {
      throw new Error('a fault');
    }),
    pulse.every(1_000, () => runs++),
  ];
  await timers.advance(1_000);
  await settle();
  await timers.advance(1_000);
  await settle();
  t.equal(faults.length, 2);
  t.equal(runs, 2);
  for (const end of ends) end();
});

t.test('real timers run work at multiples of its interval', async (t) => {
  const pulse = new Pulse(idleTimers);
  const alive = setInterval(() => {}, 1_000);
  const dueMs = await new Promise<number>((resolve) => pulse.once(20, resolve));
  clearInterval(alive);
  t.equal(dueMs % 20, 0);
  t.ok(performance.now() >= dueMs - 1, 'not early');
});

t.test('work that stalls the thread does not run before data that waits, and neither does the next work', async (t) => {
  const timers = manualTimers();
  const pulse = new Pulse(timers);
  const order: string[] = [];
  const { port1, port2 } = new MessageChannel();
  port2.on('message', () => order.push('data'));
  const first = () => {
    order.push('first');
    port1.postMessage(null);
  };
  const ends = [pulse.once(1_000, first), pulse.once(1_000, () => order.push('second'))];
  await timers.advance(1_000);
  while (order.length < 3) await settle();
  t.same(order, ['first', 'data', 'second']);
  for (const end of ends) end();
  port1.close();
});
