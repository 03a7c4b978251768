import { z } from 'zod';
import { actorSchema } from './actor.ts';
import { count, namedObject, textUpTo, timestamp, uuid, words } from './scalar.ts';
import { provenances } from './track.ts';
import { commandParamsSchema, verbNames } from './verb.ts';

/** States in order from `created`; done and failed are final, and so are the states after them. */
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

/** `verb` is an open string: one that is not known is not advertised by anything. */
export const assetCommandSchema = namedObject('AssetCommand', {
  verb: textUpTo(120),
  params: commandParamsSchema.optional().describe('absent is kind none'),
  command_id: z
    .string()
    .regex(/^[\w.:-]{1,120}$/, 'must be 1 to 120 letters, digits or . _ : -')
    .optional()
    .describe('sent again, it answers for the command that was sent with it before'),
  expires_at: timestamp.optional().describe('not sent after it; 10 s from now where absent'),
  reason: words(500).optional(),
  operator: words(120).optional().describe('who commands, where nobody signed in'),
});
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
    attempts: count.describe('datagrams sent for its first step'),
    accepted_at: timestamp.describe('by this service'),
    sent_at: timestamp.nullable(),
    expires_at: timestamp,
    updated_at: timestamp,
    provenance: z.enum(provenances).describe('of the world that the vehicle is in'),
  })
  .meta({ id: 'Command', description: 'What a vehicle was told, and what became of it' });
export type Command = z.infer<typeof commandSchema>;
