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
    description:
      'Newest first, by the time at which they were raised. The picture shows all alerts without `settled_at`.',
    query: pageQuery.extend({
      state: z.enum(alertStates).optional().describe('only alerts in this state'),
      severity: z.enum(alertSeverities).optional().describe('only alerts of at least this severity'),
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
      'The alert sounds again when its severity rises or more aircraft join it, which ends the acknowledgement. A ' +
      'second acknowledgement changes nothing; the first ' +
      'person remains recorded. A cleared alert leaves the picture when it is acknowledged.',
    body: { schema: acknowledgeSchema, example: { note: 'patrol two looks' } },
    answer,
    errors: ['unavailable'],
    inRecovery: true,
    handler: ({ params, body, by }, { shown: { alerts } }) =>
      alerts.acknowledge(params.id, body.note ?? null, by.actor),
  }),
];
