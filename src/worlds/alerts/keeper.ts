import type { Alert } from '../../model/alert.ts';
import { severityRank } from '../../model/alert.ts';
import type { WebhookEvent } from '../../model/webhook.ts';
import { type AlertPage, type AlertQuery, alertRows, type KeptAlert } from '../../store/alerts.ts';
import type { State } from '../../store/state.ts';

/** What others are to be sent. */
export type Notice = { kind: WebhookEvent; severity: Alert['severity']; at: string; body: object };

/** Where alerts stand for as long as they are wanted. */
export type AlertKeeper = {
  open(): KeptAlert[];
  get(id: string): Alert | null;
  page(query: AlertQuery): AlertPage;
  /** On the disk with what is to be sent of them, all or nothing. Throws a Fault where the disk refuses. */
  save(kept: readonly KeptAlert[], notices: readonly Notice[]): void;
  prune(): void;
};

/** History of alerts beyond these goes, the oldest first. */
const MOST_KEPT = 50_000;
const PRUNED_AT_ONCE = 2_000;

/** In the state of the box; `notify` takes what is sent to others, within the same transaction. */
export function storedAlerts(
  state: State,
  workspaceId: string,
  notify: (notices: readonly Notice[]) => void,
): AlertKeeper {
  const rows = alertRows(state);
  return {
    open: () => rows.open(workspaceId),
    get: (id) => rows.get(workspaceId, id),
    page: (query) => rows.page(workspaceId, query),
    save(kept, notices) {
      state.write('The alerts', () => {
        for (const one of kept) rows.put(workspaceId, one, severityRank(one.alert.severity));
        if (notices.length > 0) notify(notices);
      });
    },
    prune: () => void state.write('The alerts', () => rows.prune(workspaceId, MOST_KEPT, PRUNED_AT_ONCE)),
  };
}

/** Of a world whose alerts are not kept. */
export const unkeptAlerts: AlertKeeper = {
  open: () => [],
  get: () => null,
  page: () => ({ rows: [], next: null }),
  save: () => {},
  prune: () => {},
};
