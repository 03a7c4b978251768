import type { Answer } from '../../support/http/server.ts';
import { invalid, nobody, type StatusBox, type StatusTable } from './box.ts';

export function catalogStatuses(box: StatusBox): StatusTable {
  const { to, get, absent, entry } = box;
  return {
    'GET /api/catalog/builtins': { 200: get('/api/catalog/builtins', [{ name: String, spec: Object }]) },
    'GET /api/catalog/entries': {
      200: {
        gives: [{ name: 'A listed one' }],
        reach: async () => {
          await entry('A listed one');
          return to('GET', '/api/catalog/entries');
        },
      },
    },
    'POST /api/catalog/entries': {
      200: {
        gives: { id: /^[0-9a-f-]{36}$/, name: 'New one', builtin: false },
        reach: () => to('POST', '/api/catalog/entries', { name: 'New one', kind: 'platform', spec: {} }),
      },
      '400 spec does not parse as a catalog spec': {
        ...invalid,
        says: /'spec.airframe'/,
        reach: () =>
          to('POST', '/api/catalog/entries', { name: 'Bad', kind: 'platform', spec: { airframe: 'saucer' } }),
      },
    },
    'GET /api/catalog/entries/{id}': {
      200: {
        gives: { name: 'Asked' },
        reach: async () => to('GET', `/api/catalog/entries/${(await entry('Asked')).id}`),
      },
      404: absent('GET', `/api/catalog/entries/${nobody}`),
    },
    'POST /api/catalog/entries/{id}': {
      '200 absent fields stay unchanged': {
        gives: { name: 'Changed', kind: 'platform', spec: { domain: 'land' } },
        reach: async () =>
          to('POST', `/api/catalog/entries/${(await entry('Changed')).id}`, { spec: { domain: 'land' } }),
      },
      '400 bad spec': {
        ...invalid,
        says: /'spec.domain'/,
        reach: async () =>
          to('POST', `/api/catalog/entries/${(await entry('Badly changed')).id}`, { spec: { domain: 'space' } }),
      },
      404: absent('POST', `/api/catalog/entries/${nobody}`, { spec: {} }),
    },
    'POST /api/catalog/seed-builtins': {
      200: { gives: { inserted: Number }, reach: () => to('POST', '/api/catalog/seed-builtins') },
      '200 0 when all are present': {
        gives: { inserted: 0 },
        reach: async () => {
          await to('POST', '/api/catalog/seed-builtins');
          return to('POST', '/api/catalog/seed-builtins');
        },
      },
    },
  };
}

export function settingStatuses(box: StatusBox): StatusTable {
  const { to, get } = box;
  const config = async (changes: object): Promise<Answer> => {
    const { data } = (await to('GET', '/api/decision-config')).body;
    return to('PUT', '/api/decision-config', { ...(data as object), ...changes });
  };
  return {
    'GET /api/decision-config': { '200 defaults if never saved': get('/api/decision-config', { version: 0 }) },
    'PUT /api/decision-config': {
      '200 the assigned version': { gives: { version: 1, posture: 'high' }, reach: () => config({ posture: 'high' }) },
      '200 a version in the request is ignored': { gives: { version: 2 }, reach: () => config({ version: 4_711 }) },
      '400 cannot be stored as sent': { ...invalid, says: /'posture'/, reach: () => config({ posture: 'panic' }) },
    },
    'GET /api/discovery': { 200: get('/api/discovery', { enabled: false, links: [] }) },
    'PUT /api/discovery': {
      '200 the same view a following GET returns': {
        gives: { enabled: true },
        reach: async () => {
          const answer = await to('PUT', '/api/discovery', { enabled: true });
          if ((await to('GET', '/api/discovery')).text !== answer.text) throw new Error('another view');
          return answer;
        },
      },
    },
    'GET /api/doctrine': { 200: get('/api/doctrine', { postures: Array, rules: Array, settings: Array }) },
    'GET /api/doctrine/export': { 200: get('/api/doctrine/export') },
  };
}
