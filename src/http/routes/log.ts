import { z } from 'zod';
import { logEventSchema, severities } from '../../model/event.ts';
import { count } from '../../model/scalar.ts';
import { sampleLogEvent } from '../openapi/samples.ts';
import { route } from '../route.ts';
import { answerPage, pageQuery, readPage } from './paging.ts';

export const logRoutes = [
  route({
    method: 'GET',
    path: '/events',
    summary: 'The event log',
    tag: 'log',
    query: pageQuery.extend({
      since_seq: count.optional().meta({ description: 'after this number' }),
      kind: z.string().min(1).max(120).optional().meta({ description: 'of this dotted kind alone: track.new' }),
      subject: z.string().min(1).max(120).optional().meta({ description: 'about the thing with this id' }),
      severity: z.enum(severities).optional().meta({ description: 'of this severity and above' }),
    }),
    answer: { text: 'the rows, oldest first', data: z.array(logEventSchema), example: [sampleLogEvent], paged: true },
    role: 'viewer',
    write: false,
    handler: async ({ query, ctx }, { service }) => {
      const { since_seq, kind, subject, severity, ...page } = query;
      const asked = {
        ...readPage(page),
        sinceSeq: since_seq ?? null,
        kind: kind ?? null,
        subject: subject ?? null,
        severity: severity ?? null,
      };
      return answerPage(ctx, await service.events(asked));
    },
  }),
];
