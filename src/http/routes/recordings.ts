import { z } from 'zod';
import { policyOf } from '../../app/world_settings.ts';
import { fullReader } from '../../model/actor.ts';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import { recordingSchema, recordingSpecSchema } from '../../model/recording.ts';
import { uuid } from '../../model/scalar.ts';
import { whatIfAskSchema, whatIfSchema } from '../../model/what_if.ts';
import { whileAwaited } from '../awaited.ts';
import { sampleRecording, sampleWhatIf } from '../openapi/recording_samples.ts';
import { fileInPieces } from '../own_answer.ts';
import { audience, route } from '../route.ts';
import { deleted, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const { viewers, operators, owners } = audience('recordings');
const answer = { text: 'the recording', data: recordingSchema, example: sampleRecording };

export const recordingRoutes = [
  route('GET /recordings', {
    ...viewers,
    summary: 'List recordings of the live world',
    query: listQuery,
    answer: listOf('the recordings, newest first', recordingSchema, sampleRecording),
    handler: ({ query }, { workspace: { recordings } }) => firstRows(recordings.list(), query),
  }),
  route('POST /recordings', {
    ...operators,
    summary: 'Start recording',
    description:
      'Records every byte of every link, submitted observations, and everything else that decides the picture. Only ' +
      'one recording runs at a time. Its limits decide how much of its older data is kept.',
    body: { schema: recordingSpecSchema, example: { name: 'night watch', max_s: 3_600 } },
    answer,
    handler: ({ body, by }, { workspace: { recordings } }) => recordings.start(body, by.actor),
  }),
  route('GET /recordings/{id}', {
    ...viewers,
    summary: 'Get recording',
    answer,
    handler: ({ params }, { workspace: { recordings } }) => recordings.get(params.id),
  }),
  route('POST /recordings/{id}/stop', {
    ...operators,
    summary: 'Stop recording',
    description: 'Answers when all received data is on the disk.',
    answer,
    handler: ({ params, by }, { workspace: { recordings } }) => recordings.stop(params.id, by.actor),
  }),
  route('GET /recordings/{id}/file', {
    ...viewers,
    role: fullReader,
    summary: 'Download recording as a file for `dunlin replay`',
    description:
      'The file contains positions and ids of pilots. With `link`, it contains only the bytes of that link, as ' +
      'lines of `{"t": seconds, "hex": "..."}`.',
    query: z.strictObject({ link: uuid.optional().describe("id of one of the recording's links") }),
    answer: {
      text: 'the file',
      files: {
        'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
        'application/x-ndjson': { schema: { type: 'string' } },
      },
    },
    handler: ({ params, query }, { workspace: { recordings } }) => {
      const { type, fileName, content } = recordings.file(params.id, query.link ?? null);
      return fileInPieces(type, fileName, content);
    },
  }),
  route('POST /recordings/{id}/what_if', {
    ...viewers,
    role: fullReader,
    summary: 'Compare a recording under another decision config',
    description:
      'Plays the recording twice, with the recorded and with the given config, as fast as the box can beside the ' +
      'live world. Nothing is shown or changed. The answer lists the differences of threats and alerts. Only one ' +
      'comparison runs at a time, for a recording of at most two hours; it stops if the client disconnects.',
    body: { schema: whatIfAskSchema, example: { config: defaultPolicy } },
    answer: { text: 'the differences', data: whatIfSchema, example: sampleWhatIf },
    write: false,
    handler: async ({ params, body, ctx }, { workspace: { recordings, playback } }) => {
      const { id } = recordings.get(params.id);
      return whileAwaited(ctx, (goesOn) => playback.whatIf(id, policyOf(body.config), goesOn));
    },
  }),
  route('DELETE /recordings/{id}', {
    ...owners,
    summary: 'Delete ended recording',
    answer: deleted,
    handler: ({ params, by }, { workspace: { recordings } }) => recordings.remove(params.id, by.actor),
  }),
];
