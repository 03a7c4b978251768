import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlertLog } from '../../src/alerts/alert_log.ts';
import type { Cause } from '../../src/alerts/deps.ts';
import type { Alert, AlertKind } from '../../src/model/alert.ts';
import type { Notice } from '../../src/model/webhook.ts';
import { type AlertStore, alertStore } from '../../src/store/alerts.ts';
import { openState, type State } from '../../src/store/state.ts';
import { workspaceRows } from '../../src/store/workspaces.ts';

export type Told = { kind: AlertKind; alert: Alert };
export type BookRig = {
  book: AlertLog;
  store: AlertStore;
  told: Told[];
  logged: { kind: string; text: string }[];
  troubles: string[];
  /** What went to webhooks, once it stood on the disk. */
  sent: Notice[];
  writes(): number;
  /** What was told since this was asked last, kind and state alone. */
  news(): string[];
};

type Test = { teardown(stop: () => unknown): unknown };

export function openFolder(t: Test): State {
  const folder = mkdtempSync(join(tmpdir(), 'dunlin-alerts-'));
  const state = openState(folder);
  t.teardown(() => {
    state.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return state;
}

/** A book over a real database; `break` of the state is up to the test. */
export function openBook(
  t: Test,
  state: State = openFolder(t),
  causeOf: (alert: Alert) => Cause = () => 'seen',
): BookRig {
  const workspaceId = workspaceRows(state).list()[0]?.id ?? '';
  const [told, logged, troubles, sent]: [Told[], BookRig['logged'], string[], Notice[]] = [[], [], [], []];
  let writes = 0;
  const stored = alertStore(state, workspaceId, (notices) => () => void sent.push(...notices));
  const store: AlertStore = {
    ...stored,
    save(kept, notices) {
      writes++;
      return stored.save(kept, notices);
    },
  };
  let made = workspaceRows(state).list().length + stored.page(everything).rows.length;
  const book = new AlertLog({
    store,
    newId: () => `5e0f6a52-0d3c-8a11-9c55-${String(++made).padStart(12, '0')}`,
    timeText: (ms) => new Date(Date.UTC(2025, 5, 1) + ms).toISOString(),
    publish: (alert, kinds) => void told.push(...kinds.map((kind) => ({ kind, alert }))),
    log: (kind, _severity, text) => void logged.push({ kind, text }),
    trouble: (sentence) => void troubles.push(sentence),
    causeOf,
    endOf: () => 'left',
  });
  const news = (): string[] => told.splice(0).map(({ kind, alert }) => `${kind} ${alert.state}`);
  return { book, store, told, logged, troubles, sent, writes: () => writes, news };
}

export const everything = { state: null, leastRank: 0, sinceMs: null, untilMs: null, limit: 1_000, after: null };
