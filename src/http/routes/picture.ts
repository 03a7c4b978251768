import { z } from 'zod';
import { pictureSchema } from '../../model/picture.ts';
import { textUpTo } from '../../model/scalar.ts';
import { samplePicture } from '../openapi/samples.ts';
import { file, jsonText } from '../own_answer.ts';
import { pictureText } from '../picture_text.ts';
import { hidesPilot, pictureWithoutPilots } from '../privacy.ts';
import { audience, route } from '../route.ts';
import { profiles } from '../stream/feed.ts';

export const worldQuery = z.strictObject({
  world: z.literal('live').optional().describe('`live` for the live world; without it, the shown world'),
});

const streamQuery = worldQuery.extend({
  profile: z
    .enum(profiles)
    .default('full')
    .describe('light: tracks once a second without predictions, counters every 10 s; for slow links'),
  ticket: textUpTo(200).optional().describe('a one-time ticket; names the workspace'),
  last_event_id: textUpTo(200)
    .optional()
    .describe('id of the last received event; the missed events follow if they are among the last 10 000'),
});

const streamExample = `id: 7f3a:4711
event: track_removed
data: {"seq":4711,"at":"2025-06-01T12:00:00.000Z","body":{"id":"5e0f6a52-0d3c-8a11-9c55-000000000001","reason":"closed"}}

`;

const { viewers } = audience('picture');

export const pictureRoutes = [
  route('GET /picture', {
    ...viewers,
    summary: 'Get the picture',
    description: 'Read the picture once; later changes follow on the stream, from exactly `seq + 1`.',
    query: worldQuery,
    answer: { text: 'the picture', data: pictureSchema, example: samplePicture },
    handler: ({ query, by }, { workspace, settings }) => {
      const picture = workspace.stream(query.world).snapshot();
      return jsonText(pictureText(hidesPilot(by, settings) ? pictureWithoutPilots(picture) : picture));
    },
  }),
  route('GET /stream', {
    ...viewers,
    summary: 'Stream changes of the picture as server-sent events',
    description:
      'The first event is `snapshot` with the whole picture, or `resume` if `last_event_id` is among the last 10 ' +
      '000 events and the client can lack no change before it. Then follows one event for each change, with `id: <epoch>:<seq>`, its kind, and `data: {seq, at, ' +
      'body}`. `stream/schema.json` describes the body of each kind. A client that does not read is disconnected. ' +
      'Every 2 s a `tick` without an id is sent: `data: {seq, at, box_at, trust}`. With a ticket ' +
      '(`auth/stream-ticket`) no other credential is needed.',
    query: streamQuery,
    ticket: true,
    answer: { text: 'events until the client disconnects', files: { 'text/event-stream': { example: streamExample } } },
    errors: ['rate_limited', 'unavailable'],
    handler: ({ query, by, ctx }, { hub, settings, access }) => {
      if (ctx.method === 'HEAD') return file('text/event-stream', '');
      const { world, last_event_id, profile } = query;
      const pilotsHidden = hidesPilot(by, settings);
      const hasUsers = access.users.areThere();
      hub.open(ctx.req, ctx.res, { world, profile, lastEventId: last_event_id ?? null, by, pilotsHidden, hasUsers });
      ctx.respond = false;
      return undefined;
    },
  }),
  route('GET /stream/schema.json', {
    ...viewers,
    summary: 'Get JSON Schemas of event bodies',
    answer: { text: 'a JSON Schema by kind', files: { 'application/json': { schema: { type: 'object' } } } },
    handler: (_call, { documents }) => file('application/json; charset=utf-8', documents.streamSchema()),
  }),
];
