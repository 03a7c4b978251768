import { z } from 'zod';
import { Fault } from '../../model/fault.ts';
import { modes } from '../../model/picture.ts';
import { timestamp } from '../../model/scalar.ts';
import { docsPage } from '../docs/page.ts';
import { docsScript } from '../docs/script.ts';
import { docsStyle } from '../docs/style.ts';
import { requireFirst } from '../first_workspace.ts';
import { sampleBanner, sampleHealth } from '../openapi/samples.ts';
import { FileAnswer, route } from '../route.ts';
import { interfaceVersion } from '../version.ts';

const healthSchema = z
  .strictObject({
    healthy: z.boolean(),
    parts: z.array(
      z.strictObject({
        name: z.string(),
        state: z.enum(['up', 'degraded', 'down']),
        needed: z.boolean().describe('the service as a whole is not healthy while this part is down'),
        text: z.string(),
      }),
    ),
  })
  .meta({ id: 'Health' });

const bannerSchema = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    interface_version: z.literal(interfaceVersion),
    started_at: timestamp,
    mode: z.enum(modes),
    healthy: z.boolean(),
  })
  .meta({ id: 'Banner' });

/** Those below the mounts. */
export const selfRoutes = [
  route({
    method: 'GET',
    path: '/health',
    summary: 'Whether the service does its job, part by part',
    tag: 'service',
    answer: { text: 'every part that the main job needs is up', data: healthSchema, example: sampleHealth },
    errors: ['unavailable'],
    role: 'viewer',
    write: false,
    handler: (_call, { service }) => {
      const { ok, parts } = service.health();
      if (ok) return { healthy: true, parts };
      const down = parts
        .filter((part) => part.needed && part.state === 'down')
        .map(({ name, text }) => `${name} (${text})`);
      throw new Fault('unavailable', `not healthy: ${down.join(', ') || 'no part says why'}`);
    },
  }),
  route({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document',
    tag: 'service',
    answer: { text: 'an OpenAPI 3.0.3 document', files: { 'application/json': { schema: { type: 'object' } } } },
    role: 'viewer',
    write: false,
    handler: (_call, { documents }) => new FileAnswer('application/json; charset=utf-8', documents.openapi()),
  }),
  route({
    method: 'GET',
    path: '/manifest.yaml',
    summary: 'What this build can do and how it is set',
    tag: 'service',
    answer: { text: 'a YAML document', files: { 'application/yaml': {} } },
    role: 'viewer',
    write: false,
    handler: (_call, { documents }) => new FileAnswer('application/yaml; charset=utf-8', documents.manifest()),
  }),
];

const file = (path: string, summary: string, type: string, text: string) =>
  route({
    method: 'GET',
    path,
    summary,
    tag: 'service',
    answer: { text: 'the file', files: { [type]: {} } },
    role: 'viewer',
    write: false,
    handler: () => new FileAnswer(`${type}; charset=utf-8`, text),
  });

/** Those that stand by themselves. */
export const rootRoutes = [
  route({
    method: 'GET',
    path: '/',
    summary: 'The server is up',
    tag: 'service',
    answer: { text: 'the banner', data: bannerSchema, example: sampleBanner },
    role: 'viewer',
    write: false,
    handler: (_call, { service }) => ({
      name: service.about.name,
      version: service.about.version,
      interface_version: interfaceVersion,
      started_at: service.about.startedAt,
      mode: service.sim().mode,
      healthy: service.health().ok,
    }),
  }),
  route({
    method: 'GET',
    path: '/metrics',
    summary: 'Counters and gauges in the text form of Prometheus',
    description: 'Of the box and its first workspace, and so for those who are of that one.',
    tag: 'service',
    answer: { text: 'the metrics', files: { 'text/plain': {} } },
    role: 'viewer',
    write: false,
    handler: ({ by }, room) => {
      requireFirst(by, room, false, 'the metrics tell of');
      return new FileAnswer('text/plain; version=0.0.4; charset=utf-8', room.service.metricsText());
    },
  }),
  file('/docs', 'A page that shows this document', 'text/html', docsPage),
  file('/docs/docs.js', "The page's script", 'text/javascript', docsScript),
  file('/docs/docs.css', "The page's style", 'text/css', docsStyle),
];
