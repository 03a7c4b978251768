import type { Principal } from '../../access/principal.ts';
import type { Decider } from '../../command/engagement/rim.ts';
import {
  approveSchema,
  autonomyViewSchema,
  confirmAutonomySchema,
  decideSchema,
  engagementSchema,
  engagementViewSchema,
  proposeSchema,
  stopAllSchema,
} from '../../model/engagement.ts';
import {
  sampleApproval,
  sampleEngagement,
  sampleEngagementView,
  sampleVehicleId,
} from '../openapi/engagement_samples.ts';
import { idParams, route } from '../route.ts';

const one = { text: 'the engagement', data: engagementSchema, example: sampleEngagement };

function deciderOf({ actor, role, userId, key }: Principal): Decider {
  return { actor, role, userId, isKey: key !== null };
}

/** What a person says to a proposal besides yes. */
function decision(what: 'reject' | 'cancel', summary: string, description: string) {
  return route({
    method: 'POST',
    path: `/engagement/{id}/${what}`,
    summary,
    description,
    tag: 'engagement',
    params: idParams,
    body: { schema: decideSchema, example: { reason: 'the farmer’s own drone' } },
    answer: one,
    errors: ['conflict', 'not_built', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, body, by }, { engagements }) => engagements[what](params.id, body, deciderOf(by)),
  });
}

export const engagementRoutes = [
  route({
    method: 'GET',
    path: '/engagement',
    summary: 'What may be done about tracks, what was agreed to, and what became of it',
    description: 'Those that are open, and behind them those that ended within the last hour, the newest first.',
    tag: 'engagement',
    answer: { text: 'the engagements', data: engagementViewSchema, example: sampleEngagementView },
    role: 'viewer',
    write: false,
    handler: (_call, { engagements }) => engagements.view(),
  }),
  route({
    method: 'GET',
    path: '/engagement/{id}',
    summary: 'One engagement',
    tag: 'engagement',
    params: idParams,
    answer: one,
    role: 'viewer',
    write: false,
    handler: ({ params }, { engagements }) => engagements.get(params.id),
  }),
  route({
    method: 'POST',
    path: '/engagement/propose',
    summary: 'Ask what may be done about a track',
    description:
      'Plans are made whatever autonomy says; the doctrine must offer something about it. They take the place of those that nobody answered yet.',
    tag: 'engagement',
    body: { schema: proposeSchema, example: { track_id: sampleEngagement.track_id } },
    answer: one,
    errors: ['not_found', 'conflict', 'not_built', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ body, by }, { engagements }) => engagements.propose(body.track_id, body.reason ?? null, deciderOf(by)),
  }),
  route({
    method: 'POST',
    path: '/engagement/task',
    summary: 'Approve a plan and begin it',
    description:
      'For the plan of this hash and no other: one that expired, is not among the candidates, or whose track, affiliation, vehicles ' +
      'or config are others by now is 409 saying which. Where two people must agree it begins when the second does. Everything is ' +
      'checked again before each vehicle is told. A key never approves; where nobody signed in, `operator` and `reason` are needed.',
    tag: 'engagement',
    body: { schema: approveSchema, example: sampleApproval },
    answer: one,
    errors: ['not_found', 'conflict', 'not_built', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ body, by }, { engagements }) => engagements.approve(body, deciderOf(by)),
  }),
  route({
    method: 'POST',
    path: '/engagement/stop_all',
    summary: 'Cancel everything and hold every platform',
    description:
      'In the live world, whichever is shown, and in the simulated one where that is. Nothing starts by itself until somebody confirms it anew.',
    whateverIsShown: true,
    tag: 'engagement',
    body: { schema: decideSchema, example: { reason: 'a helicopter comes in' } },
    answer: {
      text: 'what was stopped',
      data: stopAllSchema,
      example: { engagements: 1, tasks: 1, platforms: [{ asset_id: sampleVehicleId, held: true, text: null }] },
    },
    errors: ['not_built', 'unavailable'],
    role: 'operator',
    write: true,
    inRecovery: true,
    handler: ({ body, by }, { stopAll }) => stopAll(body, deciderOf(by)),
  }),
  route({
    method: 'POST',
    path: '/engagement/autonomy',
    summary: 'Confirm how much may start by itself',
    description:
      'Within what the decision config and the doctrine allow. After each start nothing starts by itself until somebody who signed in confirms it.',
    tag: 'engagement',
    body: { schema: confirmAutonomySchema, example: { confirm: 'advise', reason: 'the shift begins' } },
    answer: {
      text: 'what holds now',
      data: autonomyViewSchema,
      example: { autonomy: 'observe_auto', autonomy_effective: 'advise' },
    },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    session: true,
    handler: ({ body, by }, { engagements }) => engagements.confirmAutonomy(body.confirm, body.reason, deciderOf(by)),
  }),
  decision(
    'reject',
    'Say no to what is proposed',
    'It is not proposed again until the track matters more, is held for somebody else, or a person asks.',
  ),
  decision('cancel', 'Take back what was approved', 'What of it runs is cancelled: its vehicles hold.'),
];
