import type { Principal } from '../../access/principal.ts';
import {
  fileTicketSchema,
  fileTicketSpecSchema,
  keySchema,
  keySpecSchema,
  madeKeySchema,
  membershipSchema,
  meSchema,
  signedInSchema,
  signInSchema,
  ticketSchema,
  userChangeSchema,
  userSchema,
  userSpecSchema,
  workspaceSpecSchema,
} from '../../model/access.ts';
import { invalidInput, sentenceOf, unavailable } from '../../model/fault.ts';
import { credentialOf } from '../credential.ts';
import {
  sampleFileTicket,
  sampleKey,
  sampleMadeKey,
  sampleMe,
  sampleMembership,
  sampleSignedIn,
  sampleSignIn,
  sampleTicket,
  sampleUser,
} from '../openapi/access_samples.ts';
import { audience, route } from '../route.ts';
import { deleted, done, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const { viewers, owners } = audience('access');
const people = { ...owners, session: true } as const;
const user = { text: 'the user', data: userSchema, example: sampleUser };

export const accessRoutes = [
  route('POST /auth/sign-in', {
    ...viewers,
    summary: 'Sign in',
    description:
      'The token is sent as `Authorization: Bearer`, together with `X-Workspace-Id`. It is valid for 30 minutes; ' +
      '`auth/renew` issues another. After five failed attempts within a minute, an address must wait.',
    body: { schema: signInSchema, example: sampleSignIn },
    answer: { text: 'the session', data: signedInSchema, example: sampleSignedIn },
    errors: ['unavailable'],
    write: false,
    handler: ({ body, from }, { access }) => access.signIn(body.username, body.password, from),
  }),
  route('POST /auth/renew', {
    ...viewers,
    summary: 'Renew the session',
    description:
      'Issues another token for 30 minutes; the old token becomes invalid. A session ends at the latest ' +
      '`access.session_max_h` after the password was entered, by default 12 h.',
    answer: { text: 'the session', data: signedInSchema, example: sampleSignedIn },
    errors: ['unavailable'],
    session: true,
    write: false,
    handler: ({ by, ctx }, { access }) => access.renew(credentialOf(ctx.req)?.text ?? '', by),
  }),
  route('POST /auth/sign-out', {
    ...viewers,
    summary: 'End the session',
    description: 'Open streams stay open.',
    answer: done('signed_out', 'SignedOut'),
    errors: ['unavailable'],
    session: true,
    write: false,
    handler: ({ by, ctx }, { access }) => {
      const credential = credentialOf(ctx.req);
      if (credential) access.signOut(credential.text, by);
    },
  }),
  route('POST /auth/stream-ticket', {
    ...viewers,
    summary: 'Issue a ticket that opens a stream',
    description:
      'For clients that cannot send a header with a stream: open `stream?ticket=TICKET`. A ticket is valid once, ' +
      'within a minute.',
    answer: { text: 'the ticket', data: ticketSchema, example: sampleTicket },
    errors: ['rate_limited'],
    write: false,
    handler: ({ by }, { access }) => access.issueTicket(by),
  }),
  route('POST /auth/file-ticket', {
    ...viewers,
    summary: 'Issue a ticket that saves a file',
    description:
      'For a link that a browser saves to disk without a header: the same path with `ticket=TICKET` in its query. ' +
      'The ticket is valid for one GET of that path within a minute, with the rights of its issuer.',
    body: { schema: fileTicketSpecSchema, example: { path: 'evidence/5f0c6c9e-5b0e-4a5c-9d3b-3f1f0c2a7b11' } },
    answer: { text: 'the ticket', data: fileTicketSchema, example: sampleFileTicket },
    errors: ['rate_limited'],
    write: false,
    handler: ({ by, body }, { access }) => access.issueTicket(by, body.path),
  }),
  route('GET /me', {
    ...viewers,
    summary: 'Get the caller and the workspaces of the caller',
    answer: { text: 'the caller', data: meSchema, example: sampleMe },
    handler: ({ by }, { access }) => access.me(by),
  }),
  route('GET /users', {
    ...people,
    summary: 'List users of the workspace',
    query: listQuery,
    answer: listOf('the users', userSchema, sampleUser),
    handler: ({ by, query }, { access }) => firstRows(access.users.list(workspaceIdOf(by)), query),
  }),
  route('POST /users', {
    ...people,
    summary: 'Create user',
    description: 'Without `password`, an existing user of another workspace becomes a member of this one.',
    body: {
      schema: userSpecSchema,
      example: { username: 'ben', password: 'a sentence to remember', role: 'operator' },
    },
    answer: user,
    handler: ({ by, body }, { access }) => access.users.add(workspaceIdOf(by), body, by),
  }),
  route('GET /users/{id}', {
    ...people,
    summary: 'Get user',
    answer: user,
    handler: ({ by, params }, { access }) => access.users.get(workspaceIdOf(by), params.id),
  }),
  route('POST /users/{id}', {
    ...people,
    summary: "Change a user's role or password",
    description:
      "A new password ends the user's sessions and streams, and voids unspent tickets. A new role ends streams and " +
      'voids tickets. The role of the last owner cannot be changed.',
    body: { schema: userChangeSchema, example: { role: 'operator' } },
    answer: { ...user, text: 'the changed user' },
    handler: ({ by, params, body }, { access }) => access.users.update(workspaceIdOf(by), params.id, body, by),
  }),
  route('DELETE /users/{id}', {
    ...people,
    summary: 'Remove user from the workspace',
    description: 'A user without another workspace is deleted, with all sessions. The last owner cannot be removed.',
    answer: deleted,
    handler: ({ by, params }, { access }) => access.users.remove(workspaceIdOf(by), params.id, by),
  }),
  route('GET /keys', {
    ...people,
    summary: 'List API keys of the workspace',
    description: 'Newest first, including revoked keys. Secrets are never shown.',
    query: listQuery,
    answer: listOf('the keys', keySchema, sampleKey),
    handler: ({ by, query }, { access }) => firstRows(access.keys.list(workspaceIdOf(by)), query),
  }),
  route('POST /keys', {
    ...people,
    summary: 'Create API key',
    description: 'Only this answer contains the secret. A key is valid until it is revoked.',
    body: { schema: keySpecSchema, example: { name: 'radar feed', role: 'operator' } },
    answer: { text: 'the key and its secret', data: madeKeySchema, example: sampleMadeKey },
    handler: ({ by, body }, { access }) => access.keys.add(workspaceIdOf(by), body, by),
  }),
  route('DELETE /keys/{id}', {
    ...people,
    summary: 'Revoke API key',
    description: 'The key is refused from now on, and its streams are closed.',
    answer: done('revoked', 'Revoked'),
    errors: ['unavailable'],
    handler: ({ by, params }, { access }) => access.keys.revoke(workspaceIdOf(by), params.id, by),
  }),
  route('GET /workspaces', {
    ...owners,
    summary: 'List workspaces of the caller',
    answer: listOf('the workspaces', membershipSchema, sampleMembership),
    handler: ({ by }, { access }) => access.me(by).workspaces,
  }),
  route('POST /workspaces', {
    ...owners,
    summary: 'Create workspace',
    description: 'The caller becomes the owner of the workspace, which starts at once and is empty.',
    body: { schema: workspaceSpecSchema, example: { name: 'north gate' } },
    answer: { text: 'the workspace', data: membershipSchema, example: sampleMembership },
    session: true,
    handler: async ({ by, body }, { access, workspaces }) => {
      const row = access.workspaces.create(body.name, by);
      try {
        await workspaces.open(row);
      } catch (thrown) {
        access.workspaces.takeBack(row, sentenceOf(thrown), by);
        throw unavailable(`the workspace ${row.name} could not be started: ${sentenceOf(thrown)}`);
      }
      return { id: row.id, name: row.name, role: 'owner' };
    },
  }),
];

/**
 * Returns the workspace of a request about users and keys. The guard has already refused requests that name no
 * workspace.
 */
function workspaceIdOf({ workspaceId }: Principal): string {
  if (workspaceId === null) throw invalidInput('the request names no workspace: send the header X-Workspace-Id');
  return workspaceId;
}
