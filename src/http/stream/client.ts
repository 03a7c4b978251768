import type { EventKind, Flush, StreamEvent } from '../../model/event.ts';
import type { StreamSettings } from '../settings.ts';
import { frame, heartbeat } from './frame.ts';
import { Pending } from './pending.ts';

/** Destination of a client's bytes: the response of its request, or a test double. */
export type Sink = {
  write(bytes: Buffer): void;
  /** Number of written bytes that have not left this process. */
  unsent(): number;
  /**
   * Ends the connection after the written bytes were sent; `destroy` ends it at once, for a client that does not read.
   */
  end(): void;
  destroy(): void;
};

export type Snapshot = { bytes: Buffer; epoch: string; seq: number };

/** Part of a stream (`Feed`) that its clients use. */
export type ClientFeed = {
  /** Returns the picture as a `snapshot` event, with the sequence number at which it was taken. */
  snapshot(): Snapshot;
  /** Records that the events with these numbers were sent merged (see `Merged`). */
  noteMerged(epoch: string, firstSeq: number, lastSeq: number): void;
  /** Returns true for kinds of events that the stream holds back and merges. Absent if it merges none. */
  isThinned?(kind: EventKind): boolean;
};

const sliceBytes = 64 * 1024;

/**
 * One reader of a stream. While the client keeps up, it gets each flush as one buffer, which all clients share. If more
 * than `highWaterBytes` wait in its socket, it is blocked: further events are merged in `pending`, and sent in slices
 * as it reads. Its memory is bounded by the high-water mark, one slice, the limits of `pending`, and a reference to the
 * buffer being sent.
 */
export class StreamClient {
  private readonly pending = new Pending();
  /**
   * Bytes being sent in slices. A slice may end in the middle of an event, so the backlog must always be sent to its
   * end.
   */
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

  /** `now` returns monotonic time, ms. */
  constructor(sink: Sink, feed: ClientFeed, settings: StreamSettings, now: () => number) {
    this.sink = sink;
    this.feed = feed;
    this.settings = settings;
    this.now = now;
  }

  /** Starts the stream with a new picture. Called again when another epoch has begun. */
  restart(): void {
    this.restarting = true;
    this.pump();
  }

  /** Continues a stream after the event `from`. `missed` contains every later event. */
  resume(epoch: string, from: number, at: string, missed: readonly StreamEvent[]): void {
    this.epoch = epoch;
    this.seq = missed.at(-1)?.seq ?? from;
    const first: StreamEvent = { seq: from, at, kind: 'resume', body: { from: `${epoch}:${from}` } };
    this.backlog = sliceEvents(epoch, [first, ...missed]);
    this.pump();
  }

  /**
   * Sends the events of a flush; `bytes` is the shared buffer with the same events. Returns false if the client must be
   * disconnected. (A `tick` event is sent by `pulse`.)
   */
  tick({ epoch, events }: Flush, bytes: Buffer): boolean {
    if (epoch !== this.epoch) {
      this.restart();
      return this.isWorthKeeping();
    }
    const known = this.seq;
    // A client that joined between two flushes has already received some events of this flush.
    const news = (events[0]?.seq ?? 0) > known ? events : events.filter((event) => this.isNews(event, known));
    if (news.length === 0) return this.isWorthKeeping();
    this.seq = Math.max(known, events.at(-1)?.seq ?? 0);
    if (!this.restarting && this.backlog === null && this.pending.isEmpty && this.hasRoom()) {
      if (news.length === events.length) this.sink.write(bytes);
      else for (const slice of sliceEvents(epoch, news)) this.sink.write(slice);
      return true;
    }
    // While a restart is due, events need not wait, because the picture that will be taken contains them.
    if (!this.restarting) for (const event of news) this.pending.add(event);
    this.pump();
    return this.isWorthKeeping();
  }

  /** Continues sending. Call it when the socket has sent everything. */
  drained(): void {
    this.pump();
  }

  /**
   * Sends a `tick` event. A client with waiting events does not get the tick, because it would take these events for
   * lost.
   */
  pulse({ epoch, seq }: { epoch: string; seq: number }, bytes: Buffer): void {
    const isUpToDate = !this.restarting && this.backlog === null && this.pending.isEmpty;
    if (isUpToDate && epoch === this.epoch && seq >= this.seq && this.hasRoom()) this.sink.write(bytes);
  }

  /** Sends a heartbeat, unless other bytes wait. Returns false if the client must be disconnected. */
  beat(): boolean {
    if (this.backlog === null && this.hasRoom()) this.sink.write(heartbeat);
    return this.isWorthKeeping();
  }

  /**
   * Returns true if the client has not received the event. A merged event may have a lower number than the client's
   * last event, and is new nevertheless.
   */
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

  /** Sends waiting events as long as the socket has room. The rest follows when the socket has drained. */
  private pump(): void {
    // Taking the picture flushes due events to all clients. This client ignores them, because its picture contains
    // them.
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

/** Joins whole events to slices. A slice ends with the event that makes it at least `sliceBytes` characters long. */
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
