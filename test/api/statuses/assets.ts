import type { Asset } from '../../../src/model/asset.ts';
import { at, conflict, invalid, missing, nobody, type StatusBox, type StatusTable } from './box.ts';

export function assetStatuses(box: StatusBox, known: Asset): StatusTable {
  const { to, get, absent, ofNew, confirmed } = box;
  const one = at(known.id);
  return {
    'GET /': { 200: get('/', { name: 'dunlin', interface_version: '0.1.0', healthy: true }) },
    'GET /api/assets': { 200: get('/api/assets', [{ id: known.id }]) },
    'POST /api/assets': {
      200: {
        gives: { id: /^[0-9a-f-]{36}$/, name: 'a', kind: 'platform', affiliation: 'friend' },
        reach: () => to('POST', '/api/assets', { name: 'a', spec: {} }),
      },
      '400 spec does not parse as an asset spec': {
        ...invalid,
        says: /'spec.tags'/,
        reach: () => to('POST', '/api/assets', { name: 'a', spec: { tags: 'north' } }),
      },
      '400 there is no affiliation field': {
        ...invalid,
        says: /'affiliation'/,
        reach: () => to('POST', '/api/assets', { name: 'a', spec: {}, affiliation: 'friend' }),
      },
    },
    'POST /api/assets/from-catalog': {
      '200 spec.model is the canonical name': {
        gives: { spec: { model: 'DJI Matrice 30' } },
        reach: () => to('POST', '/api/assets/from-catalog', { name: 'a', catalog: 'matrice-30' }),
      },
      '404 no catalog platform with that name': {
        ...missing,
        says: /'Nothing'/,
        reach: () => to('POST', '/api/assets/from-catalog', { name: 'a', catalog: 'Nothing' }),
      },
      "409 the entry's domain disagrees": {
        ...conflict,
        says: /domain land.*air/,
        reach: () => to('POST', '/api/assets/from-catalog', { name: 'a', catalog: 'Matrice 30', domain: 'land' }),
      },
    },
    'GET /api/assets/{id}': { 200: get(one, { id: known.id }), 404: absent('GET', `/api/assets/${nobody}`) },
    'POST /api/assets/{id}': {
      200: { gives: { name: 'new', version: 2 }, reach: () => ofNew('POST', at, { name: 'new', spec: {} }) },
      '200 model in canonical spelling': {
        gives: { spec: { model: 'DJI Matrice 30' } },
        reach: () => ofNew('POST', at, { model: 'MATRICE 30', spec: {} }),
      },
      '400 placement is not a point on the earth': {
        ...invalid,
        says: /'placement.lat'/,
        reach: () => ofNew('POST', at, { spec: {}, placement: { lat: 91, lon: 0 } }),
      },
      404: absent('POST', `/api/assets/${nobody}`, { spec: {} }),
      '409 model not in the catalog': {
        ...conflict,
        says: /'Nothing'/,
        reach: () => ofNew('POST', at, { spec: {}, model: 'Nothing' }),
      },
      '409 a hand-placed carried sensor': {
        ...conflict,
        says: /is carried and has the position of its carrier/,
        reach: () => ofNew('POST', at, { spec: {}, placement: { lat: 1, lon: 1, carried_by: known.id } }),
      },
      '409 a spec that is not an object': {
        ...conflict,
        says: /must be an object/,
        reach: () => ofNew('POST', at, { spec: 'a text' }),
      },
    },
    'DELETE /api/assets/{id}': {
      200: { gives: { deleted: true }, reach: () => ofNew('DELETE', at) },
      404: absent('DELETE', `/api/assets/${nobody}`),
      '404 a row that is not a force asset': {
        ...missing,
        says: /no asset of the own force/,
        reach: async () => to('DELETE', at((await confirmed('hostile')).asset_id)),
      },
    },
    'POST /api/assets/{id}/bind': {
      200: {
        gives: { paired: true, spec: { remote_id_serial: 'heard-1' } },
        reach: () => ofNew('POST', (id) => `${at(id)}/bind`, { key: 'heard-1' }),
      },
      404: absent('POST', `/api/assets/${nobody}/bind`, { key: 'heard-2' }),
      '409 key already bound to another row': {
        ...conflict,
        says: /Known/,
        reach: () => ofNew('POST', (id) => `${at(id)}/bind`, { key: known.spec.remote_id_serial }),
      },
      '409 this row already paired': {
        ...conflict,
        says: /already bound|carries/,
        reach: () => to('POST', `${one}/bind`, { key: 'heard-3' }),
      },
    },
    'POST /api/assets/{id}/payloads': {
      200: {
        gives: { payloads: [{ kind: 'camera_eo' }] },
        reach: () => ofNew('POST', (id) => `${at(id)}/payloads`, { payloads: [{ kind: 'camera_eo' }] }),
      },
      404: absent('POST', `/api/assets/${nobody}/payloads`, { payloads: null }),
    },
  };
}
