import t from 'tap';
import type { LinkStatus } from '../../src/edge/link/link.ts';
import { ConditionLog } from '../../src/outlet/condition_log.ts';

const named = { id: 'o', name: 'TAK' };
const status = (state: LinkStatus['state'], more: Partial<LinkStatus> = {}): LinkStatus =>
  ({ state, isRefused: false, lastError: null, ...more }) as LinkStatus;

function rows(): { log: ConditionLog; rows: string[] } {
  const found: string[] = [];
  const log = new ConditionLog((verb, severity, text) => void found.push(`${verb} ${severity}: ${text}`));
  return { log, rows: found };
}

t.test('a condition is logged once, however often the outlet tries', async (t) => {
  const { log, rows: found } = rows();
  for (const state of ['open', 'backoff', 'opening', 'backoff', 'open'] as const)
    log.take(status(state, { lastError: 'ECONNREFUSED' }), named);
  t.same(found, [
    'open notice: the outlet TAK is open',
    'down notice: the outlet TAK is down: ECONNREFUSED',
    'open notice: the outlet TAK is open',
  ]);
});

t.test('lost alerts are told by the next row, of a failure or not, and only once', async (t) => {
  for (const [state, begin] of [
    ['backoff', 'down warning: the outlet TAK is down: backoff'],
    ['open', 'open warning: the outlet TAK is open'],
  ] as const) {
    const { log, rows: found } = rows();
    log.lost(1);
    log.take(status(state), named);
    t.same(found, [`${begin}; 1 alert was not sent`]);
    log.stopped();
    log.lost(2);
    log.lost(1);
    log.take(status(state), named);
    t.same(found.slice(1), [`${begin}; 3 alerts were not sent`]);
    log.stopped();
    log.take(status(state), named);
    t.notMatch(found.at(-1), /not sent/);
  }
});
