import { z } from 'zod';
import { decisionConfigBodySchema } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import { Fault } from '../../model/fault.ts';
import { timestamp, uuid } from '../../model/scalar.ts';
import { type Threat, threatSchema } from '../../model/threat.ts';
import { sampleThreat } from '../openapi/threat_samples.ts';
import { hidesPilot, threatWithoutPilot } from '../privacy.ts';
import { type Call, type Room, route } from '../route.ts';
import { firstRows, listQuery } from './paging.ts';
import { worldQuery } from './picture.ts';

/** A threat is found by its track. */
const trackParams = z.strictObject({ id: uuid.describe('of the track') });
const note = z.string().trim().min(1).max(500);
const acknowledgeBody = z.strictObject({ note: note.nullish() }).meta({ id: 'ThreatAcknowledge' });
const dismissBody = z
  .strictObject({
    reason: note,
    until: timestamp.nullish().describe('null: for as long as the track lives; a time that is over ends a dismissal'),
  })
  .meta({ id: 'ThreatDismiss' });
const previewBody = z
  .strictObject({ config: decisionConfigBodySchema, track_ids: z.array(uuid).max(10_000).optional() })
  .meta({ id: 'ThreatPreview' });

const one = { text: 'the threat', data: threatSchema, example: sampleThreat };
const many = { text: 'the threats, the greatest first', data: z.array(threatSchema), example: [sampleThreat] };

export const threatRoutes = [
  route({
    method: 'GET',
    path: '/threats',
    summary: 'The tracks that matter, the greatest threat first',
    description:
      'A track is here from one point on. The score is the sum of what its factors contribute, within 0 and 100; each factor ' +
      'says in a sentence what was found.',
    tag: 'threats',
    query: worldQuery.extend(listQuery.shape),
    answer: many,
    role: 'viewer',
    write: false,
    handler: (call, room) => {
      const threats = [...room.service.threats.list()].sort((a, b) => b.score - a.score);
      return firstRows(threats, call.query).map((threat) => shown(threat, call, room));
    },
  }),
  route({
    method: 'GET',
    path: '/threats/{id}',
    summary: 'The threat of one track',
    tag: 'threats',
    params: trackParams,
    answer: one,
    role: 'viewer',
    write: false,
    handler: (call, room) => {
      const { id } = call.params;
      const threat = room.service.threats.get(id);
      if (!threat) throw new Fault('not_found', `there is no threat of a track with the id ${id}`);
      return shown(threat, call, room);
    },
  }),
  route({
    method: 'POST',
    path: '/threats/{id}/acknowledge',
    summary: 'Say that a threat has been seen',
    tag: 'threats',
    params: trackParams,
    body: { schema: acknowledgeBody, example: { note: 'the police are told' } },
    answer: one,
    errors: ['unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, body, by }, { service }) => service.threats.acknowledge(params.id, body.note ?? null, by.actor),
  }),
  route({
    method: 'POST',
    path: '/threats/{id}/dismiss',
    summary: 'Say that a threat is none',
    description:
      'No rule raises an alert of it until then. Its score and level are told all the same, and where its level rises above ' +
      'the one at which it was dismissed, the dismissal is over. It is taken back by dismissing it until a time that is over.',
    tag: 'threats',
    params: trackParams,
    body: { schema: dismissBody, example: { reason: 'the roofer’s own drone', until: '2030-06-01T18:00:00Z' } },
    answer: one,
    errors: ['unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, body, by }, { service }) =>
      service.threats.dismiss(params.id, body.reason, body.until ?? null, by.actor),
  }),
  route({
    method: 'POST',
    path: '/threats/preview',
    summary: 'What tracks would score under another decision config',
    description:
      'Of the current picture: all its tracks, or those that are named. Nothing is saved. Levels are those ' +
      'that hold at once when it is.',
    tag: 'threats',
    body: { schema: previewBody, example: { config: defaultPolicy } },
    answer: many,
    errors: ['unavailable'],
    role: 'operator',
    write: false,
    handler: async (call, room) => {
      const { version: _version, updated_at: _at, updated_by: _by, ...policy } = call.body.config;
      const threats = await room.service.threats.preview(policy, call.body.track_ids ?? null);
      return [...threats].sort((a, b) => b.score - a.score).map((threat) => shown(threat, call, room));
    },
  }),
];

function shown(threat: Threat, { by }: Pick<Call<unknown, unknown, unknown>, 'by'>, { settings }: Room): Threat {
  return hidesPilot(by, settings) ? threatWithoutPilot(threat) : threat;
}
