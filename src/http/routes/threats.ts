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
const trackParams = z.strictObject({ id: uuid.describe('id of the track') });
const note = words(500);
const acknowledgeBody = namedObject('ThreatAcknowledge', { note: note.nullish() });
const dismissBody = namedObject('ThreatDismiss', {
  reason: note,
  until: timestamp.nullish().describe('null for the life of the track; a time in the past ends the dismissal'),
});
const previewBody = namedObject('ThreatPreview', {
  config: decisionConfigBodySchema,
  track_ids: z.array(uuid).max(10_000).optional(),
});

const one = { text: 'the threat', data: threatSchema, example: sampleThreat };
const many = listOf('the threats, highest score first', threatSchema, sampleThreat);

const { viewers, operators } = audience('threats');

export const threatRoutes = [
  route('GET /threats', {
    ...viewers,
    summary: 'List threats, highest score first',
    description:
      "A track with a score of at least one point is a threat. The score is the sum of its factors' contributions, " +
      'limited to 0 to 100. Each factor has a sentence with its finding.',
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
      'Until `until`, only the rules about vehicles of ours (`own_platform_close`, `crewed_aircraft_near`) raise alerts ' +
      'about the track. Without `until`, this holds for the life of the track. Its score and level are still ' +
      'published. If the level rises above that at the dismissal, the dismissal ends, and `dismissal_ended` shows ' +
      'this. With a time in the past, an earlier dismissal is withdrawn.',
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
      'Computes scores of the current picture: of all its tracks, or of those in `track_ids`. Nothing is saved. ' +
      'Levels are those that would apply at once after a save.',
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
