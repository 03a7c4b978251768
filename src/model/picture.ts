import { z } from 'zod';
import { alertSchema } from './alert.ts';
import { assetSchema } from './asset.ts';
import { assignmentSchema } from './assignment.ts';
import { engagementSchema } from './engagement.ts';
import { fleetRowSchema } from './fleet.ts';
import { healthSchema } from './health.ts';
import { linkSchema } from './link.ts';
import { outletSchema } from './outlet.ts';
import { autonomies, postures } from './posture.ts';
import { count, namedObject, timestamp, uuid } from './scalar.ts';
import { sensorSchema } from './sensor.ts';
import { taskSchema } from './task.ts';
import { threatSchema } from './threat.ts';
import { type Provenance, trackSchema } from './track.ts';

/** Accepts any rows with an id. The full schemas are in the modules of the rows, for example `rule.ts`. */
const rows = z.array(z.looseObject({ id: uuid }));

export const modes = ['live', 'sim', 'replay'] as const;

export const simStateSchema = namedObject('SimState', {
  mode: z.enum(modes),
  simulator: z.enum(['ready', 'unavailable']),
  run: z.enum(['idle', 'loading', 'running', 'paused', 'stopping', 'completed', 'failed']),
  scenario_id: uuid.nullable(),
  run_id: uuid.nullable(),
  sim_at: timestamp.nullable(),
  rate: z.number().nullable(),
});

export type SimState = z.infer<typeof simStateSchema>;

/** Simulation state of a workspace that shows its live world and has no run. */
export const idleSim: SimState = {
  mode: 'live',
  simulator: 'ready',
  run: 'idle',
  scenario_id: null,
  run_id: null,
  sim_at: null,
  rate: null,
};

/**
 * Complete current state, as in `GET /api/picture` and the stream's `snapshot`. The next delta has exactly `seq + 1`.
 */
export const pictureSchema = namedObject('Picture', {
  epoch: z.string(),
  seq: count,
  server_at: timestamp,
  workspace_id: z.string(),
  environment: z.enum(['live', 'sim']),
  mode: z.enum(modes),
  posture: z.enum(postures),
  tracks: z.array(trackSchema),
  threats: z.array(threatSchema),
  alerts: z.array(alertSchema),
  assets: z.array(assetSchema),
  fleet: z.array(fleetRowSchema),
  assignments: z.array(assignmentSchema),
  zones: rows,
  regions: rows,
  sensors: z.array(sensorSchema),
  links: z.array(linkSchema),
  outlets: z.array(outletSchema).describe('outlets of the live world; a played world has none'),
  engagements: z.array(engagementSchema).describe('open engagements'),
  tasks: z.array(taskSchema).describe('running tasks'),
  autonomy: z.enum(autonomies),
  autonomy_effective: z.enum(autonomies),
  health: healthSchema.describe('health of the box and its live world'),
  sim: simStateSchema,
  counts: z.record(z.string(), count),
});
export type Picture = z.infer<typeof pictureSchema>;

/** Mode of a picture by the provenance of its own world. The field `sim` contains the mode of the shown world. */
export const modeOfProvenance: Record<Provenance, Picture['mode']> = {
  live: 'live',
  simulated: 'sim',
  replayed: 'replay',
};
