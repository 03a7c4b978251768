import { z } from 'zod';
import { namedObject, timestamp } from './scalar.ts';

export const settingLayers = ['default', 'file', 'env', 'workspace'] as const;

const anything = z.unknown();

/** One setting: its meaning, its range, and in `trace` the layers that set it. The value of the last layer applies. */
export const settingSchema = namedObject('Setting', {
  key: z.string(),
  value: anything.describe('value in force'),
  default: anything,
  unit: z.string().nullable().describe('unit, from the suffix of the name'),
  min: z.number().nullable(),
  max: z.number().nullable(),
  description: z.string(),
  trace: z.array(
    z.strictObject({
      layer: z.enum(settingLayers).describe('env: the environment or the command line'),
      value: anything,
      by: z.string().nullable().describe('file, variable or person that set the value'),
      at: timestamp.nullable(),
    }),
  ),
});
export type Setting = z.infer<typeof settingSchema>;

const units: Record<string, string> = {
  m: 'm',
  mps: 'm/s',
  deg: 'deg',
  s: 's',
  ms: 'ms',
  dbm: 'dBm',
  hz: 'Hz',
  pct: '%',
  kg: 'kg',
  bytes: 'byte',
  days: 'd',
};

/**
 * Returns the unit in the suffix of a setting's name, for example of `coast_s`, `max_speed_mps`, `retention.bytes` or
 * `msgs_per_s`. Null if the suffix is not a unit.
 */
export function unitOfName(key: string): string | null {
  const last = key.slice(key.lastIndexOf('.') + 1);
  if (last.endsWith('_per_s')) return '1/s';
  return units[last.slice(last.lastIndexOf('_') + 1)] ?? null;
}
