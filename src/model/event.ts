import { z } from 'zod';
import { actorSchema, systemActor } from './actor.ts';
import { alertSchema } from './alert.ts';
import { assetSchema } from './asset.ts';
import { assignmentSchema } from './assignment.ts';
import { clockTrusts } from './clock_trust.ts';
import { commandSchema } from './command.ts';
import { engagementSchema } from './engagement.ts';
import { fleetRowSchema } from './fleet.ts';
import { healthSchema } from './health.ts';
import { discoverySchema, linkSchema } from './link.ts';
import { outletSchema } from './outlet.ts';
import { pictureSchema, simStateSchema } from './picture.ts';
import { runSchema } from './run.ts';
import { count, namedObject, notNegative, timestamp, uuid } from './scalar.ts';
import { sensorSchema } from './sensor.ts';
import { taskSchema } from './task.ts';
import { threatSchema } from './threat.ts';
import { trackSchema, trackStates } from './track.ts';
import { zoneTransitions } from './zone.ts';

export const severities = ['debug', 'info', 'notice', 'warning', 'critical'] as const;
export type Severity = (typeof severities)[number];

/** Severities of at least `least`; empty, which means all, where it is undefined. */
export function severitiesFrom(least: Severity | undefined): readonly Severity[] {
  return least === undefined ? [] : severities.slice(severities.indexOf(least));
}

/** Kinds of the box's events that concern every workspace. Each workspace lists the same row. */
export const kindsForAll: readonly string[] = ['discovery.changed', 'map.deleted', 'map.uploaded'];

const anything = z.unknown();

/**
 * A row of the event log. Actions of people are audit rows in one chain for the box; each hash is computed from the row
 * and the previous hash. Other rows have no hashes.
 */
export const logEventSchema = namedObject('LogEvent', {
  id: uuid,
  seq: count,
  at: timestamp,
  kind: z.string().describe('dotted, for example track.new or link.down'),
  severity: z.enum(severities),
  actor: actorSchema,
  subject: z.strictObject({ type: z.string(), id: z.string(), label: z.string() }).nullable(),
  text: z.string(),
  before: anything.describe('changed fields before the change'),
  after: anything.describe('changed fields after the change'),
  reason: z.string().nullable(),
  correlation_id: z.string().nullable(),
  policy_version: z.int().nullable(),
  provenance: z.enum(['live', 'simulated', 'replayed']),
  prev_hash: z.string().nullable(),
  hash: z.string().nullable(),
});
export type LogEvent = z.infer<typeof logEventSchema>;

/** Fixed fields of a row that the service itself wrote. */
export const unattended = {
  actor: systemActor,
  before: null,
  after: null,
  reason: null,
  correlation_id: null,
  policy_version: null,
  provenance: 'live',
  prev_hash: null,
  hash: null,
} as const;

/** Rows whose schemas are defined elsewhere. */
const rowSchema = z.looseObject({ id: uuid });
const removed = z.strictObject({ id: uuid });

/**
 * The body of each kind of stream event. A kind that is not listed here is never sent.
 * `track_update` carries the changed top-level fields of a track and its `id`.
 */
export const eventBodies = {
  snapshot: pictureSchema,
  resume: z.strictObject({ from: z.string().describe('<epoch>:<seq> of the last event before those that follow') }),
  track_new: trackSchema,
  track_update: trackSchema.partial().required({ id: true }),
  track_state: z.strictObject({ id: uuid, state: z.enum(trackStates), was: z.enum(trackStates) }),
  track_removed: z.strictObject({
    id: uuid,
    reason: z.enum(['closed', 'merged', 'dropped']),
    into: uuid.optional(),
  }),
  threat_update: threatSchema,
  threat_cleared: z.strictObject({ track_id: uuid }),
  zone_event: z.strictObject({
    zone_id: uuid,
    track_id: uuid,
    transition: z.enum(zoneTransitions),
    at: timestamp,
    eta_s: notNegative.optional().describe('predicted seconds until entry, for an approach'),
  }),
  sensor_update: sensorSchema,
  sensor_removed: removed,
  link_update: linkSchema,
  link_removed: removed,
  outlet_update: outletSchema,
  outlet_removed: removed,
  asset_update: assetSchema,
  asset_removed: removed,
  fleet_update: fleetRowSchema,
  fleet_removed: z.strictObject({ key: z.string() }),
  command_update: commandSchema,
  task_update: taskSchema,
  assignment_update: assignmentSchema,
  assignment_removed: removed,
  zone_update: rowSchema,
  zone_removed: removed,
  region_update: rowSchema,
  region_removed: removed,
  alert: alertSchema,
  alert_update: alertSchema,
  live_alert: alertSchema.describe('alert of the live world that was raised or became more severe; the console sounds'),
  engagement_update: engagementSchema.describe(
    'the last update of an ended engagement has its final state; the picture no longer contains it',
  ),
  config_change: z.strictObject({
    what: z.enum(['decision_config', 'rule', 'catalog', 'scenario', 'webhook', 'recording', 'retention']),
    id: z.string().nullable(),
    version: z.int().nullable(),
    by: z.string(),
  }),
  doctrine_change: z.strictObject({ version: z.int(), by: z.string() }),
  discovery_change: discoverySchema,
  health_update: healthSchema,
  sim_state: simStateSchema,
  run_update: runSchema,
  log: logEventSchema,
} as const;
export type EventKind = keyof typeof eventBodies;
export type EventBody<K extends EventKind> = z.infer<(typeof eventBodies)[K]>;

/** Time of the box, and the trust in it. */
export const boxTimeSchema = z.strictObject({
  box_at: timestamp.describe('UTC of the box; differs from `at` in a played world'),
  trust: z.enum(clockTrusts),
});
export type BoxTime = z.infer<typeof boxTimeSchema>;

/**
 * The `data:` line of a tick, which has no id and no body and is sent every 2 s. A client that has received every event
 * up to `seq` has missed nothing.
 */
export const tickSchema = z.strictObject({ seq: count, at: timestamp, ...boxTimeSchema.shape });
export type Tick = z.infer<typeof tickSchema>;

/** Schema of the `data:` line of an event. */
export function eventDataSchema<K extends EventKind>(kind: K) {
  return z.strictObject({ seq: count, at: timestamp, body: eventBodies[kind] });
}

/** One numbered change of a picture. `body` fits `eventBodies[kind]`, and is not modified after publication. */
export type StreamEvent = { seq: number; at: string; kind: EventKind; body: object };
/** The changes of one tick, in order of `seq`. A new epoch makes every client begin again with a snapshot. */
export type Flush = { epoch: string; events: readonly StreamEvent[] };
