import t from 'tap';
import { createLifecycle, STOP_BUDGET_MS, type Step } from '../../src/host/lifecycle.ts';
import { manualTimers, settle } from './manual_timers.ts';
import { memoryLog } from './memory_log.ts';

const never = (): Promise<void> => new Promise(() => {});

function setUp() {
  const { log, lines } = memoryLog();
  const timers = manualTimers();
  const lifecycle = createLifecycle(log, timers);
  const trace: string[] = [];
  const add = (name: string, step: Partial<Step> = {}): void =>
    lifecycle.add(name, {
      ...step,
      start(signal) {
        trace.push(`+${name}`);
        return step.start?.(signal);
      },
      stop() {
        trace.push(`-${name}`);
        return step.stop?.();
      },
    });
  const errors = (): unknown[] => lines.filter(({ level }) => level >= 50).map(({ msg }) => msg);
  return { lifecycle, timers, trace, add, errors, lines };
}

t.test('steps start in order and stop in reverse', async (t) => {
  const { lifecycle, trace, add, errors } = setUp();
  for (const name of ['store', 'core', 'http']) add(name, { start: () => settle(), stop: () => settle() });
  t.equal(await lifecycle.start(), 'started');
  t.same(trace, ['+store', '+core', '+http']);
  t.equal(await lifecycle.stop(), 0);
  t.same(trace.slice(3), ['-http', '-core', '-store']);
  t.same(errors(), []);
});

t.test('a step waits for the one before it', async (t) => {
  const { lifecycle, trace, add } = setUp();
  let up = (): void => {};
  add('store', { start: () => new Promise((resolve) => (up = resolve)) });
  add('core');
  const started = lifecycle.start();
  await settle();
  t.same(trace, ['+store']);
  up();
  await started;
  t.same(trace, ['+store', '+core']);
});

t.test('a step that fails to start stops those before it, in reverse, and its error is thrown', async (t) => {
  const { lifecycle, trace, add, errors } = setUp();
  add('store');
  add('core');
  add('http', {
    start() {
      throw new Error('port taken');
    },
  });
  add('links');
  await t.rejects(lifecycle.start(), { message: 'port taken' });
  t.same(trace, ['+store', '+core', '+http', '-core', '-store']);
  t.same(errors(), ['http did not start: port taken']);
  t.equal(await lifecycle.stop(), 1);
  t.equal(trace.length, 5, 'nothing is stopped twice');
});

t.test('a step that takes too long to start has failed, and is stopped if it comes up after all', async (t) => {
  const { lifecycle, trace, timers, add } = setUp();
  let up = (): void => {};
  add('store');
  add('core', { startTimeoutMs: 500, start: () => new Promise((resolve) => (up = resolve)) });
  const failed = t.rejects(lifecycle.start(), { message: 'the step took longer than 500 ms' });
  await timers.advance(499);
  t.same(trace, ['+store', '+core']);
  await timers.advance(1);
  await failed;
  t.same(trace, ['+store', '+core', '-store']);
  up();
  await settle();
  t.same(trace, ['+store', '+core', '-store', '-core']);
});

t.test('a stop while starting lets the current step end, and starts no other', async (t) => {
  const { lifecycle, trace, add, errors } = setUp();
  add('store');
  add('core', {
    start: (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true })),
  });
  add('http');
  const started = lifecycle.start();
  await settle();
  t.equal(await lifecycle.stop(), 0);
  t.equal(await started, 'stopped');
  t.same(trace, ['+store', '+core', '-core', '-store']);
  t.same(errors(), []);
});

t.test('a start that fails because of the stop is no failure', async (t) => {
  const { lifecycle, trace, add } = setUp();
  add('store');
  add('core', {
    start: (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })),
  });
  const started = lifecycle.start();
  await settle();
  t.equal(await lifecycle.stop(), 0);
  t.equal(await started, 'stopped');
  t.same(trace, ['+store', '+core', '-store']);
});

t.test('a starting step that does not give way is left after 3 s, and stopped when it comes up', async (t) => {
  const { lifecycle, trace, timers, add } = setUp();
  let up = (): void => {};
  add('store');
  add('core', { start: () => new Promise((resolve) => (up = resolve)) });
  const started = lifecycle.start();
  await settle();
  const stopped = lifecycle.stop();
  await timers.advance(2_999);
  t.same(trace, ['+store', '+core']);
  await timers.advance(1);
  t.equal(await stopped, 1);
  t.same(trace, ['+store', '+core', '-store']);
  up();
  t.equal(await started, 'stopped');
  t.same(trace, ['+store', '+core', '-store', '-core']);
});

t.test('an error while stopping is logged with the name of the step, and the others are stopped', async (t) => {
  const { lifecycle, trace, add, errors } = setUp();
  add('store');
  add('core', {
    stop() {
      throw new Error('worker gone');
    },
  });
  add('http', { stop: () => Promise.reject(new Error('socket gone')) });
  await lifecycle.start();
  t.equal(await lifecycle.stop(), 1);
  t.same(trace.slice(3), ['-http', '-core', '-store']);
  t.same(errors(), ['http did not stop: socket gone', 'core did not stop: worker gone']);
});

t.test('a step that does not stop is left after its time, which is logged', async (t) => {
  const { lifecycle, trace, timers, add, lines } = setUp();
  add('store');
  add('core', { stop: never });
  add('http', { stop: never, stopTimeoutMs: 700 });
  await lifecycle.start();
  const stopped = lifecycle.stop();
  await timers.advance(699);
  t.same(trace.slice(3), ['-http']);
  await timers.advance(1);
  t.same(trace.slice(3), ['-http', '-core']);
  await timers.advance(2_000);
  t.equal(await stopped, 1);
  t.equal(trace.at(-1), '-store');
  t.match(
    lines.filter(({ level }) => level === 50),
    [
      { step: 'http', ms: 700, msg: 'http did not stop: the step took longer than 700 ms' },
      { step: 'core', ms: 2_000, msg: 'core did not stop: the step took longer than 2000 ms' },
    ],
  );
});

t.test('the whole stop is over in 8 s, and even then every step has been asked', async (t) => {
  const { lifecycle, trace, timers, add } = setUp();
  for (let i = 0; i < 10; i++) add(`s${i}`, { stop: never, stopTimeoutMs: 3_000 });
  await lifecycle.start();
  const stopped = lifecycle.stop().then((code) => ({ code, at: timers.now() }));
  await timers.advance(STOP_BUDGET_MS);
  t.same(await stopped, { code: 1, at: STOP_BUDGET_MS });
  t.same(
    trace.slice(10),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((i) => `-s${i}`),
  );
});

t.test('stopping twice is stopping once; stopping before the start prevents it', async (t) => {
  const { lifecycle, trace, add } = setUp();
  add('store');
  t.equal(await lifecycle.stop(), 0);
  t.equal(await lifecycle.start(), 'stopped');
  t.same(trace, []);
  const second = setUp();
  second.add('store', { stop: () => settle() });
  await second.lifecycle.start();
  t.same(await Promise.all([second.lifecycle.stop(), second.lifecycle.stop()]), [0, 0]);
  t.same(second.trace, ['+store', '-store']);
});

t.test('no timer is left behind', async (t) => {
  const { lifecycle, timers, add } = setUp();
  add('a', { start: () => settle() });
  add('b', { stop: () => settle() });
  await lifecycle.start();
  await lifecycle.stop();
  t.equal(timers.waiting(), 0);
});

t.test('a step added after the start is a mistake', async (t) => {
  const { lifecycle, add } = setUp();
  await lifecycle.start();
  t.throws(() => add('late'), { message: 'late was added after the start' });
});
