import { z } from 'zod';
import { Fault } from '../../model/fault.ts';
import { sensorSchema, sensorSpecSchema } from '../../model/sensor.ts';
import type { Registry } from '../../registry/registry.ts';
import { sampleSensor } from '../openapi/samples.ts';
import { idParams, route } from '../route.ts';
import type { Service } from '../service.ts';
import { deleted } from './answers.ts';
import { firstRows, listQuery } from './paging.ts';

const sensorCreate = sensorSpecSchema.meta({ id: 'SensorSpec' });

/** Made field by field: a default of the spec must not reach a row whose field was merely not sent. */
const { name, modality, placement, heartbeat_s, quiet_ok, detection } = sensorSpecSchema.shape;
const sensorPatch = z
  .strictObject({
    name: name.optional(),
    modality: modality.optional(),
    placement,
    heartbeat_s: heartbeat_s.unwrap().nullish().describe("null: its link's silence_s, or 60 s where it has no link"),
    quiet_ok,
    detection,
    version: z.int().min(0).optional().describe('the version the caller has seen; another is a conflict'),
  })
  .meta({ id: 'SensorPatch', description: 'What is absent stays unchanged' });

const sensorBody = {
  name: 'roof radar',
  modality: 'radar',
  placement: { lat: 48.2, lon: 16.37, alt_hae_m: 212 },
} as const;

/** What is something else is not deleted as a sensor, and its name is said. */
function refuseOther(id: string, service: Service, registry: Registry): void {
  if (service.sensors.get(id) !== undefined) return;
  const link = service.links.get(id);
  const track = service.tracks.get(id);
  const other =
    registry.find(id) ??
    (link && { what: 'link', name: link.name }) ??
    (track && { what: 'track', name: track.number });
  if (other) throw new Fault('conflict', `${id} is no sensor but the ${other.what} ${other.name}`);
}

export const sensorRoutes = [
  route({
    method: 'GET',
    path: '/sensors',
    summary: 'All sensors',
    tag: 'sensors',
    query: listQuery,
    answer: { text: 'the sensors', data: z.array(sensorSchema), example: [sampleSensor] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { service }) => firstRows(service.sensors.list(), query),
  }),
  route({
    method: 'POST',
    path: '/sensors',
    summary: 'Declare a sensor by hand',
    tag: 'sensors',
    body: { schema: sensorCreate, example: sensorBody },
    answer: { text: 'the sensor', data: sensorSchema, example: sampleSensor },
    errors: ['conflict'],
    role: 'operator',
    write: true,
    handler: ({ body, by }, { service }) => service.sensors.create(body, by.actor),
  }),
  route({
    method: 'GET',
    path: '/sensors/{id}',
    summary: 'One sensor',
    tag: 'sensors',
    params: idParams,
    answer: { text: 'the sensor', data: sensorSchema, example: sampleSensor },
    role: 'viewer',
    write: false,
    handler: ({ params }, { service }) => {
      const sensor = service.sensors.get(params.id);
      if (sensor === undefined) throw new Fault('not_found', `there is no sensor with the id ${params.id}`);
      return sensor;
    },
  }),
  route({
    method: 'POST',
    path: '/sensors/{id}',
    summary: 'Change a sensor, or what is set of a receiver of a link',
    tag: 'sensors',
    params: idParams,
    body: { schema: sensorPatch, example: { placement: { lat: 48.2, lon: 16.37, alt_hae_m: 215 } } },
    answer: { text: 'the changed sensor', data: sensorSchema, example: sampleSensor },
    errors: ['conflict'],
    role: 'operator',
    write: true,
    handler: ({ params, body, by }, { service }) => service.sensors.update(params.id, body, by.actor),
  }),
  route({
    method: 'DELETE',
    path: '/sensors/{id}',
    summary: 'Delete a sensor that was declared by hand, or a receiver of a link that is not received any more',
    tag: 'sensors',
    params: idParams,
    answer: deleted,
    errors: ['conflict'],
    role: 'operator',
    write: true,
    handler: async ({ params, by }, { service, registry }) => {
      refuseOther(params.id, service, registry);
      await service.sensors.remove(params.id, by.actor);
      return { deleted: true };
    },
  }),
];
