import type { Context } from 'koa';
import { z } from 'zod';
import { type AssetImportRow, assetImportAnswerSchema, assetImportRowSchema } from '../../model/asset_request.ts';
import { Fault } from '../../model/fault.ts';
import { faultOfIssues } from '../../model/issue.ts';
import type { RawRow } from '../../registry/assets/import.ts';
import type { Registry } from '../../registry/registry.ts';
import { mediaTypeOf, readText, requireMediaType } from '../body.ts';
import { writeCsv } from '../csv.ts';
import { readCsv } from '../csv_read.ts';
import { listsMore, parseJson } from '../json.ts';
import { file } from '../own_answer.ts';
import { audience, type Room, route } from '../route.ts';

const columns = ['name', 'serial', 'model', 'kind', 'affiliation'] as const;
const csvType = 'text/csv';
const sampleRow: AssetImportRow = {
  name: 'Heron 6',
  serial: '1581F5FKD2294A000006',
  model: 'Matrice 30',
  affiliation: 'friend',
};
const sampleCsv =
  'name,serial,model,kind,affiliation\r\nHeron 6,1581F5FKD2294A000006,DJI Matrice 30,platform,friend\r\n';

const listSchema = z
  .strictObject({ assets: z.array(assetImportRowSchema).max(10_000) })
  .meta({ id: 'AssetList', description: 'Assets to import' });
/**
 * List whose rows are not validated yet. They are validated one by one, so that invalid rows do not prevent the import
 * of valid ones.
 */
const looseList = z.strictObject({ assets: z.array(z.unknown()) });

const { viewers, operators } = audience('assets');

export const assetFileRoutes = [
  route('POST /assets/import', {
    ...operators,
    summary: 'Import assets',
    description:
      'The body is `{assets: [...]}`, or CSV with a header. A row changes the asset with its serial. A row without ' +
      'a serial changes the unpaired asset with its name. If there is no such asset, one is created. Valid rows are ' +
      'imported even if others are refused.',
    query: z.strictObject({
      dry_run: z.enum(['true', 'false', '1', '0']).default('0').describe('true to report the outcome without a change'),
    }),
    body: {
      schema: listSchema,
      example: { assets: [sampleRow] },
      files: { [csvType]: { example: sampleCsv } },
    },
    answer: {
      text: 'the outcome of the rows',
      data: assetImportAnswerSchema,
      example: { dry_run: false, created: 1, updated: 0, skipped: 0, rejected: [] },
    },
    errors: ['unavailable'],
    handler: async ({ ctx, query, by }, room) => {
      const rows = await readRows(ctx, room);
      const dryRun = query.dry_run === '1' || query.dry_run === 'true';
      return room.registry.assetImport.run(rows, by.actor, dryRun);
    },
  }),
  route('GET /assets/export', {
    ...viewers,
    summary: 'Export assets',
    description:
      'The same columns as an import. In CSV, a cell that a spreadsheet would evaluate as a formula begins with an ' +
      'apostrophe, which the import removes.',
    query: z.strictObject({ format: z.enum(['csv', 'json']).default('csv') }),
    answer: {
      text: 'the assets, by name',
      files: {
        [csvType]: { example: sampleCsv },
        'application/json': { schema: { type: 'object' }, example: { assets: [sampleRow] } },
      },
    },
    handler: ({ query }, { registry }) => {
      const rows = exported(registry);
      if (query.format === 'json') {
        return file('application/json; charset=utf-8', JSON.stringify({ assets: rows }), 'assets.json');
      }
      const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
      return file(`${csvType}; charset=utf-8`, writeCsv(columns, cells), 'assets.csv');
    },
  }),
];

function exported(registry: Registry): AssetImportRow[] {
  return registry.assets.list().map(({ name, kind, affiliation, spec }) => {
    const { remote_id_serial: serial = null, model = null } = spec;
    return { name, serial, model, kind, affiliation };
  });
}

async function readRows(ctx: Context, room: Room): Promise<RawRow[]> {
  requireMediaType(ctx.req, ['application/json', csvType]);
  const { ingestBodyBytes, ingestRows, jsonDepth } = room.settings.limits;
  const text = await readText(ctx.req, ctx.res, ingestBodyBytes, room.budget);
  if (mediaTypeOf(ctx.req) === csvType) {
    const rows = readCsv(text, { known: columns, needed: ['name'], mostRows: ingestRows });
    return rows.map(({ row, cells, error }) => ({ row, value: Object.fromEntries(cells), error }));
  }
  // The number of rows is checked before the text is parsed.
  if (listsMore(text, ingestRows)) throw new Fault('too_large', `a request may have at most ${ingestRows} assets`);
  const value = parseJson(text, 'the body', jsonDepth);
  const read = looseList.safeParse(value);
  if (!read.success) throw faultOfIssues(read.error.issues, 'the body', value);
  return read.data.assets.map((entry, at) => ({ row: at + 1, value: entry }));
}
