import { z } from 'zod';
import { defaultPolicy } from '../../model/decision_defaults.ts';
import { recordingSchema, recordingSpecSchema } from '../../model/recording.ts';
import { uuid } from '../../model/scalar.ts';
import { whatIfAskSchema, whatIfSchema } from '../../model/what_if.ts';
import { whileAwaited } from '../awaited.ts';
import { sampleRecording, sampleWhatIf } from '../openapi/recording_samples.ts';
import { idParams, route, StreamAnswer } from '../route.ts';
import { deleted } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const common = { tag: 'recordings' } as const;
const one = { data: recordingSchema, example: sampleRecording };

export const recordingRoutes = [
  route({
    ...common,
    method: 'GET',
    path: '/recordings',
    summary: 'What was recorded of the live world',
    query: listQuery,
    answer: { text: 'the recordings, newest first', data: z.array(recordingSchema), example: [sampleRecording] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { recordings }) => firstRows(recordings.list(), query),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/recordings',
    summary: 'Begin a recording',
    description:
      'From now on every byte of every link is kept, with what came as observations, and what else decides the picture. ' +
      'One goes on at a time; what it keeps of the past is what its limits leave.',
    body: { schema: recordingSpecSchema, example: { name: 'night watch', max_s: 3_600 } },
    answer: { text: 'the recording', ...one },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ body, by }, { recordings }) => recordings.start(body, by.actor),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/recordings/{id}',
    summary: 'One recording',
    params: idParams,
    answer: { text: 'the recording', ...one },
    role: 'viewer',
    write: false,
    handler: ({ params }, { recordings }) => recordings.get(params.id),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/recordings/{id}/stop',
    summary: 'End a recording',
    description: 'Answers when everything that was heard is on the disk.',
    params: idParams,
    answer: { text: 'the recording', ...one },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: true,
    handler: ({ params, by }, { recordings }) => recordings.stop(params.id, by.actor),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/recordings/{id}/file',
    summary: 'A recording as a file that `dunlin replay` plays',
    description:
      'Where pilots stand and who they are is in it. With `link`, what came over that one alone, as lines of ' +
      '`{"t": seconds, "hex": "..."}`.',
    params: idParams,
    query: z.strictObject({ link: uuid.optional().meta({ description: 'id of one of its links' }) }),
    answer: {
      text: 'the file',
      files: {
        'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
        'application/x-ndjson': { schema: { type: 'string' } },
      },
    },
    role: 'operator',
    write: false,
    handler: ({ params, query }, { recordings }) => {
      const { type, fileName, content } = recordings.file(params.id, query.link ?? null);
      return new StreamAnswer(type, fileName, content);
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/recordings/{id}/what_if',
    summary: 'What another decision config would have made of a recording',
    description:
      'It is played twice, as it was and under this one, as fast as the box can beside the live world; nothing is shown or changed. ' +
      'Says where threats and alerts differ. One is made at a time, of a recording of two hours at most; it ends when nobody waits for it.',
    params: idParams,
    body: { schema: whatIfAskSchema, example: { config: defaultPolicy } },
    answer: { text: 'where they differ', data: whatIfSchema, example: sampleWhatIf },
    errors: ['conflict', 'unavailable'],
    role: 'operator',
    write: false,
    handler: async ({ params, body, ctx }, { recordings, simulator }) => {
      const { version: _version, updated_at: _at, updated_by: _by, ...policy } = body.config;
      const { id } = recordings.get(params.id);
      return whileAwaited(ctx, (goesOn) => simulator.whatIf(id, policy, goesOn));
    },
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/recordings/{id}',
    summary: 'Delete a recording that has ended',
    params: idParams,
    answer: deleted,
    errors: ['conflict', 'unavailable'],
    role: 'owner',
    write: true,
    handler: async ({ params, by }, { recordings }) => {
      await recordings.remove(params.id, by.actor);
      return { deleted: true };
    },
  }),
];
