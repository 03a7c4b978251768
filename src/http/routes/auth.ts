import { z } from 'zod';
import { meSchema, signedInSchema, signInSchema, ticketSchema } from '../../model/access.ts';
import { credentialOf } from '../credential.ts';
import { sampleMe, sampleSignedIn, sampleSignIn, sampleTicket } from '../openapi/access_samples.ts';
import { route } from '../route.ts';

export const authRoutes = [
  route({
    method: 'POST',
    path: '/auth/sign-in',
    summary: 'Sign in',
    description:
      'The token is sent as `Authorization: Bearer`, with `X-Workspace-Id`. It holds 30 minutes. ' +
      'Five tries a minute are taken of an address, and of a name from there.',
    tag: 'access',
    body: { schema: signInSchema, example: sampleSignIn },
    answer: { text: 'the session', data: signedInSchema, example: sampleSignedIn },
    errors: ['unavailable'],
    role: 'viewer',
    write: false,
    handler: ({ body, from }, { access }) => access.signIn(body.username, body.password, from),
  }),
  route({
    method: 'POST',
    path: '/auth/sign-out',
    summary: 'End the session',
    description: 'Streams that are open stay open.',
    tag: 'access',
    answer: {
      text: 'done',
      data: z.strictObject({ signed_out: z.literal(true) }).meta({ id: 'SignedOut' }),
      example: { signed_out: true },
    },
    errors: ['unavailable'],
    session: true,
    role: 'viewer',
    write: false,
    handler: ({ by, ctx }, { access }) => {
      const credential = credentialOf(ctx.req);
      if (credential) access.signOut(credential.text, by);
      return { signed_out: true };
    },
  }),
  route({
    method: 'POST',
    path: '/auth/stream-ticket',
    summary: 'A ticket to open a stream with',
    description:
      'For clients that can send no header with a stream: `stream?ticket=`. It serves once, within a minute.',
    tag: 'access',
    answer: { text: 'the ticket', data: ticketSchema, example: sampleTicket },
    errors: ['rate_limited'],
    role: 'viewer',
    write: false,
    handler: ({ by }, { access }) => access.issueTicket(by),
  }),
  route({
    method: 'GET',
    path: '/me',
    summary: 'Who asks, and the workspaces he is a member of',
    tag: 'access',
    answer: { text: 'the caller', data: meSchema, example: sampleMe },
    role: 'viewer',
    write: false,
    handler: ({ by }, { access }) => access.me(by),
  }),
];
