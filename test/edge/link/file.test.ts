import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { rigLink, until } from './rig.ts';

const sha = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

t.test('a file is read to its end, in chunks, once', async (t) => {
  const path = join(t.testdir(), 'capture.bin');
  const content = randomBytes(1_000_003);
  writeFileSync(path, content);
  const { link, chunks, states } = rigLink(t, { transport: 'file', address: path });
  link.start();
  await until('the end', () => link.status().state === 'disabled');
  t.equal(sha(Buffer.concat(chunks.map(({ bytes }) => bytes))), sha(content));
  t.ok(chunks.every(({ bytes, from }) => bytes.length <= 65_536 && from === ''));
  t.match(link.status(), { lastError: 'end of file', retries: 0, rxBytes: content.length });
  t.same(states(), ['opening', 'open', 'disabled']);
});

t.test('a file read to its end is read again when started again', async (t) => {
  const path = join(t.testdir({ f: 'abc' }), 'f');
  const { link, text } = rigLink(t, { transport: 'file', address: path });
  for (const expected of ['abc', 'abcabc']) {
    link.start();
    await until('the end', () => link.status().lastError === 'end of file');
    await link.stop();
    t.equal(text(), expected);
  }
});

t.test('other work is done between two chunks of a long file', async (t) => {
  const path = join(t.testdir(), 'long.bin');
  writeFileSync(path, Buffer.alloc(4 * 1024 * 1024));
  const { link, chunks } = rigLink(t, { transport: 'file', address: path });
  let others = 0;
  const other = () => {
    others++;
    if (link.status().state !== 'disabled') setImmediate(other);
  };
  link.start();
  other();
  await until('the end', () => link.status().lastError === 'end of file');
  t.ok(others >= chunks.length, `${others} turns for ${chunks.length} chunks`);
});

t.test('a file that is not there is waited for', async (t) => {
  const path = join(t.testdir(), 'later');
  const { link, text } = rigLink(t, { transport: 'file', address: path });
  link.start();
  await until('the failure', () => link.status().state === 'backoff');
  t.equal(link.status().lastError, `${path} is not there`);
  writeFileSync(path, 'here now');
  await until('the file', () => text() === 'here now');
});

t.test('a directory is a failure that no retry mends', async (t) => {
  const { link } = rigLink(t, { transport: 'file', address: t.testdir() });
  link.start();
  await until('the failure', () => link.status().state === 'failed');
  t.match(link.status().lastError, /neither a file nor a FIFO/);
});

t.test('a file is not written to', async (t) => {
  const path = join(t.testdir(), 'fifo');
  execFileSync('mkfifo', [path]);
  const { link } = rigLink(t, { transport: 'file', address: path });
  link.start();
  await until('it opens', () => link.status().state === 'open');
  await t.rejects(link.write(Buffer.from('x')), { code: 'conflict', message: /cannot send/ });
});

t.test('a FIFO is waited on without a writer, read as it is written, and ends with its writer', async (t) => {
  const path = join(t.testdir(), 'fifo');
  execFileSync('mkfifo', [path]);
  const { link, text } = rigLink(t, { transport: 'file', address: path });
  link.start();
  await until('it opens', () => link.status().state === 'open');
  const writer = openSync(path, 'w');
  writeSync(writer, 'first ');
  await until('the first', () => text() === 'first ');
  writeSync(writer, 'second');
  await until('the second', () => text() === 'first second');
  closeSync(writer);
  await until('the end', () => link.status().state === 'disabled');
  t.equal(link.status().lastError, 'end of file');
});

t.test('a link on a FIFO that nobody writes to can be stopped', async (t) => {
  const path = join(t.testdir(), 'fifo');
  execFileSync('mkfifo', [path]);
  const { link } = rigLink(t, { transport: 'file', address: path });
  link.start();
  await until('it opens', () => link.status().state === 'open');
  await link.stop();
  t.equal(link.status().state, 'disabled');
  rmSync(path);
});
