import fc from 'fast-check';
import t from 'tap';
import { samplePicture } from '../../../src/http/openapi/samples.ts';
import { httpDefaults } from '../../../src/http/settings.ts';
import type { Sink } from '../../../src/http/stream/client.ts';
import { Feed, type FeedClient } from '../../../src/http/stream/feed.ts';
import type { EventKind } from '../../../src/model/event.ts';
import type { Picture } from '../../../src/model/picture.ts';
import { sized } from '../../support/basics/size.ts';
import { Mirror, parseEvents } from '../../support/http/event_parser.ts';
import { createFakeStream, type FakeStream } from '../../support/http/fake_stream.ts';

const seed = 424_242;
const settings = { ...httpDefaults.stream, highWaterBytes: 500, pendingEvents: 1_000_000 };

/** A socket that sends only when told to. */
class FakeSocket implements Sink {
  text = '';
  ended = false;
  private waiting = '';
  client: FeedClient | null = null;
  write = (bytes: Buffer): void => {
    this.waiting += bytes.toString();
  };
  unsent = (): number => this.waiting.length;
  end = (): void => {
    this.ended = true;
  };
  destroy = this.end;

  /** Sends so many bytes; emptied, it says so, as a real one does. */
  send(bytes: number): void {
    const had = this.waiting.length;
    this.text += this.waiting.slice(0, bytes);
    this.waiting = this.waiting.slice(bytes);
    if (had > 0 && this.waiting === '') this.client?.drained();
  }

  sendAll(): void {
    while (this.waiting !== '') this.send(this.waiting.length);
  }
}

/** The truth: objects that come, change and go, and the picture as of the last flush. */
class World {
  readonly truth = new Mirror();
  readonly logs: number[] = [];
  readonly stream: FakeStream;
  private shown: Partial<Picture> = { tracks: [], sensors: [], links: [] };
  private unflushed: { kind: EventKind; body: Record<string, unknown>; seq: number }[] = [];
  private counter = 0;

  constructor(window: number) {
    this.truth.sim = null;
    this.truth.objects.set('health', samplePicture.health);
    this.stream = createFakeStream(window, () => this.shown);
  }

  change(kind: EventKind, body: Record<string, unknown>): void {
    this.stream.change(kind, body);
    const event = { kind, body, seq: this.stream.seq };
    this.truth.apply(event);
    this.unflushed.push(event);
    if (kind === 'log') this.logs.push(event.seq);
  }

  flush(): void {
    const of = (family: string): never[] =>
      [...this.truth.objects].filter(([key]) => key.startsWith(`${family}:`)).map(([, row]) => row) as never[];
    this.shown = { tracks: of('track'), sensors: of('sensor'), links: of('link') };
    this.unflushed = [];
    this.stream.flush();
  }

  /** A change that fits what holds: `which` picks the object, `what` the kind, `value` the new field. */
  step(which: number, what: number, value: number): void {
    const tracks = [...this.truth.objects].filter(([key]) => key.startsWith('track:')).map(([, row]) => row);
    const track = tracks[which % Math.max(1, tracks.length)];
    const states = ['tentative', 'confirmed', 'coasting', 'lost'];
    if (what === 0 || track === undefined) {
      this.change('track_new', { id: `t${++this.counter}`, state: 'tentative', a: value, b: 0, c: null });
    } else if (what === 1) this.change('track_removed', { id: track.id, reason: 'closed' });
    else if (what === 2) this.change('track_state', { id: track.id, state: states[value % 4], was: track.state });
    else if (what === 3) this.change('track_update', { id: track.id, state: states[value % 4], c: value });
    else if (what === 4) this.change('log', { text: `log ${value}` });
    else if (what === 5) this.change('sensor_update', { id: `s${which % 3}`, value });
    else if (what === 6) this.change('sensor_removed', { id: `s${which % 3}` });
    else if (what === 7) this.change('sim_state', { value });
    else this.change('track_update', { id: track.id, [what % 2 === 0 ? 'a' : 'b']: value });
  }
}

type Op =
  | { op: 'step'; which: number; what: number; value: number }
  | { op: 'flush' }
  | { op: 'send'; who: number; bytes: number }
  | { op: 'drain'; who: number }
  | { op: 'reconnect'; who: number };

const clientCount = 3;
const who = fc.nat(clientCount - 1);
const step = fc.record({ op: fc.constant('step' as const), which: fc.nat(20), what: fc.nat(14), value: fc.nat(9) });
const operation: fc.Arbitrary<Op> = fc.oneof(
  { weight: 12, arbitrary: step },
  { weight: 4, arbitrary: fc.constant({ op: 'flush' as const }) },
  { weight: 3, arbitrary: fc.record({ op: fc.constant('send' as const), who, bytes: fc.nat(900) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('drain' as const), who }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('reconnect' as const), who }) },
);

/** One client with what it remembers over its connections. */
class Watcher {
  readonly mirror = new Mirror();
  readonly seqs: number[] = [];
  kinds: EventKind[] = [];
  snapshots: number[] = [];
  lastEventId: string | null = null;
  private socket = new FakeSocket();
  private readonly feed: Feed;

  constructor(feed: Feed) {
    this.feed = feed;
    this.connect();
  }

  connect(): void {
    this.socket.client?.leave();
    this.socket = new FakeSocket();
    this.socket.client = this.feed.join({ sink: this.socket, isOwner: true }, this.lastEventId);
  }

  send(bytes: number): void {
    this.socket.send(bytes);
    this.take();
  }

  sendAll(): void {
    this.socket.sendAll();
    this.take();
  }

  private take(): void {
    const { events, rest } = parseEvents(this.socket.text);
    this.socket.text = rest;
    for (const event of events) {
      if (event.id !== `e1:${event.seq}`) throw new Error(`the id ${event.id} is not that of ${event.seq}`);
      this.lastEventId = event.id;
      this.kinds.push(event.kind);
      if (event.kind === 'snapshot') this.snapshots.push(event.seq);
      else if (event.kind !== 'resume') this.seqs.push(event.seq);
      this.mirror.apply(event);
    }
  }
}

function run(ops: readonly Op[], window: number): { world: World; watchers: Watcher[] } {
  const world = new World(window);
  const feed = new Feed(world.stream, settings, () => 0, { bytes: () => {}, cut: () => {} });

  const watchers = Array.from({ length: clientCount }, () => new Watcher(feed));
  for (const op of ops) {
    if (op.op === 'step') world.step(op.which, op.what, op.value);
    else if (op.op === 'flush') world.flush();
    else if (op.op === 'send') watchers[op.who]?.send(op.bytes);
    else if (op.op === 'drain') watchers[op.who]?.sendAll();
    else watchers[op.who]?.connect();
  }
  world.flush();
  for (const watcher of watchers) watcher.sendAll();
  return { world, watchers };
}

t.test(
  'whatever blocks, drains and reconnects, every client ends with what is true and no log row twice',
  async (t) => {
    t.comment(`seed ${seed}`);
    let resumes = 0;
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 250, size: 'max' }), fc.constantFrom(10_000, 20), (ops, window) => {
        const { world, watchers } = run(ops, window);
        const truth = JSON.stringify(world.truth.rows());
        for (const watcher of watchers) {
          if (JSON.stringify(watcher.mirror.rows()) !== truth) return false;
          if (new Set(watcher.mirror.logs).size !== watcher.mirror.logs.length) return false;
          resumes += watcher.kinds.filter((kind) => kind === 'resume').length;
        }
        return true;
      }),
      { seed, numRuns: sized(300) },
    );
    t.ok(resumes > 100, `${resumes} times a client continued where it had left`);
  },
);

t.test('numbers rise, and each log row is sent once, in order, from where the client began', async (t) => {
  t.comment(`seed ${seed}`);
  const steady = operation.filter(({ op }) => op !== 'reconnect');
  let merged = 0;
  fc.assert(
    fc.property(fc.array(steady, { maxLength: 250, size: 'max' }), (ops) => {
      const { world, watchers } = run(ops, 10_000);
      return watchers.every((watcher) => {
        if (watcher.kinds[0] !== 'snapshot' || watcher.snapshots.length !== 1) return false;
        if (watcher.seqs.some((seq, i) => i > 0 && seq <= (watcher.seqs[i - 1] ?? 0))) return false;
        if (watcher.seqs.length < world.stream.seq) merged++;
        return JSON.stringify(watcher.mirror.logs) === JSON.stringify(world.logs);
      });
    }),
    { seed, numRuns: sized(300) },
  );
  t.ok(merged > 100, `${merged} clients had events merged`);
});

t.test('a client that keeps up gets every single change', async (t) => {
  t.comment(`seed ${seed}`);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150, size: 'max' }), (ops) => {
      const world = new World(10_000);
      const feed = new Feed(world.stream, httpDefaults.stream, () => 0, { bytes: () => {}, cut: () => {} });

      const watcher = new Watcher(feed);
      for (const [i, { which, what, value }] of ops.entries()) {
        world.step(which, what, value);
        if (i % 5 === 0) world.flush();
        watcher.sendAll();
      }
      world.flush();
      watcher.sendAll();
      return watcher.seqs.length === world.stream.seq && watcher.seqs.every((seq, i) => seq === i + 1);
    }),
    { seed, numRuns: sized(200) },
  );
});
