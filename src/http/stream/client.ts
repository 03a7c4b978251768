import type { EventKind, Flush, StreamEvent } from '../../model/event.ts';
import type { StreamSettings } from '../settings.ts';
import { frame, heartbeat } from './frame.ts';
import { Pending } from './pending.ts';

/** The destination of a client's bytes: the response of its request, or a test double. */
export type Sink = {
  write(bytes: Buffer): void;
  /** Bytes written that have not left this process. */
  unsent(): number;
  /** Ends the connection: orderly, or at once when the client does not read. */
  end(): void;
  destroy(): void;
};

export type Snapshot = { bytes: Buffer; epoch: string; seq: number };

/** The part of a stream (`Feed`) that its clients use. */
export type ClientFeed = {
  /** The picture as a `snapshot` event, with the sequence number of the stream at which it was taken. */
  snapshot(): Snapshot;
  /** Notes that the events of these numbers were sent merged (see `Merged`). */
  noteMerged(epoch: string, firstSeq: number, lastSeq: number): void;
  /** True for kinds of events that the stream holds back and merges; absent where it merges none. */
  isThinned?(kind: EventKind): boolean;
};

const sliceBytes = 64 * 1024;

/**
 * One reader of a stream. While it keeps up it is handed each tick's shared buffer. When more than `highWaterBytes`
 * wait in its socket it is behind: what happens meanwhile merges in `pending`, and is sent in slices as it reads. It
 * never holds more than the socket's mark and a slice, what `pending` may hold, and a reference to what it is sent.
 */
export class StreamClient {
  private readonly pending = new Pending();
  /** The bytes being sent in slices. A slice may end in the middle of an event, so the backlog is always sent to its end. */
  private backlog: Iterator<Buffer> | null = null;
  private restarting = false;
  private takingPicture = false;
  private blockedSinceMs: number | null = null;
  private epoch = '';
  private seq = 0;
  private readonly sink: Sink;
  private readonly feed: ClientFeed;
  private readonly settings: StreamSettings;
  private readonly now: () => number;

  /** `now` is a monotonic clock in milliseconds. */
  constructor(sink: Sink, feed: ClientFeed, settings: StreamSettings, now: () => number) {
    this.sink = sink;
    this.feed = feed;
    this.settings = settings;
    this.now = now;
  }

  /** Begins, or when another epoch has begun, begins again with the picture. */
  restart(): void {
    this.restarting = true;
    this.pump();
  }

  /** Begins where the client left off: `missed` is every event since `from`. */
  resume(epoch: string, from: number, at: string, missed: readonly StreamEvent[]): void {
    this.epoch = epoch;
    this.seq = missed.at(-1)?.seq ?? from;
    const first: StreamEvent = { seq: from, at, kind: 'resume', body: { from: `${epoch}:${from}` } };
    this.backlog = sliceEvents(epoch, [first, ...missed]);
    this.pump();
  }

  /** The events of a tick, and the same as bytes to be shared. False when the client is to be cut. */
  tick({ epoch, events }: Flush, bytes: Buffer): boolean {
    if (epoch !== this.epoch) {
      this.restart();
      return this.isWorthKeeping();
    }
    const known = this.seq;
    // A client that began between two ticks has seen some of this one already.
    const news = (events[0]?.seq ?? 0) > known ? events : events.filter((event) => this.isNews(event, known));
    if (news.length === 0) return this.isWorthKeeping();
    this.seq = Math.max(known, events.at(-1)?.seq ?? 0);
    if (!this.restarting && this.backlog === null && this.pending.isEmpty && this.hasRoom()) {
      if (news.length === events.length) this.sink.write(bytes);
      else for (const slice of sliceEvents(epoch, news)) this.sink.write(slice);
      return true;
    }
    // A picture that is yet to be taken will hold these events; nothing of them needs to wait.
    if (!this.restarting) for (const event of news) this.pending.add(event);
    this.pump();
    return this.isWorthKeeping();
  }

  /** Called when the socket has sent everything. */
  drained(): void {
    this.pump();
  }

  /** A tick, which a client that is behind does not get: it would count events as missed that wait for it. */
  pulse({ epoch, seq }: { epoch: string; seq: number }, bytes: Buffer): void {
    const isUpToDate = !this.restarting && this.backlog === null && this.pending.isEmpty;
    if (isUpToDate && epoch === this.epoch && seq >= this.seq && this.hasRoom()) this.sink.write(bytes);
  }

  /** Shows the client that the connection lives. False when the client is to be cut. */
  beat(): boolean {
    if (this.backlog === null && this.hasRoom()) this.sink.write(heartbeat);
    return this.isWorthKeeping();
  }

  /** An event that the client has not seen. A merged one may be older than the client's place, and is never out of date. */
  private isNews({ seq, kind }: StreamEvent, known: number): boolean {
    return seq > known || (this.feed.isThinned?.(kind) ?? false);
  }

  private hasRoom(): boolean {
    return this.sink.unsent() <= this.settings.highWaterBytes;
  }

  private isWorthKeeping(): boolean {
    const { blockedMs, pendingEvents, pendingObjects } = this.settings;
    if (this.pending.keptCount > pendingEvents || this.pending.objectCount > pendingObjects) return false;
    if (this.hasRoom()) return true;
    this.blockedSinceMs ??= this.now();
    return this.now() - this.blockedSinceMs < blockedMs;
  }

  /** Sends what waits, as far as the socket has room; the rest follows when it has drained. */
  private pump(): void {
    // Taking the picture flushes due events to all clients, this one among them, which must ignore them.
    if (this.takingPicture) return;
    if (this.hasRoom()) this.blockedSinceMs = null;
    while (this.hasRoom()) {
      this.backlog ??= this.nextBacklog();
      if (this.backlog === null) return;
      const slice = this.backlog.next();
      if (slice.done) this.backlog = null;
      else this.sink.write(slice.value);
    }
    this.blockedSinceMs ??= this.now();
  }

  private nextBacklog(): Iterator<Buffer> | null {
    if (this.restarting) return sliceBuffer(this.takePicture());
    if (this.pending.isEmpty) return null;
    const { events, firstSeq, lastSeq } = this.pending.take();
    this.feed.noteMerged(this.epoch, firstSeq, lastSeq);
    return sliceEvents(this.epoch, events);
  }

  private takePicture(): Buffer {
    this.takingPicture = true;
    try {
      const { bytes, epoch, seq } = this.feed.snapshot();
      this.restarting = false;
      this.pending.clear();
      this.epoch = epoch;
      this.seq = seq;
      return bytes;
    } finally {
      this.takingPicture = false;
    }
  }
}

function* sliceBuffer(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += sliceBytes) yield bytes.subarray(at, at + sliceBytes);
}

/** Whole events only, so many that a slice is filled. */
function* sliceEvents(epoch: string, events: readonly StreamEvent[]): Generator<Buffer> {
  let text = '';
  for (const event of events) {
    text += frame(epoch, event);
    if (text.length < sliceBytes) continue;
    yield Buffer.from(text);
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}
