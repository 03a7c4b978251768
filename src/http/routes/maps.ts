import { z } from 'zod';
import { baseMapSchema, MAX_ZOOM, tileMediaTypes } from '../../model/base_map.ts';
import type { FieldFault } from '../../model/fault.ts';
import { faultOfAll } from '../../model/issue.ts';
import { textUpTo, wholeBetween } from '../../model/scalar.ts';
import { mediaTypeOf, readFile, requireMediaType } from '../body.ts';
import { requireFirst } from '../first_workspace.ts';
import { sampleMap } from '../openapi/map_samples.ts';
import { requireStill } from '../permission.ts';
import { audience, route } from '../route.ts';
import { tileAnswer } from '../tile_answer.ts';
import { deleted, listOf } from './answers.ts';

const { viewers, owners } = audience('maps');
const fileTypes = [
  'application/octet-stream',
  'application/vnd.pmtiles',
  'application/vnd.sqlite3',
  'application/x-sqlite3',
] as const;
const fileParams = z.strictObject({
  name: z.string().meta({ description: 'name of the file, with its extension', example: sampleMap.file }),
});

const mostColumns = 2 ** MAX_ZOOM - 1;
const tileParams = z.strictObject({
  id: z.string(),
  z: wholeBetween(0, MAX_ZOOM).meta({ description: 'zoom level', example: 0 }),
  x: wholeBetween(0, mostColumns).meta({ description: 'column, from 180° west', example: 0 }),
  y: wholeBetween(0, mostColumns).meta({ description: 'row, from the north', example: 0 }),
});
const binary = { schema: { type: 'string', format: 'binary' } };

export const mapRoutes = [
  route('GET /maps', {
    ...viewers,
    summary: 'List base maps of the box',
    description:
      'The files in the folder `maps` of the data folder, the same for every workspace and world. A file copied ' +
      'into this folder appears by itself; an unreadable file is listed with the reason.',
    answer: listOf('the maps, by id', baseMapSchema, sampleMap),
    handler: (_call, { maps }) => maps.list(),
  }),
  route('GET /maps/{id}/{z}/{x}/{y}', {
    ...viewers,
    summary: 'Get tile of a base map',
    description:
      'Tile in Web Mercator, as stored in the file; vector tiles are usually compressed with gzip. If `v` is the ' +
      '`version` of the map, browsers cache the tile and do not request it again.',
    params: tileParams,
    query: z.strictObject({ v: textUpTo(40).optional().describe('version of the map, from the list of maps') }),
    answer: {
      text: 'the tile',
      files: Object.fromEntries(Object.values(tileMediaTypes).map((type) => [type, binary])),
      empty: { 204: 'The map has no tile there', 304: 'The client has this version already (`If-None-Match`)' },
    },
    errors: ['unavailable'],
    handler: async ({ params: { id, z: zoom, x, y }, query }, { maps }) => {
      checkPlace(zoom, { x, y });
      const { version } = await maps.ready(id);
      return tileAnswer(version, query.v, () => maps.tile(id, zoom, x, y));
    },
  }),
  route('PUT /maps/{name}', {
    ...owners,
    summary: 'Upload base map',
    description:
      'The body is the file. It replaces a file with the same name once it is complete and its tiles are readable. ' +
      'The limits are `data.maps.all_bytes` for all maps together (413) and `data.maps.min_free_bytes` of free disk ' +
      'space (503). Only owners of the first workspace may upload.',
    params: fileParams,
    body: { schema: z.unknown(), example: undefined, bytes: fileTypes },
    answer: { text: 'the map', data: baseMapSchema, example: sampleMap },
    handler: ({ params, ctx, by }, room) => {
      requireFirst(by, room, true, 'maps belong to');
      // `curl -T` and browsers send no media type for map files, so none is required.
      if (mediaTypeOf(ctx.req) !== '') requireMediaType(ctx.req, fileTypes);
      const length = ctx.req.headers['content-length'];
      const incoming = {
        announcedBytes: length === undefined ? null : Number(length),
        pieces: () => readFile(ctx.req, ctx.res),
      };
      return room.maps.put(params.name, incoming, () => requireStill(by, room), by.actor);
    },
  }),
  route('DELETE /maps/{name}', {
    ...owners,
    summary: 'Delete base map',
    description: 'The map is named by its file name or its id. Only owners of the first workspace may delete maps.',
    params: fileParams,
    answer: deleted,
    handler: ({ params, by }, room) => {
      requireFirst(by, room, true, 'maps belong to');
      return room.maps.remove(params.name, by.actor);
    },
  }),
];

/** Throws `invalid_input` if the zoom level has fewer columns or rows than the tile's numbers require. */
function checkPlace(zoom: number, place: { x: number; y: number }): void {
  const most = 2 ** zoom - 1;
  const faults: FieldFault[] = Object.entries(place)
    .filter(([, value]) => value > most)
    .map(([path]) => ({ path, text: `'${path}' must be at most ${most} at zoom level ${zoom}` }));
  if (faults.length > 0) throw faultOfAll(faults, 'the path');
}
