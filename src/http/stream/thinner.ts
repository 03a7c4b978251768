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
/** Position in the stream. A client whose last event is `seq` needs all events after `from` again. */
type Mark = { epoch: string; seq: number; from: number };

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
  #epoch = '';
  #seq = 0;

  /** Returns the events of a flush that must be sent at once, and holds back the others. */
  take({ epoch, events }: Flush): Flush {
    if (epoch !== this.#epoch) this.#begin(epoch);
    const passed: StreamEvent[] = [];
    for (const event of events) {
      this.#seq = event.seq;
      const out = this.#takeOne(withoutPredictions(event));
      if (out !== null) passed.push(out);
    }
    if (passed.length > 0) this.#mark();
    return { epoch, events: passed };
  }

  /**
   * Returns the held events that are due, with the sequence number of the last event that was passed to `take`. Call it
   * once a second.
   */
  release(): Flush {
    const events: StreamEvent[] = [];
    for (const [object, held] of this.#held) {
      if (--held.releases > 0) continue;
      this.#held.delete(object);
      events.push({ ...held.event, seq: this.#seq });
    }
    if (events.length > 0) this.#mark();
    return { epoch: this.#epoch, events };
  }

  /**
   * Returns the sequence number after which a client with the last event `seq` must resume. Null if that position is
   * not remembered.
   */
  resumeFrom(epoch: string, seq: number): number | null {
    const mark = this.#marks.findLast((one) => one.seq <= seq);
    return mark?.epoch === epoch ? Math.min(mark.from, seq) : null;
  }

  /** Drops all held events. Call it when the stream has no more clients. */
  clear(): void {
    this.#held.clear();
    this.#states.clear();
  }

  #begin(epoch: string): void {
    this.clear();
    this.#marks = [];
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

  #mark(): void {
    let from = this.#seq;
    for (const { firstSeq } of this.#held.values()) from = Math.min(from, firstSeq - 1);
    this.#marks.push({ epoch: this.#epoch, seq: this.#seq, from });
    if (this.#marks.length > MOST_MARKS) this.#marks.splice(0, MOST_MARKS / 4);
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
