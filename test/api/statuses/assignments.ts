import type { Asset } from '../../../src/model/asset.ts';
import type { Assignment } from '../../../src/model/assignment.ts';
import { invalid, nobody, type StatusBox, type StatusTable } from './box.ts';

export function assignmentStatuses(box: StatusBox, known: Asset): StatusTable {
  const { to, absent, confirmed, newSerial } = box;
  return {
    'GET /api/assignments': {
      '200 newest first': {
        gives: [{ affiliation: 'neutral' }, { affiliation: 'hostile' }],
        reach: async () => {
          for (const affiliation of ['hostile', 'neutral']) await confirmed(affiliation);
          return to('GET', '/api/assignments');
        },
      },
    },
    'POST /api/assignments': {
      200: {
        gives: { affiliation: 'neutral', active: true, operator: null },
        reach: () => to('POST', '/api/assignments', { asset_id: known.id, affiliation: 'neutral' }),
      },
      '400 affiliation is none of the four': {
        ...invalid,
        says: /'affiliation'.*friend/,
        reach: () => to('POST', '/api/assignments', { asset_id: known.id, affiliation: 'foe' }),
      },
    },
    'POST /api/assignments/confirm': {
      '200 supersedes the active one': {
        gives: { affiliation: 'friend', active: true, confirmed: true },
        reach: async () => {
          const serial = newSerial();
          const before = await confirmed('hostile', serial);
          const answer = await to('POST', '/api/assignments/confirm', { serial, affiliation: 'friend' });
          const was = (await to('GET', `/api/assignments/${before.id}`)).body.data as Assignment;
          if (was.active || was.superseded_by !== (answer.body.data as Assignment).id)
            throw new Error('both are active');
          return answer;
        },
      },
      '400 empty serial': {
        ...invalid,
        says: /'serial'/,
        reach: () => to('POST', '/api/assignments/confirm', { serial: '', affiliation: 'friend' }),
      },
      '400 invalid affiliation': {
        ...invalid,
        says: /'affiliation'/,
        reach: () => to('POST', '/api/assignments/confirm', { serial: 'x', affiliation: 'foe' }),
      },
    },
    'GET /api/assignments/{id}': {
      200: {
        gives: { active: true },
        reach: async () => to('GET', `/api/assignments/${(await confirmed('neutral')).id}`),
      },
      404: absent('GET', `/api/assignments/${nobody}`),
    },
    'POST /api/assignments/{id}': {
      200: {
        gives: { active: false },
        reach: async () => to('POST', `/api/assignments/${(await confirmed('neutral')).id}`, { active: false }),
      },
      '400 invalid affiliation': {
        ...invalid,
        says: /'affiliation'/,
        reach: async () => to('POST', `/api/assignments/${(await confirmed('neutral')).id}`, { affiliation: 'foe' }),
      },
      404: absent('POST', `/api/assignments/${nobody}`, { active: false }),
    },
  };
}
