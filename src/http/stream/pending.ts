import type { EventKind, StreamEvent } from '../../model/event.ts';

/**
 * Treatment of an event that waits for a blocked client.
 *
 * - `keep`: is sent unchanged; no later event replaces it
 * - `new`: an object begins; later changes of the object are merged into this event
 * - `merge`: carries changed fields; later fields overwrite earlier ones
 * - `replace`: carries the whole row; only the last event is sent
 * - `state`: changes a state; several become one, from the first `was` to the last `state`
 * - `remove`: an object ends; its other waiting events are dropped
 * - `restart`: only the first event of a client; never waits
 */
type Collapse = 'keep' | 'new' | 'merge' | 'replace' | 'state' | 'remove' | 'restart';

/** Treatment of each kind of event, and the family of its objects. Objects of different families may have equal ids. */
export const collapseOf: Record<EventKind, { how: Collapse; family: string }> = {
  snapshot: { how: 'restart', family: '' },
  resume: { how: 'restart', family: '' },
  track_new: { how: 'new', family: 'track' },
  track_update: { how: 'merge', family: 'track' },
  track_state: { how: 'state', family: 'track' },
  track_removed: { how: 'remove', family: 'track' },
  threat_update: { how: 'replace', family: 'threat' },
  threat_cleared: { how: 'remove', family: 'threat' },
  zone_event: { how: 'keep', family: '' },
  sensor_update: { how: 'replace', family: 'sensor' },
  sensor_removed: { how: 'remove', family: 'sensor' },
  link_update: { how: 'replace', family: 'link' },
  link_removed: { how: 'remove', family: 'link' },
  outlet_update: { how: 'replace', family: 'outlet' },
  outlet_removed: { how: 'remove', family: 'outlet' },
  asset_update: { how: 'replace', family: 'asset' },
  asset_removed: { how: 'remove', family: 'asset' },
  fleet_update: { how: 'replace', family: 'fleet' },
  fleet_removed: { how: 'remove', family: 'fleet' },
  command_update: { how: 'replace', family: 'command' },
  task_update: { how: 'replace', family: 'task' },
  assignment_update: { how: 'replace', family: 'assignment' },
  assignment_removed: { how: 'remove', family: 'assignment' },
  zone_update: { how: 'replace', family: 'zone' },
  zone_removed: { how: 'remove', family: 'zone' },
  region_update: { how: 'replace', family: 'region' },
  region_removed: { how: 'remove', family: 'region' },
  alert: { how: 'keep', family: '' },
  alert_update: { how: 'keep', family: '' },
  live_alert: { how: 'keep', family: '' },
  engagement_update: { how: 'replace', family: 'engagement' },
  config_change: { how: 'keep', family: '' },
  doctrine_change: { how: 'keep', family: '' },
  discovery_change: { how: 'keep', family: '' },
  health_update: { how: 'replace', family: 'health' },
  sim_state: { how: 'replace', family: 'sim' },
  run_update: { how: 'replace', family: 'run' },
  log: { how: 'keep', family: '' },
};

/**
 * Waiting events of one object. `removed` is the end of an object that the client knows. `begun` (the client does not
 * know the object yet), `changed` and `state` concern the object that exists now: after `removed`, a later one with the
 * same id.
 */
type Waiting = { removed?: StreamEvent; begun?: StreamEvent; changed?: StreamEvent; state?: StreamEvent };

type Fields = Record<string, unknown>;

/** Returns the key of an event's object: its family and its id within the family. */
export function objectOf({ kind, body }: StreamEvent): string {
  const { id, track_id, command_id, key } = body as Fields;
  return `${collapseOf[kind].family}:${String(id ?? track_id ?? command_id ?? key ?? '')}`;
}

/** Events after merging, and the range of sequence numbers that they cover. */
export type Batch = { events: StreamEvent[]; firstSeq: number; lastSeq: number };

/**
 * Events that wait for a blocked client: at most four for each object, and a list of events that must not be merged. A
 * client that applies the events of `take` in order ends with the same objects as if no event had waited.
 */
export class Pending {
  private readonly objects = new Map<string, Waiting>();
  private kept: StreamEvent[] = [];
  private firstSeq = 0;
  private lastSeq = 0;

  get isEmpty(): boolean {
    return this.firstSeq === 0;
  }

  get keptCount(): number {
    return this.kept.length;
  }

  get objectCount(): number {
    return this.objects.size;
  }

  add(event: StreamEvent): void {
    if (this.isEmpty) this.firstSeq = event.seq;
    this.lastSeq = event.seq;
    const { how } = collapseOf[event.kind];
    if (how === 'keep' || how === 'restart') {
      this.kept.push(event);
      return;
    }
    const key = objectOf(event);
    if (how === 'remove') {
      if (endsUnseen(this.objects.get(key))) this.objects.delete(key);
      else this.objects.set(key, { removed: event });
      return;
    }
    const waiting = this.objects.get(key) ?? {};
    this.objects.set(key, waiting);
    if (how === 'new') waiting.begun = event;
    else if (how === 'merge') addChange(waiting, event);
    else if (how === 'replace') waiting.changed = event;
    else addState(waiting, event);
  }

  /** Returns all waiting events in order, and removes them. */
  take(): Batch {
    const events = this.kept;
    for (const { removed, begun, changed, state } of this.objects.values()) {
      for (const event of [removed, begun, changed, state]) if (event !== undefined) events.push(event);
    }
    const batch = { events: events.sort((a, b) => a.seq - b.seq), firstSeq: this.firstSeq, lastSeq: this.lastSeq };
    this.clear();
    return batch;
  }

  clear(): void {
    this.kept = [];
    this.objects.clear();
    this.firstSeq = 0;
  }
}

/**
 * Returns true if an object that ends was never visible to the client. This is so if it began while the client was
 * blocked, and no earlier object with its id waits for its removal.
 */
function endsUnseen(waiting: Waiting | undefined): boolean {
  return waiting?.begun !== undefined && waiting.removed === undefined;
}

function addChange(waiting: Waiting, event: StreamEvent): void {
  if (waiting.begun !== undefined) waiting.begun = merged(waiting.begun, event);
  else waiting.changed = waiting.changed === undefined ? event : merged(waiting.changed, event);
}

/**
 * Merges two events: the earlier one with the fields, number and time of the later one. The result is a copy, because
 * other clients share both events.
 */
function merged(earlier: StreamEvent, later: StreamEvent): StreamEvent {
  return { ...earlier, seq: later.seq, at: later.at, body: { ...earlier.body, ...later.body } };
}

/**
 * Adds a change of state. An object that the client does not know begins in the new state. Otherwise the first `was`
 * and the last `state` are kept, or neither if they are equal. A waiting change also gets the new state, because it may
 * be sent after this event.
 */
function addState(waiting: Waiting, event: StreamEvent): void {
  const { state } = event.body as Fields;
  if (waiting.begun !== undefined) {
    waiting.begun = { ...waiting.begun, seq: event.seq, at: event.at, body: { ...waiting.begun.body, state } };
    return;
  }
  const { changed } = waiting;
  if (changed !== undefined && 'state' in changed.body)
    waiting.changed = { ...changed, body: { ...changed.body, state } };
  const was = ((waiting.state ?? event).body as Fields).was;
  if (was === state) delete waiting.state;
  else waiting.state = { ...event, body: { ...event.body, was } };
}
