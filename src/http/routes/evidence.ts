import { fullReader } from '../../model/actor.ts';
import { fileInPieces } from '../own_answer.ts';
import { route } from '../route.ts';

const zip = 'application/zip';

export const evidenceRoutes = [
  route('GET /evidence/{id}', {
    tag: 'log',
    role: fullReader,
    summary: 'Download evidence of a track, as a zip',
    description:
      "`id` is the track's. A report for people (report.html, prints on A4), its points in three formats, last document, " +
      'detections, log rows, the policy in force, raw frames where a recording was made meanwhile, and a manifest of ' +
      'SHA-256 hashes; the README in it says how to check it without Dunlin. The export is an audit row.',
    answer: { text: 'the archive', files: { [zip]: { schema: { type: 'string', format: 'binary' } } } },
    errors: ['rate_limited', 'unavailable'],
    // The archive contains pilots' positions, and its export needs an audit row.
    inRecovery: false,
    handler: async ({ params, by, ctx }, { shown }) => {
      if (ctx.method === 'HEAD') {
        await shown.tracks.requireKnown(params.id);
        return fileInPieces(zip, 'evidence.zip', nothing());
      }
      const { fileName, content } = await shown.evidence.archive(params.id, by.actor);
      return fileInPieces(zip, fileName, content);
    },
  }),
];

async function* nothing(): AsyncGenerator<Buffer> {}
