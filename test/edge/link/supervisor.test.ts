import fc from 'fast-check';
import t from 'tap';
import { Claims } from '../../../src/edge/link/claims.ts';
import { completeDeps } from '../../../src/edge/link/deps.ts';
import type { Port, PortEvents, Transport } from '../../../src/edge/link/port.ts';
import { Supervisor } from '../../../src/edge/link/supervisor.ts';
import { Fault } from '../../../src/model/fault.ts';
import { sized } from '../../support/basics/size.ts';
import { createMemoryLink } from './memory_link.ts';
import { manualTime, record, specOf, turns } from './rig.ts';

const spec = specOf({ transport: 'udp', address: '127.0.0.1:0', silence_s: 30 });
const bytes = (text: string) => Buffer.from(text, 'latin1');

function memoryRig(over: Partial<typeof spec> = {}) {
  const time = manualTime();
  const seen = record();
  const arrived: string[] = [];
  const deps = { nowMs: time.nowMs, timers: time.timers, claims: new Claims(), random: () => 0.5 };
  const made = createMemoryLink({ ...spec, ...over }, seen.events, deps, (sent) =>
    arrived.push(Buffer.from(sent).toString()),
  );
  return { ...made, ...seen, time, arrived };
}

t.test('a link opens, brings bytes with their sender and time, and counts them', async (t) => {
  const { link, end, chunks, time, states } = memoryRig();
  link.start();
  await turns();
  time.advance(250);
  end.send(bytes('hello'), 'a');
  t.same(states(), ['opening', 'open']);
  t.match(chunks, [{ from: 'a', atMs: 1_000_250 }]);
  t.match(link.status(), { state: 'open', rxBytes: 5, lastRxMs: 1_000_250, lastError: null, boundTo: 'memory' });
  await link.stop();
});

t.test('a link whose spec is not enabled stays disabled', async (t) => {
  const { link, states } = memoryRig({ enabled: false });
  link.start();
  await turns();
  t.equal(link.status().state, 'disabled');
  t.same(states(), []);
  await link.stop();
});

t.test('what cannot be opened is tried again, ever later, and opens when it can', async (t) => {
  const { link, end, time, statuses } = memoryRig();
  end.unplug('no such thing');
  link.start();
  for (let attempt = 0; attempt < 9; attempt++) {
    await turns();
    time.advance((link.status().nextRetryMs ?? 0) - time.nowMs());
  }
  const waits = statuses
    .filter(({ state }) => state === 'backoff')
    .map((status) => (status.nextRetryMs ?? 0) - status.sinceMs);
  t.same(waits, [500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  t.match(link.status(), { state: 'backoff', lastError: 'no such thing', retries: 9 });
  end.plug();
  await turns();
  t.equal(link.status().state, 'open');
  t.equal(link.status().lastError, 'no such thing', 'an open link that has heard nothing still says why it was away');
  end.send(bytes('x'));
  t.equal(link.status().lastError, null);
  await link.stop();
});

/** A transport that fails as loudly as a test wants. */
function scripted() {
  const time = manualTime();
  const seen = record();
  const ports: PortEvents[] = [];
  const script = { open: async () => 'here', close: async () => {} };
  const way: Transport = {
    port: (events): Port => {
      ports.push(events);
      return { open: () => script.open(), close: () => script.close(), write: async () => 0 };
    },
    claim: () => () => {},
    onSilence: 'reopen',
    carrier: 'open',
    warning: null,
  };
  const deps = completeDeps({ nowMs: time.nowMs, timers: time.timers, claims: new Claims(), random: () => 0.5 });
  return { link: new Supervisor(spec, way, seen.events, deps), ports, time, script, ...seen };
}

t.test('an error and a close of the same failure schedule one retry', async (t) => {
  const { link, ports, time } = scripted();
  link.start();
  await turns();
  ports[0]?.lost('broke');
  ports[0]?.lost('closed');
  ports[0]?.ended('end of file');
  await turns();
  t.match(link.status(), { retries: 1, lastError: 'broke', state: 'backoff' });
  t.equal(time.pending(), 1, 'one timer');
  time.advance(60_000);
  await turns();
  t.equal(ports.length, 2, 'opened once more');
  await link.stop();
});

t.test('a port that is over is not heard any more', async (t) => {
  const { link, ports, time, chunks } = scripted();
  link.start();
  await turns();
  ports[0]?.lost('broke');
  ports[0]?.bytes(bytes('late'), '');
  time.advance(500);
  await turns();
  t.equal(link.status().state, 'open');
  ports[0]?.lost('late');
  ports[0]?.bytes(bytes('late'), '');
  t.equal(link.status().state, 'open');
  t.same(chunks, []);
  await link.stop();
  ports[1]?.bytes(bytes('later'), '');
  ports[1]?.lost('later');
  t.same(chunks, []);
  t.equal(link.status().state, 'disabled');
  t.equal(time.pending(), 0);
});

t.test('a port that says trying again cannot help is not tried again until started anew', async (t) => {
  const { link, ports, time, script } = scripted();
  script.open = async () => {
    throw new Fault('invalid_input', '/etc/passwd is not a serial device');
  };
  link.start();
  await turns();
  t.match(link.status(), { state: 'failed', lastError: '/etc/passwd is not a serial device', nextRetryMs: null });
  time.advance(1e6);
  await turns();
  t.equal(ports.length, 1);
  await link.stop();
  script.open = async () => 'here';
  link.start();
  await turns();
  t.equal(link.status().state, 'open');
  await link.stop();
});

t.test('a silent port is closed, counted and opened again, and never faster than its deadline', async (t) => {
  const { link, ports, time } = scripted();
  link.start();
  await turns();
  time.advance(29_999);
  t.equal(link.status().state, 'open');
  time.advance(1);
  t.match(link.status(), { state: 'backoff', silences: 1, lastError: 'no bytes received for 30 s' });
  for (let ms = 0; ms < 300_000; ms += 100) {
    time.advance(100);
    await turns(2);
  }
  t.ok(ports.length >= 9 && ports.length <= 11, `${ports.length} openings in 330 s`);
  await link.stop();
});

t.test('a byte now and then keeps a port open', async (t) => {
  const { link, ports, time } = scripted();
  link.start();
  await turns();
  for (let at = 0; at < 20; at++) {
    time.advance(29_000);
    ports[0]?.bytes(bytes('.'), '');
  }
  t.match(link.status(), { state: 'open', silences: 0, retries: 0 });
  time.advance(30_000);
  t.equal(link.status().silences, 1);
  await link.stop();
});

t.test('a link that opens and breaks at once backs off; one that was heard is tried again soon', async (t) => {
  const { link, ports, time } = scripted();
  link.start();
  for (let attempt = 0; attempt < 8; attempt++) {
    await turns();
    ports.at(-1)?.lost('flaps');
    if (attempt < 7) time.advance((link.status().nextRetryMs ?? 0) - time.nowMs());
  }
  t.equal((link.status().nextRetryMs ?? 0) - time.nowMs(), 30_000);
  time.advance(30_000);
  await turns();
  ports.at(-1)?.bytes(bytes('x'), '');
  ports.at(-1)?.lost('once more');
  t.equal((link.status().nextRetryMs ?? 0) - time.nowMs(), 500);
  await link.stop();
});

t.test('a write is refused while the link is not open and does not leave later', async (t) => {
  const { link, end, arrived, time } = memoryRig();
  await t.rejects(link.write(bytes('early')), { code: 'conflict', message: "link 'rid' is not open" });
  end.unplug('away');
  link.start();
  await turns();
  await t.rejects(link.write(bytes('away')), { code: 'conflict' });
  end.plug();
  time.advance(500);
  await turns();
  await link.write(bytes('now'));
  t.same(arrived, ['now']);
  t.match(link.status(), { txBytes: 3, lastTxMs: time.nowMs() });
  await link.stop();
  await t.rejects(link.write(bytes('late')), { code: 'conflict' });
});

t.test('a port that never closes does not keep its link from trying again', async (t) => {
  const { link, ports, time, script } = scripted();
  script.close = () => new Promise(() => {});
  link.start();
  await turns();
  ports[0]?.lost('broke');
  time.advance(500);
  await turns();
  t.equal(ports.length, 1, 'waits for the close');
  time.advance(5_000);
  await turns();
  t.equal(ports.length, 2);
  const stopped = link.stop();
  time.advance(5_000);
  await stopped;
  t.equal(link.status().state, 'disabled');
});

t.test('stopping while it opens ends in disabled, with nothing left to fire', async (t) => {
  const { link, time, script, states } = scripted();
  let opened = (_: string): void => {};
  script.open = () =>
    new Promise((resolve) => {
      opened = resolve;
    });
  link.start();
  await link.stop();
  opened('here');
  await turns();
  t.same(states(), ['opening', 'disabled']);
  t.equal(time.pending(), 0);
});

t.test('a listener may stop the link at whatever it is told, and nothing is opened after that', async (t) => {
  for (const at of ['opening', 'open', 'backoff']) {
    const { link, ports, time, events, script } = scripted();
    let opened = 0;
    script.open = async () => {
      opened++;
      return 'here';
    };
    const note = events.status;
    events.status = (status) => {
      note(status);
      if (status.state === at) void link.stop();
    };
    link.start();
    await turns();
    ports.at(-1)?.lost('broke');
    time.advance(100_000);
    await turns();
    t.equal(link.status().state, 'disabled', at);
    t.equal(opened, at === 'opening' ? 0 : 1);
    t.equal(time.pending(), 0);
  }
});

t.test('a link can be started, stopped and started again', async (t) => {
  const { link, end, text } = memoryRig();
  for (let round = 0; round < 3; round++) {
    link.start();
    link.start();
    await turns();
    end.send(bytes(String(round)));
    const [first, second] = [link.stop(), link.stop()];
    await Promise.all([first, second]);
    end.send(bytes('never'));
  }
  t.equal(text(), '012');
  t.equal(link.status().lastError, null);
});

const seed = Date.now() % 1_000_000_007;
t.comment(`seed ${seed}`);

const happening = fc.oneof(
  fc.record({
    what: fc.constantFrom('start', 'stop', 'lost', 'ended', 'bytes', 'opens', 'fails', 'closes'),
    ms: fc.constant(0),
  }),
  fc.record({ what: fc.constant('time'), ms: fc.nat({ max: 70_000 }) }),
);

t.test('whatever happens in whatever order, one port at most is open and a stopped link leaves nothing', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (story) => {
      const { link, ports, time, script } = scripted();
      const opening: { resolve(at: string): void; reject(error: Error): void }[] = [];
      const closing: (() => void)[] = [];
      let alive = 0;
      let most = 0;
      script.open = () => {
        most = Math.max(most, ++alive);
        return new Promise((resolve, reject) => opening.push({ resolve, reject }));
      };
      script.close = () =>
        new Promise((resolve) => {
          closing.push(() => {
            alive--;
            resolve();
          });
        });
      const settleCloses = () => {
        for (const close of closing.splice(0)) close();
      };
      for (const { what, ms } of story) {
        if (what === 'start' && !closing.length) link.start();
        if (what === 'stop') void link.stop();
        if (what === 'lost') ports.at(-1)?.lost('lost');
        if (what === 'ended') ports.at(-1)?.ended('end of file');
        if (what === 'bytes') ports.at(-1)?.bytes(bytes('x'), '');
        if (what === 'opens') opening.at(-1)?.resolve('here');
        if (what === 'fails') opening.at(-1)?.reject(new Error('no'));
        if (what === 'closes') settleCloses();
        await turns(1);
        // In steps shorter than the deadline of a close, so that every port closes in time.
        for (let leftMs = ms; leftMs > 0; leftMs -= 4_000) {
          settleCloses();
          await turns(1);
          time.advance(Math.min(leftMs, 4_000));
        }
        await turns(1);
        const { state, nextRetryMs } = link.status();
        if ((state === 'backoff') !== (nextRetryMs !== null)) return false;
        if (time.pending() > 2) return false;
      }
      const stopped = link.stop();
      settleCloses();
      await stopped;
      return most <= 1 && alive === 0 && time.pending() === 0 && link.status().state === 'disabled';
    }),
    { seed, numRuns: sized(300) },
  );
  t.pass('300 stories');
});
