import { z } from 'zod';
import { acknowledgeSchema, alertSchema, alertStates } from '../../model/alert.ts';
import { alertSeverities } from '../../model/zone.ts';
import { sampleAlert } from '../openapi/alert_samples.ts';
import { audience, route } from '../route.ts';
import { pageOf } from './answers.ts';
import { answerPage, pageQuery, readPage } from './paging.ts';

const { viewers, operators } = audience('alerts');

const answer = { text: 'the alert', data: alertSchema, example: sampleAlert };

export const alertRoutes = [
  route('GET /alerts', {
    ...viewers,
    summary: 'List alerts, settled ones included',
    description: 'The newest first, by when they were raised. What the picture shows is all that has no `settled_at`.',
    query: pageQuery.extend({
      state: z.enum(alertStates).optional().describe('in this state alone'),
      severity: z.enum(alertSeverities).optional().describe('of this severity and above'),
    }),
    answer: pageOf('the alerts, newest first', alertSchema, sampleAlert),
    handler: ({ query, ctx }, { shown: { alerts } }) => {
      const { state = null, severity = null, ...page } = query;
      return answerPage(ctx, alerts.list({ ...readPage(page), state, severity }));
    },
  }),
  route('GET /alerts/{id}', {
    ...viewers,
    summary: 'Get alert',
    answer,
    handler: ({ params }, { shown: { alerts } }) => alerts.get(params.id),
  }),
  route('POST /alerts/{id}/acknowledge', {
    ...operators,
    summary: 'Acknowledge alert',
    description:
      'It sounds again only when it gets worse. A second acknowledgement changes nothing; the first person stays ' +
      'recorded. An alert that is over leaves the picture.',
    body: { schema: acknowledgeSchema, example: { note: 'patrol two looks' } },
    answer,
    errors: ['unavailable'],
    inRecovery: true,
    handler: ({ params, body, by }, { shown: { alerts } }) =>
      alerts.acknowledge(params.id, body.note ?? null, by.actor),
  }),
];
