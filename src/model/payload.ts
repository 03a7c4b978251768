import { z } from 'zod';
import { between, namedObject, positiveUpTo, wholeBetween, words } from './scalar.ts';
import type { Modality } from './sensor.ts';
import { verbNames } from './verb.ts';

export const payloadKinds = [
  'camera_eo',
  'camera_ir',
  'gimbal',
  'radar',
  'rf_receiver',
  'remote_id_receiver',
  'adsb_receiver',
  'acoustic',
  'lidar',
  'speaker',
  'light',
  'relay',
  'winch',
  'other',
] as const;
export type PayloadKind = (typeof payloadKinds)[number];

/** Sensor modality of each payload kind. Kinds that are not listed are not sensors. */
export const modalityOfPayload: Partial<Record<PayloadKind, Modality>> = {
  camera_eo: 'camera',
  camera_ir: 'camera',
  radar: 'radar',
  rf_receiver: 'rf',
  remote_id_receiver: 'remote_id',
  adsb_receiver: 'adsb',
  acoustic: 'acoustic',
  lidar: 'lidar',
};

const angle = between(-360, 360);
/** Range of an angle: [from, to], degrees. */
const span = z.array(angle).length(2);
const fieldOfView = z.strictObject({
  min: positiveUpTo(360),
  max: positiveUpTo(360),
});

/** One payload of a platform: its type, its figures, and the verbs that it gives the platform. */
export const payloadSchema = namedObject('PayloadSpec', {
  slot: words(60).optional().describe('mounting position, such as nose or bay 2'),
  kind: z.enum(payloadKinds),
  model: words(120).optional(),
  count: wholeBetween(1, 16).optional(),
  mass_kg: between(0, 1_000).optional(),
  state: z.enum(['operational', 'degraded', 'off', 'failed', 'unknown']).optional(),
  hfov_deg: fieldOfView.optional(),
  vfov_deg: fieldOfView.optional(),
  range_m: positiveUpTo(1_000_000).optional(),
  gimbal: z
    .strictObject({ azimuth_deg: span, elevation_deg: span, slew_dps: positiveUpTo(1_000).optional() })
    .optional(),
  provides_verbs: z.array(z.enum(verbNames)).max(32).optional(),
});
export type PayloadSpec = z.infer<typeof payloadSchema>;

/** Complete equipment of an asset. A slot holds at most one payload; a payload without a slot is allowed. */
export const fitSchema = z
  .array(payloadSchema)
  .max(32)
  .superRefine((fit, context) => {
    const taken = new Map<string, number>();
    for (const [index, { slot }] of fit.entries()) {
      if (slot === undefined) continue;
      const before = taken.get(slot.toLowerCase());
      const message = `must differ from the slot of payload ${before}: the slot ${slot} is taken`;
      if (before !== undefined) context.addIssue({ code: 'custom', path: [index, 'slot'], message });
      else taken.set(slot.toLowerCase(), index);
    }
  });
