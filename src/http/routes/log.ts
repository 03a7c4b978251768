import { z } from 'zod';
import { logEventSchema, severities } from '../../model/event.ts';
import { logKinds } from '../../model/log_kind.ts';
import { count, textUpTo, uuid } from '../../model/scalar.ts';
import { sampleLogEvent } from '../openapi/samples.ts';
import { audience, route } from '../route.ts';
import { pageOf } from './answers.ts';
import { answerPage, pageQuery, readPage } from './paging.ts';

const { viewers } = audience('log');

export const logRoutes = [
  route('GET /events', {
    ...viewers,
    summary: 'List log events',
    description:
      'What people did (audit rows: who, before, after, and a hash that chains them) and what happened by itself, in one ' +
      'order. What concerns the whole box is shown to owners of its first workspace.',
    query: pageQuery.extend({
      since_seq: count.optional().describe('after this number'),
      kind: z.enum(logKinds).optional().describe('of this dotted kind alone: track.new'),
      subject: textUpTo(120).optional().describe('about the thing with this id'),
      severity: z.enum(severities).optional().describe('of this severity and above'),
    }),
    answer: pageOf('the rows, newest first', logEventSchema, sampleLogEvent),
    errors: ['rate_limited', 'unavailable'],
    handler: async ({ query, ctx, by }, { shown }) => {
      const { since_seq, kind, subject, severity, ...page } = query;
      const asked = {
        ...readPage(page),
        sinceSeq: since_seq ?? null,
        kind: kind ?? null,
        subject: uuid.safeParse(subject).data ?? subject ?? null,
        severity: severity ?? null,
        ofBox: by.role === 'owner',
      };
      return answerPage(ctx, await shown.events.list(asked));
    },
  }),
];
