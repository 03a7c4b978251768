import { z } from 'zod';
import { type ConfigDocument, readDocument } from '../../host/config/document.ts';
import { deepLine, isDense, MOST_COLUMNS, MOST_LEVELS } from '../../host/config/nesting.ts';
import { doctrineFileSchema, doctrineSchema, doctrineVersionSchema } from '../../model/doctrine.ts';
import { type Fault, invalidInput } from '../../model/fault.ts';
import { faultOfIssues } from '../../model/issue.ts';
import { count, wholeBetween } from '../../model/scalar.ts';
import { sampleDoctrine, sampleDoctrineText, sampleDoctrineVersion } from '../openapi/settings_samples.ts';
import { file } from '../own_answer.ts';
import { audience, route } from '../route.ts';
import { listOf } from './answers.ts';

const yaml = 'application/yaml';
/** Limit of a doctrine, bytes: several times the usual size. A document of this size is parsed within 1 s. */
const MOST_BYTES = 128 * 1024;
const MOST_VERSIONS = 100;
const answer = { text: 'the doctrine', data: doctrineSchema, example: sampleDoctrine };

const { viewers, owners } = audience('settings');

export const doctrineRoutes = [
  route('GET /doctrine', {
    ...viewers,
    summary: 'Get doctrine',
    query: z.strictObject({
      version: count.optional().describe('saved version to return; 0 for the built-in doctrine'),
    }),
    answer,
    errors: ['not_found'],
    handler: ({ query }, { registry }) => registry.doctrine.get(query.version),
  }),
  route('GET /doctrine/versions', {
    ...viewers,
    summary: 'List saved versions of the doctrine',
    description: 'Newest first. Two versions with the same hash have the same content.',
    query: z.strictObject({
      limit: wholeBetween(1, MOST_VERSIONS).default(MOST_VERSIONS),
      before: count.optional().describe('only versions before this one'),
    }),
    answer: listOf('the versions', doctrineVersionSchema, sampleDoctrineVersion),
    handler: ({ query }, { registry }) => registry.doctrine.versions(query.limit, query.before),
  }),
  route('GET /doctrine/export', {
    ...viewers,
    summary: 'Export doctrine',
    answer: { text: 'a YAML document with the hash of its content', files: { [yaml]: {} } },
    handler: (_call, { registry }) => file(`${yaml}; charset=utf-8`, registry.doctrine.export()),
  }),
  route('POST /doctrine/import', {
    ...owners,
    summary: 'Import doctrine',
    description:
      'The body is YAML, or JSON as in `GET /api/doctrine`. Postures, release table, rules and planning profiles ' +
      'are imported. Version, settings, firing and descriptions of rules are ignored. A document that was changed ' +
      'by hand no longer matches its hash; it is imported only with force=1.',
    query: z.strictObject({
      force: z.enum(['0', '1']).optional().describe('1 imports a document that was changed by hand'),
    }),
    body: {
      schema: z.string(),
      example: sampleDoctrineText,
      text: { type: yaml, also: 'application/json', bytes: MOST_BYTES },
    },
    answer,
    errors: ['unavailable'],
    handler: ({ body, query, by }, { registry }) => {
      const deep = deepLine(body);
      if (deep !== null) {
        const limits = `${MOST_LEVELS} levels, or an indentation of more than ${MOST_COLUMNS} columns`;
        throw invalidInput(`line ${deep}: the document has more than ${limits}`);
      }
      if (isDense(body)) throw invalidInput('line 1: the document has more entries than a doctrine can have');
      const document = readDocument(body, { keepEmpty: true });
      const [error] = document.errors;
      if (error) throw invalidInput(`${placeText(error.place)}: ${error.sentence}`);
      const read = doctrineFileSchema.safeParse(document.value, { reportInput: true });
      if (!read.success) throw wrongAt(document, read.error.issues);
      const said = document.value as Record<string, unknown>;
      return registry.doctrine.import(read.data, said, query.force === '1', by.actor);
    },
  }),
];

/**
 * Builds the refusal of a document, with the position of the first fault. Unknown fields come before missing ones,
 * because a misspelt name also makes the right field missing.
 */
function wrongAt(document: ConfigDocument, found: readonly z.core.$ZodIssue[]): Fault {
  const issues = found.toSorted(
    (a, b) => Number(b.code === 'unrecognized_keys') - Number(a.code === 'unrecognized_keys'),
  );
  const [first] = issues;
  const place =
    first?.code === 'unrecognized_keys'
      ? document.placeOfKey(first.path, first.keys[0] ?? '')
      : document.placeOf(first?.path ?? []);
  const { message, faults } = faultOfIssues(issues, 'the document', document.value, doctrineFileSchema);
  return invalidInput(`${placeText(place)}: ${message}`, { faults });
}

function placeText({ line, column }: { line: number; column: number }): string {
  return `line ${line}, column ${column}`;
}
