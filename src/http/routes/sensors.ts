import { z } from 'zod';
import { conflict } from '../../model/fault.ts';
import { count } from '../../model/scalar.ts';
import { sensorSchema, sensorSpecSchema } from '../../model/sensor.ts';
import { sampleSensor } from '../openapi/samples.ts';
import { audience, type Room, route } from '../route.ts';
import { deleted, found, listOf } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const sensorCreate = sensorSpecSchema.meta({ id: 'SensorSpec' });

/**
 * The schema of a change is built field by field. Otherwise a default of the spec would overwrite a field that was not
 * sent.
 */
const { name, modality, placement, heartbeat_s, quiet_ok, detection } = sensorSpecSchema.shape;
const sensorPatch = z
  .strictObject({
    name: name.optional(),
    modality: modality.optional(),
    placement,
    heartbeat_s: heartbeat_s
      .unwrap()
      .nullish()
      .describe('seconds; null for the silence_s of its link, or 60 s without a link'),
    quiet_ok,
    detection,
    version: count.optional().describe('version that the caller has seen; any other version is a conflict'),
  })
  .meta({ id: 'SensorPatch', description: 'Absent fields stay unchanged' });

const sensorBody = {
  name: 'roof radar',
  modality: 'radar',
  placement: { lat: 48.2, lon: 16.37, alt_hae_m: 212 },
} as const;

/** Throws `conflict` if the id belongs to a document that is not a sensor. The sentence names that document. */
function refuseOther(id: string, { workspace, registry, shown }: Room): void {
  if (shown.sensors.get(id) !== undefined) return;
  const link = workspace.links.get(id);
  const track = shown.tracks.get(id);
  const other =
    registry.find(id) ??
    (link && { what: 'link', name: link.name }) ??
    (track && { what: 'track', name: track.number });
  if (other) throw conflict(`${id} is not a sensor: it is the id of the ${other.what} ${other.name}`);
}

const { viewers, operators } = audience('sensors');

const answer = { text: 'the sensor', data: sensorSchema, example: sampleSensor };

export const sensorRoutes = [
  route('GET /sensors', {
    ...viewers,
    summary: 'List sensors',
    query: listQuery,
    answer: listOf('the sensors', sensorSchema, sampleSensor),
    handler: ({ query }, { shown }) => firstRows(shown.sensors.list(), query),
  }),
  route('POST /sensors', {
    ...operators,
    summary: 'Declare sensor',
    body: { schema: sensorCreate, example: sensorBody },
    answer,
    errors: ['conflict'],
    handler: ({ body, by }, { shown }) => shown.sensors.create(body, by.actor),
  }),
  route('GET /sensors/{id}', {
    ...viewers,
    summary: 'Get sensor',
    answer,
    handler: ({ params }, { shown }) => found(shown.sensors.get(params.id), 'sensor', params.id),
  }),
  route('POST /sensors/{id}', {
    ...operators,
    summary: 'Update sensor, or settings of a receiver',
    body: { schema: sensorPatch, example: { placement: { lat: 48.2, lon: 16.37, alt_hae_m: 215 } } },
    answer: { ...answer, text: 'the changed sensor' },
    errors: ['conflict'],
    handler: ({ params, body, by }, { shown }) => shown.sensors.update(params.id, body, by.actor),
  }),
  route('DELETE /sensors/{id}', {
    ...operators,
    summary: 'Delete declared sensor, or a receiver that is gone',
    answer: deleted,
    errors: ['conflict'],
    handler: async ({ params, by }, room) => {
      refuseOther(params.id, room);
      await room.shown.sensors.remove(params.id, by.actor);
    },
  }),
];
