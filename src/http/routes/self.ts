import { z } from 'zod';
import { unavailable } from '../../model/fault.ts';
import { healthSchema } from '../../model/health.ts';
import { modes } from '../../model/picture.ts';
import { namedObject, timestamp, uuid } from '../../model/scalar.ts';
import { docsAsset, docsPage, docsScript } from '../docs/page.ts';
import { rootPage, rootPagePolicy } from '../docs/root_page.ts';
import { requireFirst } from '../first_workspace.ts';
import { sampleBanner, sampleHealth } from '../openapi/samples.ts';
import { file } from '../own_answer.ts';
import { audience, route } from '../route.ts';
import { interfaceVersion } from '../version.ts';

const bannerSchema = namedObject('Banner', {
  name: z.string(),
  version: z.string(),
  interface_version: z.literal(interfaceVersion),
  started_at: timestamp,
  mode: z.enum(modes),
  node_id: uuid.describe('id of the first workspace at other systems; kept over restarts and backups'),
  healthy: z.boolean(),
});

const { viewers } = audience('service');

/** Routes below the mounts `/api` and `/v1`. */
export const selfRoutes = [
  route('GET /health', {
    ...viewers,
    summary: 'Get health of the service and its parts',
    answer: { text: 'every part that the main job needs is up', data: healthSchema, example: sampleHealth },
    errors: ['unavailable'],
    handler: (_call, { workspace }) => {
      const { healthy, parts } = workspace.health.get();
      if (healthy) return { healthy, parts };
      const down = parts
        .filter((part) => part.needed && part.state === 'down')
        .map(({ name, text }) => `${name} (${text})`);
      throw unavailable(`not healthy: ${down.join(', ') || 'no part says why'}`);
    },
  }),
  route('GET /openapi.json', {
    ...viewers,
    summary: 'Get this document',
    answer: { text: 'an OpenAPI 3.0.3 document', files: { 'application/json': { schema: { type: 'object' } } } },
    handler: (_call, { documents }) => file('application/json; charset=utf-8', documents.openapi()),
  }),
  route('GET /manifest.yaml', {
    ...viewers,
    summary: 'Get manifest: features and settings of this build',
    answer: { text: 'a YAML document', files: { 'application/yaml': {} } },
    handler: (_call, { documents }) => file('application/yaml; charset=utf-8', documents.manifest()),
  }),
];

const page = (path: `/docs${string}`, summary: string, type: string, text: () => string) =>
  route(`GET ${path}`, {
    ...viewers,
    summary,
    answer: { text: 'the file', files: { [type]: {} } },
    handler: () => file(`${type}; charset=utf-8`, text()),
  });

/** Routes at the root, outside the mounts. */
export const rootRoutes = [
  route('GET /', {
    ...viewers,
    summary: 'Get banner',
    description: 'A browser, whose `Accept` prefers `text/html`, gets a page instead.',
    answer: {
      ...{ text: 'the banner', data: bannerSchema, example: sampleBanner },
      files: { 'text/html': {} },
    },
    handler: ({ ctx }, { workspace: { about, playback, health, outlets } }) => {
      const { name, version, startedAt } = about;
      const state = { mode: playback.state().mode, healthy: health.get().healthy };
      ctx.vary('Accept');
      if (ctx.accepts('json', 'html') !== 'html')
        return {
          name,
          version,
          interface_version: interfaceVersion,
          started_at: startedAt,
          node_id: outlets.nodeId,
          ...state,
        };
      ctx.set('Content-Security-Policy', rootPagePolicy);
      return file('text/html; charset=utf-8', rootPage({ name, version, startedAt, ...state }));
    },
  }),
  route('GET /metrics', {
    ...viewers,
    summary: 'Get metrics in Prometheus text format',
    description: 'Metrics of the box and its first workspace; only members of that workspace may read them.',
    answer: { text: 'the metrics', files: { 'text/plain': {} } },
    handler: ({ by }, room) => {
      requireFirst(by, room, false, 'the metrics are about');
      return file('text/plain; version=0.0.4; charset=utf-8', room.metrics.text());
    },
  }),
  page('/docs', 'Show this document as a page', 'text/html', () => docsPage),
  page('/docs/docs.js', 'Get script of that page', 'text/javascript', () => docsScript),
  ...(['swagger-ui-bundle.js', 'swagger-ui.css'] as const).map((name) =>
    page(`/docs/${name}`, `Get ${name} of that page`, name.endsWith('.css') ? 'text/css' : 'text/javascript', () =>
      docsAsset(name),
    ),
  ),
];
