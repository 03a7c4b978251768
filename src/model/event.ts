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

/**
 * Returns all severities from `least` upwards. Without `least` the list is empty, and queries take an empty list as all
 * severities.
 */
export function severitiesFrom(least: Severity | undefined): readonly Severity[] {
  return least === undefined ? [] : severities.slice(severities.indexOf(least));
}

/** Event kinds of the box that concern every workspace; the log of each workspace lists their rows. */
export const kindsForAll: readonly string[] = ['discovery.changed', 'map.deleted', 'map.uploaded'];

const anything = z.unknown();

/**
 * Row of the event log. Actions of people are audit rows in one hash chain for the whole box. Each hash is computed
 * from the row and the previous hash. Other rows have no hash.
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

/** Default fields of log rows that are not audit rows. The writer of a row may replace them. */
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

/** Accepts any row with an id. The full schema is in the module of the row, for example `rule.ts`. */
const rowSchema = z.looseObject({ id: uuid });
const removed = z.strictObject({ id: uuid });

/**
 * The body of each kind of stream event. A kind that is not listed here is never sent.
 * `track_update` carries the changed top-level fields of a track and its `id`.
 */
export const eventBodies = {
  snapshot: pictureSchema,
  resume: z.strictObject({ from: z.string().describe('<epoch>:<seq> of the last event before the resumed events') }),
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
  live_alert: alertSchema.describe(
    'alert of the live world that was raised, became more severe or got more aircraft; the console plays a sound',
  ),
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

/** Time of the box, and how far that time can be trusted. */
export const boxTimeSchema = z.strictObject({
  box_at: timestamp.describe('UTC of the box; differs from `at` in a played world'),
  trust: z.enum(clockTrusts),
});
export type BoxTime = z.infer<typeof boxTimeSchema>;

/**
 * Content of the `data:` line of a tick. The stream sends a tick every 2 s, without id and body. A client that received
 * every event up to the tick's `seq` has missed nothing.
 */
export const tickSchema = z.strictObject({ seq: count, at: timestamp, ...boxTimeSchema.shape });
export type Tick = z.infer<typeof tickSchema>;

/** Schema of the `data:` line of an event. */
export function eventDataSchema<K extends EventKind>(kind: K) {
  return z.strictObject({ seq: count, at: timestamp, body: eventBodies[kind] });
}

/**
 * One numbered change of a picture. `body` conforms to `eventBodies[kind]` and must not be modified after publication.
 * `bodyText`: the body as JSON, if it is shared by several streams. `ownersOnly`: true for a log row about the whole box;
 * others receive the event without its content.
 */
export type StreamEvent = {
  seq: number;
  at: string;
  kind: EventKind;
  body: object;
  readonly bodyText?: string;
  readonly ownersOnly?: boolean;
};
/**
 * Changes that a picture publishes together, in order of `seq`. When `epoch` changes, every client must start again
 * from a snapshot.
 */
export type Flush = { epoch: string; events: readonly StreamEvent[] };
