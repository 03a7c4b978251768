import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import t from 'tap';
import { createHub } from '../../../src/http/stream/hub.ts';
import { onlyInFull } from '../../support/basics/patience.ts';
import { waitFor } from '../../support/basics/wait.ts';
import { parseEvents, type Received } from '../../support/http/event_parser.ts';
import { createFakeStream } from '../../support/http/fake_stream.ts';
import { ask, createFakeService, createRecorder, type Rig, startRig } from '../../support/http/server.ts';

onlyInFull(t);

/** A stream over a real socket: its head, its events so far, and whether it has ended. */
class Listener {
  head = '';
  text = '';
  closed = false;
  readonly socket: Socket;

  constructor(rig: Rig, query = '', headers = '') {
    this.socket = connect(rig.port, '127.0.0.1');
    this.socket.setEncoding('utf8').on('error', () => {});
    this.socket.on('close', () => {
      this.closed = true;
    });
    this.socket.on('data', (piece: string) => {
      this.text += piece;
      const end = this.text.indexOf('\r\n\r\n');
      if (this.head !== '' || end === -1) return;
      this.head = this.text.slice(0, end);
      this.text = this.text.slice(end + 4);
    });
    this.socket.write(`GET /api/stream${query} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
  }

  get events(): Received[] {
    return parseEvents(this.text).events;
  }

  get comments(): number {
    return parseEvents(this.text).comments;
  }

  kinds(): string[] {
    return this.events.map((event) => event.kind);
  }
}

async function listen(rig: Rig, query = '', headers = ''): Promise<Listener> {
  const listener = new Listener(rig, query, headers);
  await waitFor(() => listener.events.length > 0);
  return listener;
}

const update = (n: number): Record<string, unknown> => ({ id: 'a', n });

t.test('the first event is the picture, then each change follows with its place and time', async (t) => {
  const rig = await startRig(t);
  rig.service.feed.change('track_new', { id: 'a' });
  rig.service.feed.flush();
  const listener = await listen(rig);
  t.match(listener.head, /^HTTP\/1.1 200 OK\r\n/);
  for (const line of [/content-type: text\/event-stream/i, /cache-control: no-store/i, /x-accel-buffering: no/i]) {
    t.match(listener.head, line);
  }
  t.notMatch(listener.head, /transfer-encoding|content-encoding/i);
  rig.service.feed.change('track_update', update(1));
  rig.service.feed.change('log', { text: 'a line\nbreak' });
  rig.service.feed.flush();
  await waitFor(() => listener.events.length === 3);
  t.match(listener.events[0], { id: 'e1:1', kind: 'snapshot', seq: 1, body: { epoch: 'e1', seq: 1 } });
  t.match(listener.events[1], { id: 'e1:2', kind: 'track_update', seq: 2, body: update(1) });
  t.match(listener.events[2], { id: 'e1:3', kind: 'log', seq: 3, body: { text: 'a line\nbreak' } });
  listener.socket.destroy();
});

t.test('a client that says what it saw last gets what it missed, and only that', async (t) => {
  const rig = await startRig(t);
  for (let n = 1; n <= 5; n++) rig.service.feed.change('track_update', update(n));
  rig.service.feed.flush();
  const listener = await listen(rig, '?last_event_id=e1:3');
  await waitFor(() => listener.events.length === 3);
  t.match(listener.events[0], { id: 'e1:3', kind: 'resume', seq: 3, body: { from: 'e1:3' } });
  t.same(
    listener.events.slice(1).map(({ seq }) => seq),
    [4, 5],
  );
  const current = await listen(rig, '?last_event_id=e1:5');
  t.same(current.kinds(), ['resume'], 'nothing was missed');
  rig.service.feed.change('track_update', update(6));
  rig.service.feed.flush();
  await waitFor(() => current.events.length === 2 && listener.events.length === 4);
  listener.socket.destroy();
  current.socket.destroy();
});

t.test('a place that is too old, of another epoch, ahead or no place at all begins with the picture', async (t) => {
  const service = createFakeService();
  const feed = createFakeStream(3);
  const rig = await startRig(t, {}, { ...service, feed, stream: () => feed });
  for (let n = 1; n <= 10; n++) feed.change('track_update', update(n));
  feed.flush();
  for (const place of ['e1:6', 'e0:9', 'e1:11', 'e1', 'e1:x', '%0aevent:', 'e1:99999999999999999999']) {
    const listener = await listen(rig, `?last_event_id=${place}`);
    t.same(listener.kinds(), ['snapshot'], place);
    listener.socket.destroy();
  }
  const listener = await listen(rig, '?last_event_id=e1:7');
  t.same(listener.kinds(), ['resume', 'track_update', 'track_update', 'track_update']);
  listener.socket.destroy();
});

t.test('the Last-Event-ID header alone changes nothing', async (t) => {
  const rig = await startRig(t);
  rig.service.feed.change('track_update', update(1));
  rig.service.feed.flush();
  const listener = await listen(rig, '', 'Last-Event-ID: e1:0\r\n');
  t.same(listener.kinds(), ['snapshot']);
  listener.socket.destroy();
});

t.test('a new epoch begins again with the picture', async (t) => {
  const rig = await startRig(t);
  const listener = await listen(rig);
  rig.service.feed.newEpoch('e2');
  await waitFor(() => listener.events.length === 2);
  rig.service.feed.change('track_update', update(1));
  rig.service.feed.flush();
  await waitFor(() => listener.events.length === 3);
  t.same(
    listener.events.map(({ id, kind }) => [id, kind]),
    [
      ['e1:0', 'snapshot'],
      ['e2:1', 'snapshot'],
      ['e2:2', 'track_update'],
    ],
  );
  listener.socket.destroy();
});

t.test('a picture taken in the middle of a tick is not told twice', async (t) => {
  const service = createFakeService();
  const inner = createFakeStream();
  // A source whose picture is ahead of what it has flushed.
  const feed = { ...inner, snapshot: () => ({ ...inner.snapshot(), seq: 2 }) };
  const rig = await startRig(t, {}, { ...service, feed, stream: () => feed });
  for (let n = 1; n <= 4; n++) inner.change('track_update', update(n));
  const listener = await listen(rig);
  inner.flush();
  await waitFor(() => listener.events.length === 3);
  t.same(
    listener.events.map(({ seq }) => seq),
    [2, 3, 4],
  );
  listener.socket.destroy();
});

t.test('a picture that cannot be taken ends the stream, is logged, and holds no place', async (t) => {
  const service = createFakeService();
  let broken = true;
  const snapshot = () => {
    if (broken) throw new Error('no picture');
    return service.feed.snapshot();
  };
  const feed = { ...service.feed, snapshot };
  const rig = await startRig(t, { stream: { clients: 1 } }, { ...service, feed, stream: () => feed });
  const listener = new Listener(rig);
  await waitFor(() => listener.closed);
  t.same(listener.events, []);
  t.equal(rig.recorder.errors.length, 1);
  broken = false;
  const next = await listen(rig);
  t.same(next.kinds(), ['snapshot']);
  next.socket.destroy();
});

t.test('the connection is shown to live', async (t) => {
  const rig = await startRig(t, { stream: { heartbeatMs: 20 } });
  const listener = await listen(rig);
  await waitFor(() => listener.comments >= 3);
  t.same(listener.kinds(), ['snapshot'], 'a comment is no event');
  listener.socket.destroy();
});

t.test('the stream after the last one allowed is 429, until another ends', async (t) => {
  // Two are the share of one address.
  const rig = await startRig(t, { stream: { clients: 8 } });
  const first = await listen(rig);
  const second = await listen(rig, '?world=live');
  const refused = await ask(`${rig.url}/api/stream`);
  t.equal(refused.status, 429);
  t.equal(refused.body.code, 'rate_limited');
  t.ok(Number(refused.headers.get('retry-after')) > 0);
  first.socket.destroy();
  await waitFor(async () => {
    const again = new Listener(rig);
    await waitFor(() => again.head !== '');
    const open = again.head.includes('200 OK');
    again.socket.destroy();
    return open;
  });
  second.socket.destroy();
});

t.test('a client that does not read is cut, holds no one up, and costs a bounded amount of memory', async (t) => {
  const rig = await startRig(t, { stream: { blockedMs: 1_500, heartbeatMs: 50 } });
  const good = await listen(rig);
  const deaf = await listen(rig);
  deaf.socket.pause();
  global.gc?.();
  const before = process.memoryUsage();
  const wide = 'x'.repeat(2_000);
  let ticks = 0;
  let lastSeen = 0;
  while (!deaf.closed && ticks < 2_000 && (rig.recorder.counts.get('stream_clients_cut_total') ?? 0) === 0) {
    for (let i = 0; i < 50; i++) rig.service.feed.change('track_update', { id: `t${i}`, wide, tick: ticks });
    rig.service.feed.flush();
    const { seq } = rig.service.feed;
    await waitFor(() => good.text.includes(`id: e1:${seq}\n`));
    lastSeen = seq;
    good.text = '';
    ticks++;
  }
  const after = process.memoryUsage();
  t.equal(rig.recorder.counts.get('stream_clients_cut_total'), 1);
  t.equal(lastSeen, rig.service.feed.seq, 'the other client had every tick at once');
  const grownMb = (after.external - before.external) / 1e6;
  t.ok(grownMb < 16, `${grownMb.toFixed(1)} MB more after ${ticks} ticks of 0.1 MB`);
  t.equal(good.closed, false);
  good.socket.destroy();
  deaf.socket.destroy();
});

t.test('what must not merge waits only up to a limit', async (t) => {
  const rig = await startRig(t, { stream: { pendingEvents: 100, highWaterBytes: 1_000 } });
  const deaf = await listen(rig);
  deaf.socket.pause();
  const text = 'x'.repeat(1_000);
  await waitFor(() => {
    for (let i = 0; i < 300; i++) rig.service.feed.change('log', { text });
    rig.service.feed.flush();
    return rig.recorder.counts.get('stream_clients_cut_total') === 1;
  });
  t.pass('cut');
  deaf.socket.destroy();
});

t.test('stopping ends every stream at once', async (t) => {
  const rig = await startRig(t);
  const listeners = [await listen(rig), await listen(rig), await listen(rig, '?world=live')];
  const started = Date.now();
  await rig.server.stop();
  t.ok(Date.now() - started < 2_000);
  await waitFor(() => listeners.every(({ closed }) => closed));
  t.pass('ended');
});

t.test('a hub that is not started, or was stopped, opens nothing', async (t) => {
  const hub = createHub(createFakeService(), (await startRig(t)).settings.stream, createRecorder());
  const asked = {
    world: undefined,
    profile: 'full' as const,
    lastEventId: null,
    by: {} as never,
    pilotsHidden: false,
    hasUsers: false,
  };
  t.throws(() => hub.open({} as never, {} as never, asked), { code: 'unavailable' });
});

t.test('a request behind a stream on its connection is not answered into it', async (t) => {
  const rig = await startRig(t);
  const listener = await listen(rig);
  listener.socket.write('GET /api/sim HTTP/1.1\r\nHost: localhost\r\n\r\n');
  rig.service.feed.change('track_update', update(1));
  rig.service.feed.flush();
  await waitFor(() => listener.events.length === 2);
  t.notMatch(listener.text, /HTTP\/1.1/);
  listener.socket.destroy();
  await once(listener.socket, 'close');
});

t.test('a client that changes its profile after a held change starts with the picture', async (t) => {
  const rig = await startRig(t);
  const light = await listen(rig, '?profile=light');
  rig.service.feed.change('track_update', update(1));
  rig.service.feed.change('zone_event', { zone_id: 'z', track_id: 'a' });
  rig.service.feed.flush();
  await waitFor(() => light.events.length === 2);
  const full = await listen(rig, `?last_event_id=${light.events.at(-1)?.id}`);
  t.equal(full.kinds()[0], 'snapshot');
  light.socket.destroy();
  full.socket.destroy();
});
