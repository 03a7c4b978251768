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
const discovery = {
  text: 'the switch, and the resulting policy of each link',
  data: discoverySchema,
  example: sampleDiscovery,
};
const discoveryBody = namedObject('DiscoverySwitch', { enabled: z.boolean() });

const { viewers, owners } = audience('settings');

export const decisionRoutes = [
  route('GET /decision-config', {
    ...viewers,
    summary: 'Get decision config',
    description: 'Without a saved config, these are the defaults as version 0.',
    query: z.strictObject({
      version: count.optional().describe('saved version to return; 0 for the defaults'),
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
      'All fields are required. The config applies at once, also to existing tracks; every saved version is kept. ' +
      '`version`, `updated_at` and `updated_by` are set by the service, and ignored in the request.',
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
      'The switch does not change the policies of links: they apply again when discovery is on. Only owners of the ' +
      'first workspace may use this route.',
    body: { schema: discoveryBody, example: { enabled: true } },
    answer: discovery,
    errors: ['unavailable'],
    handler: ({ body, by }, room) => {
      requireFirst(by, room, true, 'the discovery switch belongs to');
      return room.registry.discovery.set(body.enabled, by.actor);
    },
  }),
];
