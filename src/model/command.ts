import { z } from 'zod';
import { actorSchema } from './actor.ts';
import { count, namedObject, textUpTo, timestamp, uuid, words } from './scalar.ts';
import { provenances } from './track.ts';
import { commandParamsSchema, verbNames } from './verb.ts';

/**
 * States of a command. It begins as `created`, and then passes some of the states in this order. `done`, `failed` and
 * all states after them are final.
 */
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

/** Request of a command. `verb` may be any text, because an unknown verb is refused later as unavailable. */
export const assetCommandSchema = namedObject('AssetCommand', {
  verb: textUpTo(120),
  params: commandParamsSchema.optional().describe('parameters; absent means kind none'),
  command_id: z
    .string()
    .regex(/^[\w.:-]{1,120}$/, 'must be 1 to 120 letters, digits or . _ : -')
    .optional()
    .describe('idempotency key: a repeat gets the answer of the first command'),
  expires_at: timestamp.optional().describe('time after which the command is not sent; default 10 s from now'),
  reason: words(500).optional(),
  operator: words(120).optional().describe('name of the person who commands, without a sign-in'),
});
export type AssetCommand = z.infer<typeof assetCommandSchema>;

export const commandSchema = z
  .strictObject({
    command_id: z.string(),
    verb: z.enum(verbNames),
    asset_id: uuid,
    state: z.enum(commandStates),
    reason: z.string().nullable().describe('reason of the outcome'),
    params: commandParamsSchema,
    by: actorSchema,
    operator: z.string().nullable(),
    why: z.string().nullable().describe('reason given by the sender'),
    link_id: uuid.nullable(),
    task_id: uuid.nullable(),
    attempts: count.describe('datagrams sent for the first step'),
    accepted_at: timestamp.describe('time of acceptance by this service'),
    sent_at: timestamp.nullable(),
    expires_at: timestamp,
    updated_at: timestamp,
    provenance: z.enum(provenances).describe('provenance of the world of the vehicle'),
  })
  .meta({ id: 'Command', description: 'Command to a vehicle, with its progress and outcome' });
export type Command = z.infer<typeof commandSchema>;
