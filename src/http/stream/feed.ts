import type { StreamSource } from '../../app/shown_stream.ts';
import type { BoxTime, EventKind, Flush, StreamEvent } from '../../model/event.ts';
import { formatTime } from '../../model/time.ts';
import { pictureText } from '../picture_text.ts';
import { withoutBoxRow } from '../privacy.ts';
import type { StreamSettings } from '../settings.ts';
import { type ClientFeed, type Sink, type Snapshot, StreamClient } from './client.ts';
import { frame, frameText, parseEventId, tickFrame } from './frame.ts';
import { Pending } from './pending.ts';
import { isThinned, lightPicture, Thinner, withoutPredictions } from './thinner.ts';

/**
 * Longest time for which clients share one serialised picture, ms; the next flush ends it earlier. After an outage all
 * clients connect at the same time, and each needs a picture.
 */
const snapshotMs = 250;
const mergedRanges = 128;

/** Profiles of a stream; `light` is for slow links, see `Thinner`. */
export const profiles = ['full', 'light'] as const;
export type Profile = (typeof profiles)[number];

export type FeedClient = { drained(): void; leave(): void };

/** Connection of a client. Only owners read log rows about the whole box. */
type Reader = { sink: Sink; isOwner: boolean };

/**
 * All clients of one stream. The feed follows its source while it has clients. Each flush of events is serialised once,
 * however many clients there are.
 */
export class Feed implements ClientFeed {
  private readonly clients = new Map<StreamClient, Reader>();
  private readonly merged = new Merged(mergedRanges);
  private cached: (Snapshot & { atMs: number }) | null = null;
  private unsubscribe: (() => void) | null = null;
  private readonly source: StreamSource;
  private readonly settings: StreamSettings;
  private readonly now: () => number;
  private readonly wrote: { bytes(n: number): void; cut(): void };
  /** Merges the events of the light profile; null for the full profile. */
  private readonly thinner: Thinner | null;

  constructor(
    source: StreamSource,
    settings: StreamSettings,
    now: () => number,
    wrote: { bytes(n: number): void; cut(): void },
    profile: Profile = 'full',
  ) {
    this.thinner = profile === 'light' ? new Thinner() : null;
    this.source = source;
    this.settings = settings;
    this.now = now;
    this.wrote = wrote;
  }

  /** Ends the streams of all clients. */
  stop(): void {
    for (const { sink } of this.clients.values()) sink.end();
    this.clients.clear();
    this.leaveWhereNobodyIs();
  }

  /**
   * Adds a client and sends its first event: the picture, or `resume` and the events since `lastEventId`. `all` are the
   * feeds from which the client may have this id, as ids do not name their feed.
   */
  join(reader: Reader, lastEventId: string | null, all: Iterable<Feed> = [this]): FeedClient {
    const { sink, isOwner } = reader;
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
    const missed = left === null || this.mayLack(left, all) ? null : this.missedSince(left);
    if (left === null || missed === null) client.restart();
    else client.resume(left.epoch, left.seq, formatTime(Date.now()), isOwner ? missed : missed.map(withoutBoxRow));
    this.clients.set(client, reader);
    return { drained: () => client.drained(), leave: () => this.part(client) };
  }

  /**
   * Returns true if a client of any feed may lack changes before its last event, and this feed does not know which.
   * The changes that this feed itself held back are known to it.
   */
  private mayLack({ epoch, seq }: { epoch: string; seq: number }, all: Iterable<Feed>): boolean {
    for (const feed of all) {
      if (feed.merged.has(epoch, seq)) return true;
      if (feed !== this && feed.thinner?.sentEarly(epoch, seq)) return true;
    }
    return false;
  }

  /**
   * Returns the events since a position in the stream; null if they are no longer known. In the light profile, they
   * also include the changes that were still held back at that position. These changes are merged.
   */
  private missedSince({ epoch, seq }: { epoch: string; seq: number }): readonly StreamEvent[] | null {
    if (this.thinner === null) return this.source.since(epoch, seq);
    const from = this.thinner.resumeFrom(epoch, seq);
    const missed = from === null ? null : this.source.since(epoch, from);
    if (missed === null) return null;
    const waiting = new Pending();
    for (const event of missed) waiting.add(withoutPredictions(event));
    return waiting.take().events.filter((event) => event.seq > seq || isThinned(event.kind));
  }

  /** Returns true if this feed holds back and merges events of the kind. */
  isThinned(kind: EventKind): boolean {
    return this.thinner !== null && isThinned(kind);
  }

  /** Sends a `tick` event. It tells clients the time of the box, and that they have missed nothing. */
  pulse(boxTime: BoxTime): void {
    if (this.clients.size === 0) return;
    const { epoch, seq, at } = this.source.now();
    const bytes = tickFrame({ seq, at, ...boxTime });
    for (const client of this.clients.keys()) client.pulse({ epoch, seq }, bytes);
  }

  /** Sends the events that the light profile held back and that are due. Call it once a second. */
  release(): void {
    if (this.thinner === null || this.clients.size === 0) return;
    const released = this.thinner.release();
    if (released.events.length > 0) this.send(released);
  }

  beat(): void {
    for (const [client, { sink }] of this.clients) if (!client.beat()) this.cut(client, sink);
  }

  snapshot(): Snapshot {
    if (this.cached !== null && this.now() - this.cached.atMs < snapshotMs) return this.cached;
    const whole = this.source.snapshot();
    const picture = this.thinner === null ? whole : lightPicture(whole);
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
    // The feed followed no changes since the last client left, so the cached picture is out of date.
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
    this.thinner?.clear();
  }

  /** Sends a flush to all clients. A flush without events announces a new epoch. */
  private flush(flush: Flush): void {
    this.cached = null;
    if (this.clients.size === 0) return;
    const passed = this.thinner?.take(flush) ?? flush;
    if (passed.events.length > 0 || flush.events.length === 0) this.send(passed);
  }

  private send(flush: Flush): void {
    const whole = serialised(flush);
    const isWhole = !flush.events.some(({ ownersOnly }) => ownersOnly);
    const ofOthers = isWhole ? whole : serialised({ ...flush, events: flush.events.map(withoutBoxRow) });
    for (const [client, { sink, isOwner }] of this.clients) {
      const { flush, bytes } = isOwner ? whole : ofOthers;
      if (!client.tick(flush, bytes)) this.cut(client, sink);
    }
  }

  private cut(client: StreamClient, sink: Sink): void {
    this.part(client);
    this.wrote.cut();
    sink.destroy();
  }
}

function serialised(flush: Flush): { flush: Flush; bytes: Buffer } {
  let text = '';
  for (const event of flush.events) text += frame(flush.epoch, event);
  return { flush, bytes: Buffer.from(text) };
}

/**
 * Ranges of sequence numbers whose events were sent merged. A merged event has the number of its last change. A client
 * that loses its connection while a range is sent has not received every change up to the last number that it received.
 * It must therefore not resume there, but start with the picture.
 */
export class Merged {
  private readonly ranges: { epoch: string; first: number; last: number }[] = [];
  private readonly limit: number;

  /**
   * Only ranges of the last epoch are kept. Beyond `limit` ranges the two oldest are joined. This is safe, because a
   * client in a joined range starts with the picture.
   */
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

  /**
   * Returns true if `seq` lies within the range of a merged event. A client whose last event is `seq` may then lack
   * earlier changes.
   */
  has(epoch: string, seq: number): boolean {
    return this.ranges.some((range) => range.epoch === epoch && range.first <= seq && seq < range.last);
  }
}
