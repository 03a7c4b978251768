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
      'Actions of people (audit rows with author, values before and after, and a hash that chains them) and other ' +
      'events, in one order. Rows about the whole box are shown only to owners of its first workspace.',
    query: pageQuery.extend({
      since_seq: count.optional().describe('only rows with a higher number'),
      kind: z.enum(logKinds).optional().describe('only rows of this kind, for example track.new'),
      subject: textUpTo(120).optional().describe('only rows about the object with this id'),
      severity: z.enum(severities).optional().describe('only rows of at least this severity'),
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
