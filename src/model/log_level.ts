import { z } from 'zod';
import { namedObject, timestamp, wholeBetween } from './scalar.ts';

/** Levels of the journal, from the most lines to the fewest. */
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof logLevels)[number];

const level = z.enum(logLevels);

export const logLevelStateSchema = namedObject('LogLevel', {
  level: level.describe('lowest level whose lines are written'),
  configured: level.describe('level of the configuration, which applies after a restart'),
  reverts_at: timestamp
    .nullable()
    .describe('time at which the configured level applies again; null without such a time'),
});
export type LogLevelState = z.infer<typeof logLevelStateSchema>;

export const logLevelSpecSchema = z
  .strictObject({
    level,
    for_s: wholeBetween(1, 604_800).optional().describe('seconds after which the configured level applies again'),
  })
  .meta({ id: 'LogLevelSpec' });
export type LogLevelSpec = z.infer<typeof logLevelSpecSchema>;
