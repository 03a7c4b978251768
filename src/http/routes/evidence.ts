import { requireKnownTrack } from '../known_track.ts';
import { idParams, route, StreamAnswer } from '../route.ts';

const zip = 'application/zip';

export const evidenceRoutes = [
  route({
    method: 'GET',
    path: '/evidence/{id}',
    summary: 'Everything that is kept of a track, as a zip',
    description:
      "`id` is the track's. Its points in three formats, last document, detections, log rows, the policy in force, and a " +
      'manifest of SHA-256 hashes; the README in it says how to check it without Dunlin. The export is an audit row. Raw ' +
      'frames are not recorded yet.',
    tag: 'log',
    params: idParams,
    answer: { text: 'the archive', files: { [zip]: { schema: { type: 'string', format: 'binary' } } } },
    errors: ['rate_limited', 'unavailable'],
    role: 'operator',
    write: false,
    // It carries pilots, and is an audit row.
    inRecovery: false,
    handler: async ({ params, by, ctx }, { service }) => {
      if (ctx.method === 'HEAD') {
        await requireKnownTrack(service, params.id);
        return new StreamAnswer(zip, 'evidence.zip', nothing());
      }
      const { fileName, content } = await service.evidence(params.id, by.actor);
      return new StreamAnswer(zip, fileName, content);
    },
  }),
];

async function* nothing(): AsyncGenerator<Buffer> {}
