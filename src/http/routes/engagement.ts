import type { Principal } from '../../access/principal.ts';
import type { Decider } from '../../engagement/deps.ts';
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
import { audience, route } from '../route.ts';

const { viewers, operators } = audience('engagement');
const one = { text: 'the engagement', data: engagementSchema, example: sampleEngagement };

function deciderOf({ actor, role, userId, key }: Principal): Decider {
  return { actor, role, userId, isKey: key !== null };
}

/** Declares the routes that reject and cancel an engagement. */
function decision(what: 'reject' | 'cancel', summary: string, description: string) {
  return route(`POST /engagement/{id}/${what}`, {
    ...operators,
    summary,
    description,
    body: { schema: decideSchema, example: { reason: 'the farmer’s own drone' } },
    answer: one,
    errors: ['conflict', 'not_built', 'unavailable'],
    handler: ({ params, body, by }, { shown: { engagements } }) => engagements[what](params.id, body, deciderOf(by)),
  });
}

export const engagementRoutes = [
  route('GET /engagement', {
    ...viewers,
    summary: 'List engagements',
    description: 'Open engagements, then those that ended within the last hour, the newest first.',
    answer: { text: 'the engagements', data: engagementViewSchema, example: sampleEngagementView },
    handler: (_call, { shown: { engagements } }) => engagements.view(),
  }),
  route('GET /engagement/{id}', {
    ...viewers,
    summary: 'Get engagement',
    answer: one,
    handler: ({ params }, { shown: { engagements } }) => engagements.get(params.id),
  }),
  route('POST /engagement/propose', {
    ...operators,
    summary: 'Propose engagement of a track',
    description:
      'Plans are made whatever autonomy says; the doctrine must offer something about it. They take the place of those that nobody answered yet.',
    body: { schema: proposeSchema, example: { track_id: sampleEngagement.track_id } },
    answer: one,
    errors: ['not_found', 'conflict', 'not_built', 'unavailable'],
    handler: ({ body, by }, { shown: { engagements } }) =>
      engagements.propose(body.track_id, body.reason ?? null, deciderOf(by)),
  }),
  route('POST /engagement/task', {
    ...operators,
    summary: 'Approve and start a plan',
    description:
      'For the plan of this hash and no other: one that expired, is not among the candidates, or whose track, affiliation, vehicles ' +
      'or config are others by now is 409 saying which. Where two people must agree it begins when the second does. Everything is ' +
      'checked again before each vehicle is commanded. A key never approves; where nobody signed in, `operator` and `reason` are needed.',
    body: { schema: approveSchema, example: sampleApproval },
    answer: one,
    errors: ['not_found', 'conflict', 'not_built', 'unavailable'],
    handler: ({ body, by }, { shown: { engagements } }) => engagements.approve(body, deciderOf(by)),
  }),
  route('POST /engagement/stop_all', {
    ...operators,
    summary: 'Stop all: cancel engagements and hold every vehicle',
    description:
      'In the live world, whichever is shown, and in the simulated one where that is. Nothing starts by itself until somebody confirms it anew.',
    whateverIsShown: true,
    body: { schema: decideSchema, example: { reason: 'a helicopter comes in' } },
    answer: {
      text: 'what was stopped',
      data: stopAllSchema,
      example: { engagements: 1, tasks: 1, platforms: [{ asset_id: sampleVehicleId, held: true, text: null }] },
    },
    errors: ['not_built', 'unavailable'],
    inRecovery: true,
    handler: ({ body, by }, { workspace }) => workspace.stopAll(body, deciderOf(by)),
  }),
  route('POST /engagement/autonomy', {
    ...operators,
    summary: 'Confirm autonomy',
    description:
      'Within what the decision config and the doctrine allow. After each start nothing starts by itself until somebody who signed in confirms it.',
    body: { schema: confirmAutonomySchema, example: { confirm: 'advise', reason: 'the shift begins' } },
    answer: {
      text: 'what holds now',
      data: autonomyViewSchema,
      example: { autonomy: 'observe_auto', autonomy_effective: 'advise' },
    },
    session: true,
    handler: ({ body, by }, { shown: { engagements } }) =>
      engagements.confirmAutonomy(body.confirm, body.reason, deciderOf(by)),
  }),
  decision(
    'reject',
    'Reject a proposed engagement',
    'It is not proposed again until the track matters more, is held for somebody else, or a person asks.',
  ),
  decision('cancel', 'Cancel an approved engagement', 'Its running tasks are cancelled: the vehicles hold.'),
];
