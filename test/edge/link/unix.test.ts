import { join } from 'node:path';
import t from 'tap';
import { folderOf } from '../../support/basics/folder.ts';
import { unixHost } from '../../support/links/unix_host.ts';
import { rigLink, until } from './rig.ts';

t.test('a path that can be no socket is refused at once', async (t) => {
  for (const address of ['radio.sock', `/${'x'.repeat(107)}`, '/run/a\0b']) {
    t.throws(() => rigLink(t, { transport: 'unix', address }), /is not the absolute path of a socket/);
  }
});

t.test('it waits for the socket, takes bytes, sends, and dials again when the program ends', async (t) => {
  const path = join(folderOf(t), 'radio.sock');
  const { link, text, chunks, gone } = rigLink(t, { transport: 'unix', address: path, protocol: 'capture' });
  link.start();
  await until('the socket is awaited', () => link.status().state === 'backoff');
  t.match(link.status().lastError, /radio\.sock is not there/);
  const program = await unixHost(t, path, Buffer.from('hello '));
  await program.dialled(1);
  await until('it is open', () => link.status().state === 'open');
  t.equal(link.status().boundTo, path);
  await program.send(Buffer.from('again'));
  await until('the bytes are there', () => text() === 'hello again');
  t.same(new Set(chunks.map(({ from }) => from)), new Set(['']));
  await link.write(Buffer.from('x'));
  program.breakOff();
  await until('the end is noted', () => gone.length > 0);
  await program.dialled(2);
  await until('it is open again', () => link.status().state === 'open');
  await program.close();
  await until('the program is gone', () => link.status().state === 'backoff');
  t.match(link.status().lastError, /closed the connection|is not there|nothing listens there/);
});
