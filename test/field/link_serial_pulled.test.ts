import t from 'tap';
import { openLink, until } from '../edge/link/rig.ts';
import { openFarEnd, socatMissing, startPtyPair } from '../support/links/pty.ts';

const skip = socatMissing();

t.test(
  'a serial port that is pulled out and put back comes back by itself, as often as it happens',
  { skip },
  async (t) => {
    const pty = await startPtyPair(t, t.testdir());
    const { link, text, states, gone } = await openLink(t, { transport: 'serial', address: pty.near });
    for (let round = 0; round < 3; round++) {
      const far = openFarEnd(t, pty.far);
      far.send(`round ${round};`);
      await until('bytes', () => text().endsWith(`round ${round};`));
      t.equal(link.status().lastError, null);
      await pty.pull();
      await until('the hang-up', () => link.status().state === 'backoff');
      t.match(link.status().lastError, /was disconnected|is not there/);
      await until('the half-received frame to be forgotten', () => gone.length === round + 1);
      await pty.plug();
      await until('it opens', () => link.status().state === 'open');
    }
    t.equal(text(), 'round 0;round 1;round 2;');
    t.same(states().filter((state) => state === 'open').length, 4);
  },
);

t.test('while a port is away its status says what is missing and when it is tried again', { skip }, async (t) => {
  const pty = await startPtyPair(t, t.testdir());
  const { link } = await openLink(t, { transport: 'serial', address: pty.near });
  await pty.pull();
  await until('a failed attempt', () => link.status().retries >= 2 && link.status().state === 'backoff');
  const status = link.status();
  t.equal(status.lastError, `${pty.near} is not there`);
  t.ok((status.nextRetryMs ?? 0) > status.sinceMs);
  t.equal(status.boundTo, null);
});

t.test('what was written while the port was away is not delivered when it is back', { skip }, async (t) => {
  const pty = await startPtyPair(t, t.testdir());
  const { link } = await openLink(t, { transport: 'serial', address: pty.near });
  await link.write(Buffer.from('before;'));
  await pty.pull();
  await until('the hang-up', () => link.status().state === 'backoff');
  for (let i = 0; i < 5; i++)
    await t.rejects(link.write(Buffer.from('stale;')), { code: 'conflict', message: "link 'rid' is not open" });
  await pty.plug();
  const far = openFarEnd(t, pty.far);
  await until('it opens', () => link.status().state === 'open');
  await link.write(Buffer.from('after;'));
  await until('the later write', () => far.text().includes('after;'));
  t.equal(far.text(), 'after;');
});

t.test('a write that a pulled port never took is reported as not sent', { skip }, async (t) => {
  const pty = await startPtyPair(t, t.testdir());
  const { link } = await openLink(t, { transport: 'serial', address: pty.near });
  // More than the line and socat can hold, so it is still on its way when the port goes.
  const write = link.write(Buffer.alloc(8 * 1024 * 1024)).then(
    () => 'sent',
    (thrown) => thrown.code,
  );
  await t.rejects(link.write(Buffer.from('x')), {
    code: 'conflict',
    message: /previous message to .* is still being sent/,
  });
  await pty.pull();
  t.equal(await write, 'unavailable');
});
