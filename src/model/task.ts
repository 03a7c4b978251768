import { z } from 'zod';
import { commandStates } from './command.ts';
import { count, namedObject, notNegative, timestamp, unitInterval, uuid } from './scalar.ts';
import { provenances } from './track.ts';
import { commandParamsSchema, verbNames } from './verb.ts';

/** Activity of a vehicle that takes time, for a plan or a single command. A task has the same states as a command. */
export const taskSchema = namedObject('Task', {
  id: uuid,
  engagement_id: uuid.nullable(),
  command_id: z.string().nullable().describe('first command of a task without a plan'),
  asset_id: uuid,
  verb: z.enum(verbNames),
  params: commandParamsSchema,
  state: z.enum(commandStates),
  phase: z.enum(['going', 'on_station', 'giving_way', 'holding', 'returning', 'over']),
  progress: unitInterval.nullable(),
  eta_s: notNegative.nullable(),
  distance_m: notNegative.nullable().describe('present distance to the target, m'),
  closest_m: notNegative.nullable().describe('smallest distance to the target so far, m'),
  breaches: count.describe('number of times the target came inside the standoff'),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  result: z.string().nullable(),
  reason: z.string().nullable(),
  provenance: z.enum(provenances).describe('provenance of the world of the vehicle'),
});
export type Task = z.infer<typeof taskSchema>;
