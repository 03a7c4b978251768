import type { StreamSource } from '../../app/shown_stream.ts';
import type { Flush } from '../../model/event.ts';
import { formatTime } from '../../model/time.ts';
import { pictureText } from '../picture_text.ts';
import type { StreamSettings } from '../settings.ts';
import { type ClientFeed, type Sink, type Snapshot, StreamClient } from './client.ts';
import { frame, frameText, parseEventId } from './frame.ts';

/** A picture as text is shared by the clients that come within this time: after an outage all come at once. */
const snapshotMs = 250;
const mergedRanges = 128;

export type FeedClient = { drained(): void; leave(): void };

/** The clients of one world's stream, which is followed while there are any. Each tick is written out once, whatever their number. */
export class Feed implements ClientFeed {
  private readonly clients = new Map<StreamClient, Sink>();
  private readonly merged = new Merged(mergedRanges);
  private cached: (Snapshot & { atMs: number }) | null = null;
  private unsubscribe: (() => void) | null = null;
  private readonly source: StreamSource;
  private readonly settings: StreamSettings;
  private readonly now: () => number;
  private readonly wrote: { bytes(n: number): void; cut(): void };

  constructor(
    source: StreamSource,
    settings: StreamSettings,
    now: () => number,
    wrote: { bytes(n: number): void; cut(): void },
  ) {
    this.source = source;
    this.settings = settings;
    this.now = now;
    this.wrote = wrote;
  }

  /** Ends every stream. */
  stop(): void {
    for (const sink of this.clients.values()) sink.end();
    this.clients.clear();
    this.leaveWhereNobodyIs();
  }

  /** Adds a client and sends it its first event: the picture, or what it missed since `lastEventId`. */
  join(sink: Sink, lastEventId: string | null): FeedClient {
    const counted: Sink = {
      ...sink,
      write: (bytes) => {
        this.wrote.bytes(bytes.length);
        sink.write(bytes);
      },
    };
    this.follow();
    const client = new StreamClient(counted, this, this.settings, this.now);
    const left = lastEventId === null ? null : parseEventId(lastEventId);
    const missed =
      left === null || this.merged.has(left.epoch, left.seq) ? null : this.source.since(left.epoch, left.seq);
    if (left === null || missed === null) client.restart();
    else client.resume(left.epoch, left.seq, formatTime(Date.now()), missed);
    this.clients.set(client, sink);
    return { drained: () => client.drained(), leave: () => this.part(client) };
  }

  beat(): void {
    for (const [client, sink] of this.clients) if (!client.beat()) this.cut(client, sink);
  }

  snapshot(): Snapshot {
    if (this.cached !== null && this.now() - this.cached.atMs < snapshotMs) return this.cached;
    const picture = this.source.snapshot();
    const { epoch, seq, server_at: at } = picture;
    const bytes = Buffer.from(frameText(epoch, { seq, at, kind: 'snapshot' }, pictureText(picture)));
    this.cached = { bytes, epoch, seq, atMs: this.now() };
    return this.cached;
  }

  noteMerged(epoch: string, firstSeq: number, lastSeq: number): void {
    this.merged.add(epoch, firstSeq, lastSeq);
  }

  private follow(): void {
    if (this.unsubscribe) return;
    // The cached picture lacks the changes since the last client left.
    this.cached = null;
    this.unsubscribe = this.source.follow((flush) => this.flush(flush));
  }

  private part(client: StreamClient): void {
    this.clients.delete(client);
    this.leaveWhereNobodyIs();
  }

  private leaveWhereNobodyIs(): void {
    if (this.clients.size > 0) return;
    this.unsubscribe?.();
    this.unsubscribe = null;
  }

  /** Sends a flush to all clients. One without events announces another epoch. */
  private flush(flush: Flush): void {
    this.cached = null;
    if (this.clients.size === 0) return;
    let text = '';
    for (const event of flush.events) text += frame(flush.epoch, event);
    const bytes = Buffer.from(text);
    for (const [client, sink] of this.clients) if (!client.tick(flush, bytes)) this.cut(client, sink);
  }

  private cut(client: StreamClient, sink: Sink): void {
    this.part(client);
    this.wrote.cut();
    sink.destroy();
  }
}

/**
 * Ranges of numbers that were sent merged. A merged event carries the number of its last change, so a client that was cut off
 * in the middle of such a batch has seen a number without having seen every change before it. It must not continue
 * from there, but begin again with the picture.
 */
export class Merged {
  private readonly ranges: { epoch: string; first: number; last: number }[] = [];
  private readonly limit: number;

  /** Only the ranges of the last epoch are kept. Past `limit` ranges the two oldest become one: safe, since a picture is always right. */
  constructor(limit: number) {
    this.limit = limit;
  }

  add(epoch: string, first: number, last: number): void {
    if (first === last) return;
    if (this.ranges[0]?.epoch !== epoch) this.ranges.length = 0;
    this.ranges.push({ epoch, first, last });
    if (this.ranges.length <= this.limit) return;
    const [a, b] = this.ranges.splice(0, 2);
    if (a === undefined || b === undefined) return;
    this.ranges.unshift({ epoch, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) });
  }

  /** True where a client that saw `seq` last may have missed a change before it. */
  has(epoch: string, seq: number): boolean {
    return this.ranges.some((range) => range.epoch === epoch && range.first <= seq && seq < range.last);
  }
}
