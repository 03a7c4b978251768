import { z } from 'zod';
import { policyOf } from '../../app/world_settings.ts';
import { decisionConfigBodySchema, decisionConfigSchema } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import { discoverySchema } from '../../model/link.ts';
import { count, namedObject } from '../../model/scalar.ts';
import { requireFirst } from '../first_workspace.ts';
import { sampleDecisionConfig, sampleDiscovery } from '../openapi/settings_samples.ts';
import { audience, route } from '../route.ts';

const config = { text: 'the decision config', data: decisionConfigSchema, example: sampleDecisionConfig };
const discovery = { text: 'the switch and every link under it', data: discoverySchema, example: sampleDiscovery };
const discoveryBody = namedObject('DiscoverySwitch', { enabled: z.boolean() });

const { viewers, owners } = audience('settings');

export const decisionRoutes = [
  route('GET /decision-config', {
    ...viewers,
    summary: 'Get decision config',
    description: 'The defaults, as version 0, where none was ever saved.',
    query: z.strictObject({
      version: count.optional().describe('as it was saved under this version; 0: the defaults'),
    }),
    answer: config,
    errors: ['not_found'],
    handler: ({ query }, { registry }) =>
      query.version === undefined ? registry.decision.get() : registry.decision.version(query.version),
  }),
  route('PUT /decision-config', {
    ...owners,
    summary: 'Save decision config',
    description:
      "Every field is said. It holds at once, for tracks that live too; every version that was saved is kept. version, updated_at and updated_by are the service's own and ignored.",
    body: { schema: decisionConfigBodySchema, example: defaultPolicy },
    answer: config,
    errors: ['unavailable'],
    handler: ({ body, by }, { registry }) => registry.decision.save(policyOf(body), by.actor),
  }),
  route('GET /discovery', {
    ...viewers,
    summary: 'Get discovery settings',
    answer: discovery,
    handler: (_call, { registry }) => registry.discovery.view(),
  }),
  route('PUT /discovery', {
    ...owners,
    summary: 'Switch discovery of the box',
    description:
      'No policy of a link is rewritten: turned on again, each holds what it held. Only an owner of the first workspace may.',
    body: { schema: discoveryBody, example: { enabled: true } },
    answer: discovery,
    errors: ['unavailable'],
    handler: ({ body, by }, room) => {
      requireFirst(by, room, true, 'the discovery switch is of');
      return room.registry.discovery.set(body.enabled, by.actor);
    },
  }),
];
