import { z } from 'zod';
import { policyOf } from '../../app/world_settings.ts';
import { fullReader } from '../../model/actor.ts';
import { decisionConfigBodySchema } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import { namedObject, timestamp, uuid, words } from '../../model/scalar.ts';
import { type Threat, threatSchema } from '../../model/threat.ts';
import { sampleThreat } from '../openapi/threat_samples.ts';
import { hidesPilot, threatWithoutPilot } from '../privacy.ts';
import { audience, type Call, type Room, route } from '../route.ts';
import { found, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';
import { worldQuery } from './picture.ts';

/** Path parameters; the id of a threat is the id of its track. */
const trackParams = z.strictObject({ id: uuid.describe('of the track') });
const note = words(500);
const acknowledgeBody = namedObject('ThreatAcknowledge', { note: note.nullish() });
const dismissBody = namedObject('ThreatDismiss', {
  reason: note,
  until: timestamp.nullish().describe('null: for as long as the track lives; a time that is over ends a dismissal'),
});
const previewBody = namedObject('ThreatPreview', {
  config: decisionConfigBodySchema,
  track_ids: z.array(uuid).max(10_000).optional(),
});

const one = { text: 'the threat', data: threatSchema, example: sampleThreat };
const many = listOf('the threats, the greatest first', threatSchema, sampleThreat);

const { viewers, operators } = audience('threats');

export const threatRoutes = [
  route('GET /threats', {
    ...viewers,
    summary: 'List threats, highest score first',
    description:
      'A track is here from one point on. The score is the sum of what its factors contribute, within 0 and 100; each factor ' +
      'says in a sentence what was found.',
    query: worldQuery.extend(listQuery.shape),
    answer: many,
    handler: (call, room) => {
      const threats = room.shown.threats.list().toSorted(greatestFirst);
      return firstRows(threats, call.query).map((threat) => visibleTo(threat, call, room));
    },
  }),
  route('GET /threats/{id}', {
    ...viewers,
    summary: 'Get threat of a track',
    params: trackParams,
    answer: one,
    handler: (call, room) => {
      const { id } = call.params;
      return visibleTo(found(room.shown.threats.get(id), 'threat of a track', id), call, room);
    },
  }),
  route('POST /threats/{id}/acknowledge', {
    ...operators,
    summary: 'Acknowledge threat',
    params: trackParams,
    body: { schema: acknowledgeBody, example: { note: 'the police are told' } },
    answer: one,
    errors: ['unavailable'],
    handler: ({ params, body, by }, { shown: { threats } }) =>
      threats.acknowledge(params.id, body.note ?? null, by.actor),
  }),
  route('POST /threats/{id}/dismiss', {
    ...operators,
    summary: 'Dismiss threat',
    description:
      'No rule raises an alert about it until then. Its score and level are still published, and when its level rises above ' +
      'the one at which it was dismissed, the dismissal ends, and dismissal_ended says so. A dismissal until a time in the past takes it back.',
    params: trackParams,
    body: { schema: dismissBody, example: { reason: 'the roofer’s own drone', until: '2030-06-01T18:00:00Z' } },
    answer: one,
    errors: ['unavailable'],
    handler: ({ params, body, by }, { shown: { threats } }) =>
      threats.dismiss(params.id, body.reason, body.until ?? null, by.actor),
  }),
  route('POST /threats/preview', {
    ...viewers,
    role: fullReader,
    summary: 'Preview scores under another decision config',
    description:
      'Of the current picture: all its tracks, or those that are named. Nothing is saved. Levels are those ' +
      'that hold at once when it is.',
    body: { schema: previewBody, example: { config: defaultPolicy } },
    answer: many,
    errors: ['unavailable'],
    write: false,
    handler: async (call, room) => {
      const threats = await room.shown.threats.preview(policyOf(call.body.config), call.body.track_ids ?? null);
      return threats.toSorted(greatestFirst).map((threat) => visibleTo(threat, call, room));
    },
  }),
];

const greatestFirst = (a: Threat, b: Threat): number => b.score - a.score;

function visibleTo(threat: Threat, { by }: Pick<Call<unknown, unknown, unknown>, 'by'>, { settings }: Room): Threat {
  return hidesPilot(by, settings) ? threatWithoutPilot(threat) : threat;
}
