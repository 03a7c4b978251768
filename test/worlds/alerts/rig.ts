import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Alert, AlertKind } from '../../../src/model/alert.ts';
import type { Notice } from '../../../src/model/webhook.ts';
import { openState, type State } from '../../../src/store/state.ts';
import { workspaceRows } from '../../../src/store/workspaces.ts';
import { AlertBook, type Cause } from '../../../src/worlds/alerts/book.ts';
import { type AlertKeeper, storedAlerts } from '../../../src/worlds/alerts/keeper.ts';

export type Told = { kind: AlertKind; alert: Alert };
export type BookRig = {
  book: AlertBook;
  keeper: AlertKeeper;
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
  const stored = storedAlerts(state, workspaceId, (notices) => () => void sent.push(...notices));
  const keeper: AlertKeeper = {
    ...stored,
    save(kept, notices) {
      writes++;
      stored.save(kept, notices);
    },
  };
  let made = workspaceRows(state).list().length + stored.page(everything).rows.length;
  const book = new AlertBook({
    keeper,
    newId: () => `5e0f6a52-0d3c-8a11-9c55-${String(++made).padStart(12, '0')}`,
    timeText: (ms) => new Date(Date.UTC(2025, 5, 1) + ms).toISOString(),
    tell: (alert, kinds) => void told.push(...kinds.map((kind) => ({ kind, alert }))),
    log: (kind, _severity, text) => void logged.push({ kind, text }),
    trouble: (sentence) => void troubles.push(sentence),
    causeOf,
  });
  const news = (): string[] => told.splice(0).map(({ kind, alert }) => `${kind} ${alert.state}`);
  return { book, keeper, told, logged, troubles, sent, writes: () => writes, news };
}

export const everything = { state: null, leastRank: 0, sinceMs: null, untilMs: null, limit: 1_000, after: null };
