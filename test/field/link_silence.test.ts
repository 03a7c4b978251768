import { createSocket } from 'node:dgram';
import t from 'tap';
import { manualTime, openLink, portOf, turns, until } from '../edge/link/rig.ts';
import { openFarEnd, socatMissing, startPtyPair } from '../support/links/pty.ts';

t.test(
  'a serial port that falls silent is closed and opened again, and heard again',
  { skip: socatMissing() },
  async (t) => {
    const pty = await startPtyPair(t, t.testdir());
    const far = openFarEnd(t, pty.far);
    const time = manualTime();
    const spec = { transport: 'serial', address: pty.near, silence_s: 5 } as const;
    const { link, text, states } = await openLink(t, spec, { nowMs: time.nowMs, timers: time.timers });
    far.send('first;');
    await until('bytes', () => text() === 'first;');
    time.advance(4_900);
    t.equal(link.status().state, 'open');
    time.advance(100);
    t.match(link.status(), { state: 'backoff', silences: 1, lastError: 'no bytes received for 5 s' });
    await turns(50);
    time.advance(1_000);
    await until('it opens', () => link.status().state === 'open');
    t.equal(link.status().lastError, 'no bytes received for 5 s', 'opening is no proof of health');
    far.send('second;');
    await until('bytes again', () => text() === 'first;second;');
    t.equal(link.status().lastError, null);
    t.same(states(), ['opening', 'open', 'backoff', 'opening', 'open']);
  },
);

t.test('a silent UDP socket is opened again on the same port and says that nothing was heard', async (t) => {
  const time = manualTime();
  const spec = { transport: 'udp', address: '127.0.0.1:0', silence_s: 5 } as const;
  const { link, text, states } = await openLink(t, spec, { nowMs: time.nowMs, timers: time.timers });
  const port = portOf(link);
  for (let silence = 1; silence <= 3; silence++) {
    time.advance(5_000);
    await until('it is closed', () => link.status().state === 'opening');
    await until('it is opened again', () => {
      time.advance(0);
      return link.status().state === 'open';
    });
    t.match(link.status(), { silences: silence, retries: silence, lastError: 'no bytes received for 5 s' });
    t.equal(portOf(link), port);
  }
  const sender = createSocket('udp4');
  t.teardown(() => sender.close());
  sender.send('heard', port, '127.0.0.1');
  await until('a datagram', () => text() === 'heard');
  t.equal(link.status().lastError, null);
  t.notOk(states().includes('backoff'));
});
