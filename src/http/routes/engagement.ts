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
      'Plans are made at every autonomy level, if the doctrine offers a response. They replace plans that nobody ' +
      'has answered.',
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
      'Approves exactly the plan with this hash. The answer is 409, with the reason, if the plan expired or is no ' +
      'candidate, or if track, affiliation, vehicles or config changed. If two people must approve, the plan starts ' +
      'with the second approval. Everything is checked again before each vehicle is commanded. An API key may never ' +
      'approve. Without a sign-in, `operator` and `reason` are required.',
    body: { schema: approveSchema, example: sampleApproval },
    answer: one,
    errors: ['not_found', 'conflict', 'not_built', 'unavailable'],
    handler: ({ body, by }, { shown: { engagements } }) => engagements.approve(body, deciderOf(by)),
  }),
  route('POST /engagement/stop_all', {
    ...operators,
    summary: 'Stop all: cancel engagements and hold every vehicle',
    description:
      'Acts in the live world, even if another world is shown, and in the simulated world if it is shown. ' +
      'Afterwards nothing starts by itself until a person confirms the autonomy again.',
    whateverIsShown: true,
    body: { schema: decideSchema, example: { reason: 'a helicopter comes in' } },
    answer: {
      text: 'the cancelled engagements and tasks, and the vehicles',
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
      'The confirmed autonomy is limited by the decision config and the doctrine. After each start of the service, ' +
      'nothing starts by itself until a signed-in person confirms the autonomy.',
    body: { schema: confirmAutonomySchema, example: { confirm: 'advise', reason: 'the shift begins' } },
    answer: {
      text: 'the autonomy now in force',
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
    'The engagement is proposed again only if the threat level rises, the affiliation changes, or a person asks.',
  ),
  decision('cancel', 'Cancel an approved engagement', 'Its running tasks are cancelled: the vehicles hold.'),
];
