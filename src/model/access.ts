import { z } from 'zod';
import { roles } from './actor.ts';
import { name, seenVersion, stored, textUpTo, timestamp, uuid } from './scalar.ts';

/** Access to a box: users, keys, sessions and their workspaces. Secrets are shown once, when they are made. */

export const PASSWORD_LEAST = 12;
export const PASSWORD_MOST = 200;

const role = z.enum(roles);
const username = name.regex(/^[\p{L}\p{N}][\p{L}\p{N} ._@+-]*$/u).describe('letters, digits, spaces and . _ @ + -');
const newPassword = z.string().min(PASSWORD_LEAST).max(PASSWORD_MOST);
const workspaceId = z.string().describe('begins with wsp_');

export const userSchema = z
  .strictObject({
    id: uuid,
    username: z.string(),
    role: role.describe('in this workspace'),
    ...stored,
  })
  .meta({ id: 'User' });
export type User = z.infer<typeof userSchema>;

export const userSpecSchema = z
  .strictObject({
    username,
    role,
    password: newPassword
      .optional()
      .describe('may be left out where the user is a member of another workspace and joins this one'),
  })
  .meta({ id: 'UserSpec' });
export type UserSpec = z.infer<typeof userSpecSchema>;

export const userChangeSchema = z
  .strictObject({
    role: role.optional(),
    password: newPassword.optional().describe('ends every session of the user'),
    version: seenVersion,
  })
  .meta({ id: 'UserChange', description: 'What is absent stays unchanged' });
export type UserChange = z.infer<typeof userChangeSchema>;

export const membershipSchema = z.strictObject({ id: workspaceId, name: z.string(), role }).meta({ id: 'Membership' });
export type Membership = z.infer<typeof membershipSchema>;

export const signInSchema = z
  .strictObject({ username: textUpTo(120), password: textUpTo(PASSWORD_MOST) })
  .meta({ id: 'SignIn' });

const person = z.strictObject({ id: uuid, username: z.string() });

export const signedInSchema = z
  .strictObject({
    token: z.string().describe('begins with dst_; for `Authorization: Bearer`'),
    expires_at: timestamp,
    user: person,
    workspaces: z.array(membershipSchema),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = z.infer<typeof signedInSchema>;

export const ticketSchema = z
  .strictObject({ ticket: z.string().describe('begins with stk_; serves once'), expires_at: timestamp })
  .meta({ id: 'StreamTicket' });
export type StreamTicket = z.infer<typeof ticketSchema>;

const mayCommand = z.boolean().describe('whether it may send movement commands');

export const keySpecSchema = z
  .strictObject({
    name,
    role: role.optional().describe("at most the maker's; operator where it is left out"),
    may_command: mayCommand.optional(),
  })
  .meta({ id: 'ApiKeySpec' });
export type KeySpec = z.infer<typeof keySpecSchema>;

export const madeKeySchema = z
  .strictObject({
    id: uuid,
    name: z.string(),
    prefix: z.string().describe('how the secret begins, to know it by'),
    secret: z.string().describe('begins with dak_; told this once'),
    role,
    may_command: mayCommand,
    created_at: timestamp,
  })
  .meta({ id: 'MadeApiKey' });
export type MadeKey = z.infer<typeof madeKeySchema>;

export const keySchema = madeKeySchema
  .omit({ secret: true })
  .extend({ last_used_at: timestamp.nullable(), revoked_at: timestamp.nullable() })
  .meta({ id: 'ApiKey' });
export type Key = z.infer<typeof keySchema>;

export const meSchema = z
  .strictObject({
    user: person.nullable(),
    key: z.strictObject({ id: uuid, name: z.string(), role, may_command: mayCommand }).nullable(),
    open: z.boolean().describe('whether nobody signed in: the open surface'),
    workspaces: z.array(membershipSchema),
  })
  .meta({ id: 'Me' });
export type Me = z.infer<typeof meSchema>;

/** Two names that look alike are not to be two workspaces: stricter than other names about what nobody sees. */
const workspaceName = z
  .string()
  .trim()
  .min(1)
  .max(120)
  .regex(/^[^\p{C}\p{Zl}\p{Zp}\p{DI}]*$/u, 'must be one line of characters that can be seen');

export const workspaceSpecSchema = z.strictObject({ name: workspaceName }).meta({ id: 'WorkspaceSpec' });
