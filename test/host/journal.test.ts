import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { createJournal } from '../../src/host/journal.ts';
import { memoryLog } from './memory_log.ts';

const journalModule = JSON.stringify(new URL('../../src/host/journal.js', import.meta.url).href);

/** Runs a script against a real journal on a pipe. */
function child(script: string, env: Record<string, string> = {}): ChildProcess {
  const source = `import { createJournal } from ${journalModule};\nconst journal = createJournal({ level: 'trace' });\n${script}`;
  return spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

async function linesOf(running: ChildProcess): Promise<string[]> {
  let text = '';
  running.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await once(running, 'close');
  return text.split('\n').slice(0, -1);
}

t.test('a line is JSON with a level, a time and the message', async (t) => {
  const { log, lines } = memoryLog();
  log.info({ url: 'http://127.0.0.1:8077' }, 'ready');
  log.child({ link: 'rid' }).warn('gone');
  t.match(lines, [
    { level: 30, time: /^\d{4}-\d\d-\d\dT.*Z$/, msg: 'ready', url: 'http://127.0.0.1:8077' },
    { level: 40, link: 'rid', msg: 'gone' },
  ]);
  t.notOk('pid' in (lines[0] ?? {}));
});

t.test('lines below the level are not written', async (t) => {
  const written: string[] = [];
  const { log } = createJournal({ level: 'warn', env: {}, write: (line) => written.push(line) });
  log.info('no');
  log.warn('yes');
  t.equal(written.length, 1);
});

t.test('an error is logged with its stack', async (t) => {
  const { log, lines } = memoryLog();
  log.error({ err: new Error('disk gone') }, 'write failed');
  t.match(lines[0], { err: { message: 'disk gone', stack: /journal\.test/ } });
});

t.test('no query string and no secret reaches a line', async (t) => {
  const written: string[] = [];
  const { log } = createJournal({ level: 'trace', env: {}, write: (line) => written.push(line) });
  const secret = 'Zm9vYmFyYmF6cXV4Zm9vYmFy';
  log.info({ url: `/api/stream?ticket=stk_${secret}&lat=47.1` }, 'request');
  log.info({ password: secret, a: { token: secret, b: { secret } } }, 'fields');
  log.info({ headers: { authorization: `Bearer dst_${secret}`, cookie: secret } }, 'headers');
  log.warn({ err: new Error(`bad key dak_${secret}`) }, `refused dak_${secret}, stk_${secret}`);
  log.child({ note: `"dst_${secret}"` }).info('child');
  t.equal(written.length, 5);
  for (const line of written) {
    t.notMatch(line, secret);
    t.notMatch(line, '47.1');
    t.doesNotThrow(() => JSON.parse(line));
  }
  t.match(JSON.parse(written[0] ?? ''), { url: '/api/stream' });
  t.match(JSON.parse(written[3] ?? ''), { msg: 'refused dak_[hidden], stk_[hidden]' });
});

t.test('every line has left, in order, when the process exits after a flush', async (t) => {
  const lines = await linesOf(
    child(`for (let i = 0; i < 3000; i++) journal.log.info({ i, pad: 'x'.repeat(200) }, 'line');
      await journal.flush(5000);
      process.exit(0);`),
  );
  t.same(
    lines.map((line) => JSON.parse(line).i),
    Array.from({ length: 3_000 }, (_, i) => i),
  );
});

t.test('the last lines before a plain exit are not lost', async (t) => {
  const lines = await linesOf(child(`journal.log.info('one'); journal.log.fatal('two'); process.exit(3);`));
  t.same(lines.map((line) => JSON.parse(line).msg).sort(), ['one', 'two']);
});

t.test('a reader that stalls costs lines, which are counted, and never holds the event loop', async (t) => {
  const running = child(`
    const began = performance.now();
    for (let i = 0; i < 40_000; i++) {
      journal.log.info({ i, pad: 'x'.repeat(100) }, 'line');
      if (i % 100 === 0) await new Promise(setImmediate);
    }
    process.send({ ms: performance.now() - began, dropped: journal.dropped() });
    process.once('message', async () => {
      await journal.flush(10_000);
      process.exit(0);
    });`);
  // Nobody reads the child's output until it is through with writing.
  const [{ ms, dropped }] = (await once(running, 'message')) as [{ ms: number; dropped: number }];
  t.ok(ms < 20_000, `${Math.round(ms)} ms for 40 000 lines`);
  t.ok(dropped > 0, `${dropped} dropped`);
  running.send('read on');
  const lines = await linesOf(running);
  t.equal(lines.length + dropped, 40_000, 'each line was written or counted');
  t.doesNotThrow(() => lines.forEach((line) => void JSON.parse(line)), 'and none is cut');
});

t.test('priorities stand before the lines only where standard output is the stream of journald', async (t) => {
  const script = `for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal']) journal.log[level]('x');
    await journal.flush(); process.exit(0);`;
  const plain = await linesOf(child(script, { JOURNAL_STREAM: '1:2', INVOCATION_ID: 'x' }));
  t.ok(
    plain.every((line) => line.startsWith('{')),
    'an inherited variable does not fool it',
  );
  // The child compares its own standard output with what it is told, as systemd tells its services.
  const own = `process.env.JOURNAL_STREAM = (() => { const s = fstatSync(1, { bigint: true }); return s.dev + ':' + s.ino; })();`;
  const source = `import { fstatSync } from 'node:fs'; import { createJournal } from ${journalModule};
    ${own} const journal = createJournal({ level: 'trace' }); ${script}`;
  const journald = await linesOf(
    spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  t.same(
    journald.map((line) => line.slice(0, 4)),
    ['<7>{', '<7>{', '<6>{', '<4>{', '<3>{', '<2>{'],
  );
});
