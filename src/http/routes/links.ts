import { z } from 'zod';
import { Fault } from '../../model/fault.ts';
import { linkSchema } from '../../model/link.ts';
import { sampleLink } from '../openapi/samples.ts';
import { idParams, route } from '../route.ts';
import { firstRows, listQuery } from './paging.ts';

export const linkRoutes = [
  route({
    method: 'GET',
    path: '/links',
    summary: 'All links and how they are',
    tag: 'links',
    query: listQuery,
    answer: { text: 'the links', data: z.array(linkSchema), example: [sampleLink] },
    role: 'viewer',
    write: false,
    handler: ({ query }, { service }) => firstRows(service.links.list(), query),
  }),
  route({
    method: 'GET',
    path: '/links/{id}',
    summary: 'One link',
    tag: 'links',
    params: idParams,
    answer: { text: 'the link', data: linkSchema, example: sampleLink },
    role: 'viewer',
    write: false,
    handler: ({ params }, { service }) => {
      const link = service.links.get(params.id);
      if (link === undefined) throw new Fault('not_found', `there is no link with the id ${params.id}`);
      return link;
    },
  }),
];
