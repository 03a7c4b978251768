import { z } from 'zod';
import { acknowledgeSchema, alertSchema, alertStates } from '../../model/alert.ts';
import { alertSeverities } from '../../model/zone.ts';
import { sampleAlert } from '../openapi/alert_samples.ts';
import { idParams, route } from '../route.ts';
import { answerPage, pageQuery, readPage } from './paging.ts';

export const alertRoutes = [
  route({
    method: 'GET',
    path: '/alerts',
    summary: 'Alerts, those that are long over among them',
    description: 'The newest first, by when they were raised. What the picture shows is all that has no `settled_at`.',
    tag: 'alerts',
    query: pageQuery.extend({
      state: z.enum(alertStates).optional().meta({ description: 'in this state alone' }),
      severity: z.enum(alertSeverities).optional().meta({ description: 'of this severity and above' }),
    }),
    answer: { text: 'the alerts, newest first', data: z.array(alertSchema), example: [sampleAlert], paged: true },
    role: 'viewer',
    write: false,
    handler: ({ query, ctx }, { alerts }) => {
      const { state = null, severity = null, ...page } = query;
      return answerPage(ctx, alerts.list({ ...readPage(page), state, severity }));
    },
  }),
  route({
    method: 'GET',
    path: '/alerts/{id}',
    summary: 'One alert',
    tag: 'alerts',
    params: idParams,
    answer: { text: 'the alert', data: alertSchema, example: sampleAlert },
    role: 'viewer',
    write: false,
    handler: ({ params }, { alerts }) => alerts.get(params.id),
  }),
  route({
    method: 'POST',
    path: '/alerts/{id}/acknowledge',
    summary: 'Say that somebody has seen an alert',
    description:
      'It sounds again only when it gets worse. A second time changes nothing; the first who has seen it stays the one ' +
      'who is told of. One that is over leaves the picture.',
    tag: 'alerts',
    params: idParams,
    body: { schema: acknowledgeSchema, example: { note: 'patrol two looks' } },
    answer: { text: 'the alert', data: alertSchema, example: sampleAlert },
    errors: ['unavailable'],
    role: 'operator',
    write: true,
    inRecovery: true,
    handler: ({ params, body, by }, { alerts }) => alerts.acknowledge(params.id, body.note ?? null, by.actor),
  }),
];
