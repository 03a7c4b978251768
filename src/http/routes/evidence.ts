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
      '`id` is the id of the track. The archive contains a report for people (report.html, printable on A4), the ' +
      "track's points in three formats, and its last document. It contains detections, log rows and the policy in " +
      'force. It also contains raw frames if a recording ran, and a manifest of SHA-256 hashes. Its README explains ' +
      'how to check it without Dunlin. Each export is recorded in the audit log.',
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
