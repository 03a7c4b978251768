import { z } from 'zod';
import { fleetRowSchema } from '../../model/fleet.ts';
import { sampleFleetRow } from '../openapi/fleet_samples.ts';
import { route } from '../route.ts';
import { firstRows, listQuery } from './paging.ts';

export const fleetRoutes = [
  route({
    method: 'GET',
    path: '/fleet',
    summary: 'Friendly vehicles: those that are heard, and those that are adopted',
    description:
      'One row a vehicle, on however many links it is heard. `verbs` lists what it advertises; one that is not available now ' +
      'says why, in the words that its command would be refused with. Vehicles that nobody adopted are shown and never ' +
      'commanded; bind their `key` to an asset to adopt them.',
    tag: 'fleet',
    query: listQuery,
    answer: { text: 'the vehicles', data: z.array(fleetRowSchema), example: [sampleFleetRow] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { fleet }) => firstRows(fleet.rows(), query),
  }),
];
