import { AlertLog } from '../../src/alerts/alert_log.ts';
import { alertStore } from '../../src/store/alerts.ts';
import { openState } from '../../src/store/state.ts';
import { workspaceRows } from '../../src/store/workspaces.ts';
import { firingOf } from '../support/registry/firings.ts';

/** Raises alerts and clears every third, and prints the key and the state of each once it is told; to be killed. */
const state = openState(process.argv[2] ?? '');
const workspaceId = workspaceRows(state).list()[0]?.id ?? '';
let made = 0;
const log = new AlertLog({
  store: alertStore(state, workspaceId),
  newId: () => `5e0f6a52-0d3c-8a11-9c55-${String(++made).padStart(12, '0')}`,
  timeText: () => new Date().toISOString(),
  publish: () => {},
  log: () => {},
  causeOf: () => 'seen',
  endOf: () => 'left',
  trouble: () => {},
});
function write(at: number): void {
  const key = `key ${at}`;
  log.take([firingOf({ key, text: key })], at);
  if (at % 3 === 0) log.take([firingOf({ key, text: key, change: 'ended' })], at);
  process.stdout.write(`${key} ${at % 3 === 0 ? 'cleared' : 'active'}\n`);
  setImmediate(write, at + 1);
}
write(1);
