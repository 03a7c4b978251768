import type { EventKind, Flush, StreamEvent } from '../../model/event.ts';
import type { Picture } from '../../model/picture.ts';
import { collapseOf, objectOf } from './pending.ts';

/**
 * Kinds of events that the light profile holds back and merges. The value is the number of calls of `release`, one per
 * second, after which an event is sent.
 */
const heldFor: Partial<Record<EventKind, number>> = {
  track_update: 1,
  fleet_update: 1,
  sensor_update: 10,
  link_update: 10,
  outlet_update: 10,
};
/** Fields of a track whose changes are sent at once. */
const urgent = ['state', 'affiliation', 'integrity'] as const;
/** Limit of the remembered positions from which a client may resume. */
const MOST_MARKS = 4_096;

/**
 * Changes of one object, merged to one event. `firstSeq` is the number of the first change. `releases` is the number of
 * calls of `release` after which the event is sent.
 */
type Held = { event: StreamEvent; firstSeq: number; releases: number };
/**
 * Position in the stream. A client whose last event is `seq` needs all events after `from` again. `sent` are the numbers
 * of the first and the last event that were sent at this position. While they were sent, all changes up to `whole` had
 * been sent.
 */
type Mark = { epoch: string; seq: number; from: number; sent: readonly [number, number]; whole: number };

/** Returns true if the light profile merges events of a kind. */
export function isThinned(kind: EventKind): boolean {
  return kind in heldFor;
}

/**
 * Light profile of a stream. It merges updates of each track (without predictions) and each vehicle for 1 s, and those
 * of a sensor, link or outlet for 10 s. Other events are not delayed. Updates with an `urgent` field of a track, or
 * with a new state of a sensor, link or outlet, are not delayed either.
 */
export class Thinner {
  readonly #held = new Map<string, Held>();
  /** Last state that was sent of each sensor, link and outlet. */
  readonly #states = new Map<string, unknown>();
  #marks: Mark[] = [];
  /** The newest mark that is no longer remembered. */
  #forgotten: Mark | null = null;
  #epoch = '';
  #seq = 0;

  /** Returns the events of a flush that must be sent at once, and holds back the others. */
  take({ epoch, events }: Flush): Flush {
    if (epoch !== this.#epoch) this.#begin(epoch);
    const passed: StreamEvent[] = [];
    let whole = this.#wholeTo();
    for (const event of events) {
      this.#seq = event.seq;
      const out = this.#takeOne(withoutPredictions(event));
      if (out !== null) passed.push(out);
      else whole = Math.min(whole, event.seq - 1);
    }
    this.#mark(passed, whole);
    return { epoch, events: passed };
  }

  /**
   * Returns the held events that are due, with the sequence number of the last event that was passed to `take`. Call it
   * once a second.
   */
  release(): Flush {
    const events: StreamEvent[] = [];
    const whole = this.#wholeTo();
    for (const [object, held] of this.#held) {
      if (--held.releases > 0) continue;
      this.#held.delete(object);
      events.push({ ...held.event, seq: this.#seq });
    }
    this.#mark(events, whole);
    return { epoch: this.#epoch, events };
  }

  /**
   * Returns the sequence number after which a client with the last event `seq` must resume. Null if that position is
   * not remembered.
   */
  resumeFrom(epoch: string, seq: number): number | null {
    const mark = this.#marks.findLast((one) => one.epoch === epoch && one.seq <= seq);
    return mark ? Math.min(mark.from, seq) : null;
  }

  /**
   * Returns true if an event with this number may have been sent while an earlier change was held back. A client whose
   * last event it is must not resume there in another stream.
   */
  sentEarly(epoch: string, seq: number): boolean {
    if (this.#forgotten?.epoch === epoch && seq <= this.#forgotten.seq) return true;
    return this.#marks.some(
      ({ epoch: of, sent: [first, last], whole }) => of === epoch && first <= seq && seq <= last && whole < seq,
    );
  }

  /** Drops all held events. Call it when the stream has no more clients. */
  clear(): void {
    this.#held.clear();
    this.#states.clear();
  }

  #begin(epoch: string): void {
    this.clear();
    this.#epoch = epoch;
  }

  #takeOne(event: StreamEvent): StreamEvent | null {
    const object = objectOf(event);
    const releases = heldFor[event.kind];
    if (releases === undefined) {
      if (collapseOf[event.kind].how === 'remove') this.#forget(object);
      return event;
    }
    const held = this.#held.get(object);
    const merged =
      held && event.kind === 'track_update' ? withBody(event, { ...held.event.body, ...event.body }) : event;
    if (this.#isUrgent(object, event)) {
      this.#held.delete(object);
      return merged;
    }
    const { firstSeq = event.seq, releases: left = releases } = held ?? {};
    this.#held.set(object, { event: merged, firstSeq, releases: left });
    return null;
  }

  #isUrgent(object: string, { kind, body }: StreamEvent): boolean {
    if (kind === 'track_update') return urgent.some((field) => field in body);
    if (kind === 'fleet_update') return false;
    const { state } = body as { state?: unknown };
    const isAnother = this.#states.get(object) !== state;
    this.#states.set(object, state);
    return isAnother;
  }

  #forget(object: string): void {
    this.#held.delete(object);
    this.#states.delete(object);
  }

  /** Returns the number up to which no change is held back; `Infinity` if none is held back at all. */
  #wholeTo(): number {
    let whole = Number.POSITIVE_INFINITY;
    for (const { firstSeq } of this.#held.values()) whole = Math.min(whole, firstSeq - 1);
    return whole;
  }

  /** Remembers a position at which events are sent, if there are any. */
  #mark(events: readonly StreamEvent[], whole: number): void {
    const [first, last] = [events[0], events.at(-1)];
    if (!first || !last) return;
    const from = Math.min(this.#seq, this.#wholeTo());
    this.#marks.push({ epoch: this.#epoch, seq: this.#seq, from, sent: [first.seq, last.seq], whole });
    if (this.#marks.length <= MOST_MARKS) return;
    this.#forgotten = this.#marks.splice(0, MOST_MARKS / 4).at(-1) ?? null;
  }
}

function withBody(event: StreamEvent, body: object): StreamEvent {
  return { ...event, body };
}

/** Removes the predictions from an event of a track. */
export function withoutPredictions(event: StreamEvent): StreamEvent {
  if (event.kind === 'track_new') return withBody(event, { ...event.body, predicted: [] });
  if (event.kind !== 'track_update' || !('predicted' in event.body)) return event;
  const { predicted: _predicted, ...body } = event.body as { predicted: unknown };
  return withBody(event, body);
}

/** Returns the picture for the light profile, whose tracks have no predictions. */
export function lightPicture(picture: Picture): Picture {
  return { ...picture, tracks: picture.tracks.map((track) => ({ ...track, predicted: [] })) };
}
