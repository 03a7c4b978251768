import t from 'tap';
import { visitRows } from '../../src/store/visits.ts';
import { Visits } from '../../src/world/visits.ts';
import { openRegistry } from '../support/registry/registry.ts';

const DAY_MS = 86_400_000;
const named = { identities: [{ type: 'serial', value: '1581F5FKD2294D000001' }] } as const;

t.test(
  'a day counts where somebody was a stranger on it, and not where it was a proven friend throughout',
  async (t) => {
    const { state, workspaceId } = openRegistry(t);
    let nowMs = Date.UTC(2026, 4, 1, 12);
    const visits = new Visits(
      visitRows(state),
      workspaceId,
      () => nowMs,
      () => true,
    );
    const number = 7;
    const day = (...friend: boolean[]): number | null => {
      const [first] = friend.map((isSureFriend) => visits.receive(number, named, isSureFriend));
      visits.forget(number);
      visits.flush();
      nowMs += DAY_MS;
      return first ?? null;
    };
    t.equal(day(true), 0);
    t.equal(day(true, true), 0, 'the day before it was a friend');
    t.equal(day(true, false), 0, 'and the one before that');
    t.equal(day(false), 1, 'on this one it lost its link');
    t.equal(day(true), 2);
    t.equal(day(false), 2);
  },
);
