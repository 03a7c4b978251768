import { type Alert, severityRank } from '../model/alert.ts';
import type { Notice } from '../model/webhook.ts';
import { newestPage, type Page, type PageQuery, pageOf, pageValues } from './page.ts';
import type { State } from './state.ts';
import { flag, json, number, plain, Statements, table, text } from './table.ts';

/** Rule event that continues within an alert. */
export type KeptEvent = {
  /** Identifies the event; constant for as long as the event lasts. */
  readonly key: string;
  readonly ruleId: string;
  readonly ruleVersion: number;
  readonly severity: Alert['severity'];
  readonly subject: Alert['subject'];
  readonly text: string;
  readonly trackIds: readonly string[];
  readonly zoneId: string | null;
  readonly count: number;
};

/** Alert as stored: with the key of its subject, its continuing events, and whether webhooks are notified. */
export type KeptAlert = { alert: Alert; key: string; notify: boolean; events: readonly KeptEvent[] };

/** Query of alerts. `leastRank` is the rank of the lowest requested severity. */
type AlertQuery = PageQuery & { state: Alert['state'] | null; leastRank: number };

/** Alerts of one workspace. See `MOST_KEPT` for the settled alerts (cleared and acknowledged) that are deleted. */
export type AlertStore = ReturnType<typeof alertStore>;

/**
 * Writes deliveries of notices to webhooks, within the transaction of the alerts. Returns a function that starts the
 * sending; it must be called after the commit.
 */
type Notify = (notices: readonly Notice[]) => () => void;

/** Number of the newest alerts of a workspace that are always kept. Older ones are deleted once they are settled. */
const MOST_KEPT = 50_000;
const PRUNED_AT_ONCE = 2_000;

const alerts = table('alerts', 'alert', {
  number,
  id: text,
  workspaceId: text,
  eventKey: text,
  notify: flag,
  state: plain<Alert['state']>(),
  /** Rank of the alert's severity. */
  severity: number,
  settled: flag,
  raisedMs: number,
  document: json<Alert>(),
  events: json<readonly KeptEvent[]>(),
});

export function alertStore(state: State, workspaceId: string, notify: Notify = () => () => {}) {
  const rows = new Statements(state.db, alerts);
  const open = rows.all<[string]>('workspace_id = ? AND settled = 0 ORDER BY number');
  const get = rows.document<[string, string]>('workspace_id = ? AND id = ?');
  const page = rows.all<[object]>(
    `workspace_id = @workspaceId AND severity >= @leastRank AND (@state IS NULL OR state = @state)
       AND ${newestPage('raised_ms')}`,
  );
  const put = rows.put(['id'], ['eventKey', 'notify', 'state', 'severity', 'settled', 'document', 'events']);
  const prune = rows.delete<[string, string, number, number]>(
    `number IN (SELECT number FROM alerts WHERE workspace_id = ? AND settled = 1 AND number <= (
       SELECT number FROM alerts WHERE workspace_id = ? ORDER BY number DESC LIMIT 1 OFFSET ?) LIMIT ?)`,
  );
  const putOne = ({ alert, key: eventKey, notify, events }: KeptAlert): void => {
    const { id, state, severity, settled_at, raised_at } = alert;
    put({
      ...{ id, workspaceId, eventKey, notify, state, severity: severityRank(severity) },
      ...{ settled: settled_at !== null, raisedMs: Date.parse(raised_at), document: alert, events },
    });
  };
  return {
    /** Returns all alerts that are not settled, the oldest first. */
    open: (): KeptAlert[] =>
      open(workspaceId).map(({ eventKey: key, notify, document: alert, events }) => ({ key, notify, alert, events })),
    get: (id: string) => get(workspaceId, id),
    /** Returns one page of alerts, the newest first. */
    page({ state, leastRank, ...query }: AlertQuery): Page<Alert> {
      const found = page({ workspaceId, state, leastRank, ...pageValues(query) });
      const { rows, next } = pageOf(found, query.limit, ({ raisedMs: ms, number }) => ({ ms, number }));
      return { rows: rows.map(({ document }) => document), next };
    },
    /**
     * Inserts alerts, or replaces those with the same ids. Alerts and notices are written in one transaction. Throws a
     * Fault if the write fails. Returns a function that starts the sending of the notices. Call it once, after the
     * commit: a write within a transaction may still fail, and a vital one is repeated on a full disk.
     */
    save(kept: readonly KeptAlert[], notices: readonly Notice[]): () => void {
      return state.write('A change of the alerts', () => {
        for (const one of kept) putOne(one);
        return notices.length === 0 ? () => {} : notify(notices);
      });
    },
    /**
     * Deletes settled alerts that are older than the newest `MOST_KEPT` alerts, at most `PRUNED_AT_ONCE` in one call.
     */
    prune: () =>
      void state.write('The pruning of the alerts', () => prune(workspaceId, workspaceId, MOST_KEPT, PRUNED_AT_ONCE)),
  };
}
