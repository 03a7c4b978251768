import { batch } from '@preact/signals';
import type { Alert } from '../../model/alert.ts';
import type { Command } from '../../model/command.ts';
import type { Engagement } from '../../model/engagement.ts';
import type { LogEvent } from '../../model/event.ts';
import type { Health } from '../../model/health.ts';
import type { Picture, SimState } from '../../model/picture.ts';
import type { Track } from '../../model/track.ts';
import type { Received } from '../stream/messages.ts';
import { movements, setsInMotion } from './movements.ts';
import {
  type BoxTime,
  MOST_COMMANDS,
  MOST_LOG_ROWS,
  type Rows,
  type RowsName,
  type Situation,
  type Store,
} from './store.ts';

type Row = Record<string, unknown>;
type Change = (store: Store, body: Row, changed: Set<RowsName>, at: string) => void;

/** Id field of the rows of each collection; `id` by default. */
const keys: Partial<Record<RowsName, string>> = { threats: 'track_id', fleet: 'key', commands: 'command_id' };
const listed = [
  ...(['tracks', 'threats', 'alerts', 'assets', 'fleet', 'assignments'] as const),
  ...(['zones', 'regions', 'sensors', 'links', 'outlets', 'engagements', 'tasks'] as const),
];

const keyOf = (name: RowsName, body: Row): string => String(body[keys[name] ?? 'id']);
const rowsOf = (store: Store, name: RowsName): Rows<unknown> => store[name] as Rows<unknown>;

const put =
  (name: RowsName): Change =>
  (store, body, changed) => {
    rowsOf(store, name).byId.set(keyOf(name, body), body);
    changed.add(name);
  };

const remove =
  (name: RowsName): Change =>
  (store, body, changed) => {
    rowsOf(store, name).byId.delete(keyOf(name, body));
    changed.add(name);
  };

/** Stores a row, or deletes it where `isOver` returns true. */
const putUntil =
  (name: RowsName, isOver: (row: Row) => boolean): Change =>
  (store, body, changed, at) =>
    (isOver(body) ? remove(name) : put(name))(store, body, changed, at);

const merge =
  (name: RowsName): Change =>
  (store, body, changed) => {
    const before = rowsOf(store, name).byId.get(keyOf(name, body));
    // The row is unknown if an earlier event of the batch removed it, or after a gap in the stream, which a snapshot
    // will close.
    if (before === undefined) return;
    rowsOf(store, name).byId.set(keyOf(name, body), { ...(before as object), ...body });
    changed.add(name);
  };

/** Merges an update, or stores it as a new row: a sensor, link or outlet may be newer than the snapshot. */
const mergeOrPut =
  (name: RowsName): Change =>
  (store, body, changed, at) =>
    (rowsOf(store, name).byId.has(keyOf(name, body)) ? merge(name) : put(name))(store, body, changed, at);

const openEngagements: ReadonlySet<string> = new Set(['proposed', 'pending_approval', 'approved', 'executing']);
const runningTasks: ReadonlySet<string> = new Set(['created', 'sent', 'accepted', 'executing']);

const changes: Partial<Record<Received['kind'], Change>> = {
  snapshot: (store, body, changed) => takeSnapshot(store, body as Picture, changed),
  tick: (store, body) => {
    store.boxTime.value = body as BoxTime;
  },
  track_new: put('tracks'),
  track_update: merge('tracks'),
  track_state: (store, { id, state }, changed, at) =>
    merge('tracks')(store, { id, state } as Partial<Track>, changed, at),
  track_removed: (store, body, changed, at) => {
    remove('tracks')(store, body, changed, at);
    remove('threats')(store, { track_id: body.id }, changed, at);
  },
  threat_update: put('threats'),
  threat_cleared: remove('threats'),
  alert: put('alerts'),
  alert_update: putUntil('alerts', ({ settled_at }) => settled_at !== null),
  live_alert: (store, body, changed, at) => {
    if (store.situation.peek()?.mode !== 'live') put('liveAlerts')(store, body as Alert, changed, at);
  },
  asset_update: put('assets'),
  asset_removed: remove('assets'),
  fleet_update: put('fleet'),
  fleet_removed: remove('fleet'),
  assignment_update: put('assignments'),
  assignment_removed: remove('assignments'),
  zone_update: put('zones'),
  zone_removed: remove('zones'),
  region_update: put('regions'),
  region_removed: remove('regions'),
  sensor_update: mergeOrPut('sensors'),
  sensor_removed: remove('sensors'),
  link_update: mergeOrPut('links'),
  link_removed: remove('links'),
  outlet_update: mergeOrPut('outlets'),
  outlet_removed: remove('outlets'),
  engagement_update: (store, body, changed, at) => {
    if (setsInMotion(body as Engagement)) store.stoppedAt.value = null;
    if (body.state === 'expired') store.expired.value = body as Engagement;
    putUntil('engagements', ({ state }) => !openEngagements.has(String(state)))(store, body, changed, at);
  },
  task_update: putUntil('tasks', ({ state }) => !runningTasks.has(String(state))),
  command_update: (store, body, changed, at) => {
    const { byId } = store.commands;
    const { command_id: id, verb, state } = body as Command;
    if (!byId.has(id) && movements.has(verb) && runningTasks.has(state)) store.stoppedAt.value = null;
    // Deleted first, so that the newest command is the last entry.
    byId.delete(id);
    put('commands')(store, body, changed, at);
    const [oldest] = byId.keys();
    if (byId.size > MOST_COMMANDS && oldest !== undefined) byId.delete(oldest);
  },
  health_update: (store, body) => change(store, { health: body as Health }),
  sim_state: (store, body) => change(store, { sim: body as SimState }),
  log: (store, body, _changed, at) => {
    const row = { ...(body as LogEvent), shownAt: at };
    store.log.value = [...store.log.peek(), row].slice(-MOST_LOG_ROWS);
    if (row.kind === 'engagement.stop_all') store.stoppedAt.value = at;
  },
};

function change(store: Store, part: Partial<Situation>): void {
  const before = store.situation.peek();
  if (before !== null) store.situation.value = { ...before, ...part };
}

function takeSnapshot(store: Store, picture: Picture, changed: Set<RowsName>): void {
  const before = store.situation.peek();
  if (before !== null && before.epoch !== picture.epoch) {
    // Log rows of the previous world have times of that world's clock. The daemon has the older rows of the new world.
    store.log.value = [];
    store.stoppedAt.value = null;
  }
  for (const name of listed) {
    const rows = rowsOf(store, name);
    rows.byId.clear();
    for (const row of picture[name] as Row[]) rows.byId.set(keyOf(name, row), row);
    changed.add(name);
  }
  if (picture.mode === 'live') {
    store.liveAlerts.byId.clear();
    changed.add('liveAlerts');
  }
  const { epoch, seq, environment, mode, posture, autonomy, autonomy_effective, sim, health, server_at: at } = picture;
  store.situation.value = { epoch, seq, environment, mode, posture, autonomy, autonomy_effective, sim, health, at };
}

/**
 * Applies the events of one batch, in order and in one commit, so that subscribers run once. An event of an unknown
 * kind only updates the sequence number and the time.
 */
export function apply(store: Store, events: readonly Received[]): void {
  batch(() => {
    const changed = new Set<RowsName>();
    for (const { kind, body, at } of events) {
      changes[kind]?.(store, body as Row, changed, at);
    }
    const last = events.findLast(({ kind }) => kind !== 'snapshot');
    if (last) change(store, { seq: last.seq, at: last.at });
    for (const name of changed) store[name].revision.value++;
  });
}
