import { z } from 'zod';
import { decisionConfigBodySchema, decisionConfigSchema } from '../../model/decision_config.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import { discoverySchema } from '../../model/link.ts';
import { requireFirst } from '../first_workspace.ts';
import { sampleDecisionConfig, sampleDiscovery } from '../openapi/settings_samples.ts';
import { route } from '../route.ts';

const config = { text: 'the decision config', data: decisionConfigSchema, example: sampleDecisionConfig };
const discovery = { text: 'the switch and every link under it', data: discoverySchema, example: sampleDiscovery };
const discoveryBody = z.strictObject({ enabled: z.boolean() }).meta({ id: 'DiscoverySwitch' });

export const decisionRoutes = [
  route({
    method: 'GET',
    path: '/decision-config',
    summary: 'What the workspace scores, alerts and plans by',
    description: 'The defaults, as version 0, where none was ever saved.',
    tag: 'settings',
    query: z.strictObject({
      version: z.int().min(0).optional().meta({ description: 'as it was saved under this version; 0: the defaults' }),
    }),
    answer: config,
    errors: ['not_found'],
    role: 'viewer',
    write: false,
    handler: ({ query }, { registry }) =>
      query.version === undefined ? registry.decision.get() : registry.decision.version(query.version),
  }),
  route({
    method: 'PUT',
    path: '/decision-config',
    summary: 'Save another decision config',
    description:
      "Every field is said. It holds at once, for tracks that live too; every version that was saved is kept. version, updated_at and updated_by are the service's own and ignored.",
    tag: 'settings',
    body: { schema: decisionConfigBodySchema, example: defaultPolicy },
    answer: config,
    errors: ['unavailable'],
    role: 'owner',
    write: true,
    handler: ({ body, by }, { registry }) => {
      const { version: _version, updated_at: _at, updated_by: _by, ...policy } = body;
      return registry.decision.save(policy, by.actor);
    },
  }),
  route({
    method: 'GET',
    path: '/discovery',
    summary: 'Whether vehicles are looked for, and on which links',
    tag: 'settings',
    answer: discovery,
    role: 'viewer',
    write: false,
    handler: (_call, { registry }) => registry.discovery.view(),
  }),
  route({
    method: 'PUT',
    path: '/discovery',
    summary: 'Turn discovery on or off for the whole box',
    description:
      'No policy of a link is rewritten: turned on again, each holds what it held. Only an owner of the first workspace may.',
    tag: 'settings',
    body: { schema: discoveryBody, example: { enabled: true } },
    answer: discovery,
    errors: ['unavailable'],
    role: 'owner',
    write: true,
    handler: ({ body, by }, room) => {
      requireFirst(by, room, true, 'the discovery switch is of');
      return room.registry.discovery.set(body.enabled, by.actor);
    },
  }),
];
