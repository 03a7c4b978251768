import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import t from 'tap';
import { handleSignals } from '../../src/host/signals.ts';
import { settle } from './manual_timers.ts';
import { memoryLog } from './memory_log.ts';

function setUp(stop: () => Promise<number>) {
  const { log, lines } = memoryLog();
  const exits: number[] = [];
  const port = Object.assign(new EventEmitter(), { exit: (code: number) => void exits.push(code) });
  const remove = handleSignals({ log, stop, flush: () => Promise.resolve(), port });
  return { port, exits, lines, remove };
}

t.test('a signal stops in order and exits with what the stop answered', async (t) => {
  for (const signal of ['SIGTERM', 'SIGINT']) {
    let stops = 0;
    const { port, exits } = setUp(() => Promise.resolve(++stops));
    port.emit(signal, signal);
    await settle();
    t.same(exits, [1]);
    t.equal(stops, 1);
  }
});

t.test('a second signal leaves at once with code 1', async (t) => {
  const { port, exits } = setUp(() => new Promise(() => {}));
  port.emit('SIGTERM', 'SIGTERM');
  await settle();
  t.same(exits, []);
  port.emit('SIGINT', 'SIGINT');
  t.same(exits, [1]);
});

t.test('an error nobody caught is logged with its stack and ends the process with code 70', async (t) => {
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    const { port, exits, lines } = setUp(() => Promise.resolve(0));
    port.emit(event, new Error('boom'));
    port.emit(event, new Error('again'));
    await settle();
    t.same(exits, [70], event);
    t.match(lines, [{ level: 60, kind: event, err: { message: 'boom', stack: /signals\.test/ } }]);
    t.equal(lines.length, 1, 'what fails while dying is not told');
  }
  const { port, exits, lines } = setUp(() => Promise.resolve(0));
  port.emit('unhandledRejection', 'only text');
  await settle();
  t.same(exits, [70]);
  t.match(lines, [{ err: { message: 'only text' } }]);
});

t.test('the handlers can be taken off', async (t) => {
  const { port, remove } = setUp(() => Promise.resolve(0));
  remove();
  t.same(port.eventNames(), []);
});

const moduleOf = (path: string): string => JSON.stringify(new URL(`../../src/host/${path}`, import.meta.url).href);

/** A small daemon: one step that stops after `stopMs`, or never. */
function daemon(stop: string, then = '') {
  const source = `
    import { createJournal } from ${moduleOf('journal.js')};
    import { createLifecycle } from ${moduleOf('lifecycle.js')};
    import { handleSignals } from ${moduleOf('signals.js')};
    const { log, flush } = createJournal();
    const lifecycle = createLifecycle(log);
    const alive = setInterval(() => {}, 1000);
    lifecycle.add('only', { start() {}, ${stop}});
    handleSignals({ log, flush, stop: () => lifecycle.stop() });
    await lifecycle.start();
    log.info('ready');
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  const ready = new Promise<void>((resolve) =>
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
      if (out.includes('"ready"')) resolve();
    }),
  );
  const closed = once(child, 'close').then(([code]) => ({ code, out }));
  return { child, ready, closed };
}

t.test('a real process ends on SIGTERM with 0, its handles notwithstanding', async (t) => {
  const { child, ready, closed } = daemon('stop: () => new Promise((resolve) => setTimeout(resolve, 20))');
  await ready;
  child.kill('SIGTERM');
  const { code, out } = await closed;
  t.equal(code, 0);
  t.match(out, 'SIGTERM: stopping');
});

t.test('a real process whose stop hangs ends on a second signal', async (t) => {
  const { child, ready, closed } = daemon('stop: () => new Promise(() => {}), stopTimeoutMs: 60000');
  await ready;
  child.stdout.on('data', (text: string) => {
    if (text.includes('SIGTERM: stopping')) child.kill('SIGINT');
  });
  child.kill('SIGTERM');
  t.equal((await closed).code, 1);
});

t.test(
  'a real process whose stop hangs with nothing left to wait for still waits its time and exits with 1',
  async (t) => {
    const { child, ready, closed } = daemon(
      'stop() { clearInterval(alive); return new Promise(() => {}); }, stopTimeoutMs: 100',
    );
    await ready;
    child.kill('SIGTERM');
    const { code, out } = await closed;
    t.equal(code, 1);
    t.match(out, 'only did not stop: the step took longer than 100 ms');
  },
);

t.test('a real process dies of an error nobody caught with 70, and its journal says why', async (t) => {
  for (const then of ["setTimeout(() => { throw new Error('boom'); }, 1)", "void Promise.reject(new Error('boom'))"]) {
    const { code, out } = await daemon('', then).closed;
    t.equal(code, 70);
    t.match(JSON.parse(out.trim().split('\n').at(-1) ?? ''), {
      level: 60,
      err: { message: 'boom', stack: /Error: boom/ },
    });
  }
});
