import { z } from 'zod';
import { roles } from './actor.ts';
import { name, namedObject, seenVersion, stored, textUpTo, timestamp, uuid } from './scalar.ts';

/** Least and greatest length of a new password, characters. */
export const PASSWORD_LEAST = 12;
export const PASSWORD_MOST = 200;

const role = z.enum(roles);
const username = name.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@+-]*$/u).describe('letters, digits, spaces and . _ @ + -');
const newPassword = z.string().min(PASSWORD_LEAST).max(PASSWORD_MOST);
const workspaceId = z.string().describe('begins with wsp_');

export const userSchema = namedObject('User', {
  id: uuid,
  username: z.string(),
  role: role.describe('in this workspace'),
  ...stored,
});
export type User = z.infer<typeof userSchema>;

export const userSpecSchema = namedObject('UserSpec', {
  username,
  role,
  password: newPassword.optional().describe('optional for a user of another workspace that joins this one'),
});
export type UserSpec = z.infer<typeof userSpecSchema>;

export const userChangeSchema = z
  .strictObject({
    role: role.optional(),
    password: newPassword.optional().describe('ends every session of the user'),
    version: seenVersion,
  })
  .meta({ id: 'UserChange', description: 'Absent fields stay unchanged' });
export type UserChange = z.infer<typeof userChangeSchema>;

export const membershipSchema = namedObject('Membership', { id: workspaceId, name: z.string(), role });
export type Membership = z.infer<typeof membershipSchema>;

export const signInSchema = namedObject('SignIn', { username: textUpTo(120), password: textUpTo(PASSWORD_MOST) });

const person = z.strictObject({ id: uuid, username: z.string() });

export const signedInSchema = namedObject('SignedIn', {
  token: z.string().describe('begins with dst_; for `Authorization: Bearer`'),
  expires_at: timestamp,
  user: person,
  workspaces: z.array(membershipSchema),
});
export type SignedIn = z.infer<typeof signedInSchema>;

export const ticketSchema = namedObject('StreamTicket', {
  ticket: z.string().describe('begins with stk_; valid once'),
  expires_at: timestamp,
});
export const fileTicketSchema = namedObject('FileTicket', {
  ticket: z.string().describe('begins with ftk_; valid once, for this path'),
  expires_at: timestamp,
});
export type Ticket = z.infer<typeof ticketSchema>;

export const fileTicketSpecSchema = namedObject('FileTicketSpec', {
  path: z
    .string()
    .max(500, 'must have at most 500 characters')
    .regex(
      /^[a-z][\w./~%-]*(?:\?[\w.~%=&:+-]*)?$/i,
      'must be the path and query of a file below /api/, for example evidence/ID',
    )
    .describe('path and query of a GET below `/api/` or `/v1/`: `evidence/ID`, `recordings/ID/file`'),
});

const mayCommand = z.boolean().describe('true if the key may send movement commands');

export const keySpecSchema = namedObject('ApiKeySpec', {
  name,
  role: role
    .optional()
    .describe('at most the role of its creator; default operator, or the weaker role of its creator'),
  may_command: mayCommand.optional(),
});
export type KeySpec = z.infer<typeof keySpecSchema>;

export const madeKeySchema = namedObject('MadeApiKey', {
  id: uuid,
  name: z.string(),
  prefix: z.string().describe('first characters of the secret, for recognition'),
  secret: z.string().describe('begins with dak_; only this answer contains the secret'),
  role,
  may_command: mayCommand,
  created_at: timestamp,
});
export type MadeKey = z.infer<typeof madeKeySchema>;

export const keySchema = madeKeySchema
  .omit({ secret: true })
  .extend({ last_used_at: timestamp.nullable(), revoked_at: timestamp.nullable() })
  .meta({ id: 'ApiKey' });
export type Key = z.infer<typeof keySchema>;

export const meSchema = namedObject('Me', {
  user: person.nullable(),
  key: z.strictObject({ id: uuid, name: z.string(), role, may_command: mayCommand }).nullable(),
  open: z.boolean().describe('true on the open surface, without a sign-in'),
  workspaces: z.array(membershipSchema),
});
export type Me = z.infer<typeof meSchema>;

/** Workspace names may not contain invisible characters, because two different names could then look equal. */
const workspaceName = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}\p{DI}]*$/u, 'must be one line of visible characters');

export const workspaceSpecSchema = namedObject('WorkspaceSpec', { name: workspaceName });
