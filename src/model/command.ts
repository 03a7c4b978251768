import { z } from 'zod';
import { actorSchema } from './actor.ts';
import { altAglM, altHaeM, altMslM, heightTakeoffM, lat, lon, timestamp, uuid } from './scalar.ts';
import { provenances } from './track.ts';
import { verbNames } from './verb.ts';

/** From `created` on one way: done and failed are ends, and so are the side exits after them. */
export const commandStates = [
  'created',
  'sent',
  'accepted',
  'executing',
  'done',
  'failed',
  'rejected',
  'expired',
  'cancelled',
  'superseded',
  'timed_out',
] as const;
export type CommandState = (typeof commandStates)[number];

const running: ReadonlySet<CommandState> = new Set(['created', 'sent', 'accepted', 'executing']);
export function isOver(state: CommandState): boolean {
  return !running.has(state);
}

const distance = z.number().min(1).max(100_000);
const speed = z.number().min(0.1).max(200);
const heights = {
  alt_hae_m: altHaeM.optional(),
  alt_msl_m: altMslM.optional(),
  alt_agl_m: altAglM.optional(),
  height_takeoff_m: heightTakeoffM.optional(),
};
const orbiting = {
  radius_m: distance.optional(),
  direction: z.enum(['clockwise', 'counter_clockwise']).optional(),
  speed_mps: speed.optional(),
};

/** What a command is about, by kind. Which fields count depends on the verb; what it does not take is refused. */
export const commandParamsSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('point'), lat, lon, ...heights, ...orbiting }),
    z.strictObject({
      kind: z.literal('track'),
      track_id: uuid,
      standoff_m: distance.optional().describe('never nearer than the standoff_m of the decision config'),
      height_offset_m: z.number().min(-500).max(500).optional().describe('above the track'),
      ...orbiting,
    }),
    z.strictObject({
      kind: z.literal('asset'),
      asset_id: uuid,
      standoff_m: distance.optional(),
      bearing_deg: z.number().min(0).lt(360).optional().describe('from the escorted asset, true'),
      height_offset_m: z.number().min(-500).max(500).optional().describe('above the asset'),
    }),
    z.strictObject({ kind: z.literal('zone'), zone_id: uuid, spacing_m: distance.optional(), ...heights }),
    z.strictObject({
      kind: z.literal('value'),
      height_m: z.number().min(1).max(10_000).optional().describe('above the take-off point'),
      speed_mps: speed.optional(),
      zoom: z.number().min(0).max(100).optional().describe('percent of the range'),
      mode: z.string().min(1).max(60).optional(),
    }),
  ])
  .meta({ id: 'CommandParams' });
export type CommandParams = z.infer<typeof commandParamsSchema>;

/** `verb` is an open string: one that is not known is not advertised by anything. */
export const assetCommandSchema = z
  .strictObject({
    verb: z.string().min(1).max(120),
    params: commandParamsSchema.optional().describe('absent is kind none'),
    command_id: z
      .string()
      .regex(/^[\w.:-]{1,120}$/, 'must be 1 to 120 letters, digits or . _ : -')
      .optional()
      .describe('sent again, it answers for the command that was sent with it before'),
    expires_at: timestamp.optional().describe('not sent after it; 10 s from now where absent'),
    reason: z.string().trim().min(1).max(500).optional(),
    operator: z.string().trim().min(1).max(120).optional().describe('who commands, where nobody signed in'),
  })
  .meta({ id: 'AssetCommand' });
export type AssetCommand = z.infer<typeof assetCommandSchema>;

export const commandSchema = z
  .strictObject({
    command_id: z.string(),
    verb: z.enum(verbNames),
    asset_id: uuid,
    state: z.enum(commandStates),
    reason: z.string().nullable().describe('why it ended as it did'),
    params: commandParamsSchema,
    by: actorSchema,
    operator: z.string().nullable(),
    why: z.string().nullable().describe('the reason its sender gave'),
    link_id: uuid.nullable(),
    task_id: uuid.nullable(),
    attempts: z.int().min(0).describe('datagrams sent for its first step'),
    accepted_at: timestamp.describe('by this service'),
    sent_at: timestamp.nullable(),
    expires_at: timestamp,
    updated_at: timestamp,
    provenance: z.enum(provenances).describe('of the world that the vehicle is in'),
  })
  .meta({ id: 'Command', description: 'What a vehicle was told, and what became of it' });
export type Command = z.infer<typeof commandSchema>;
