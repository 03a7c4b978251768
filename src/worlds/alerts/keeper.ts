import { type Alert, severityRank } from '../../model/alert.ts';
import type { Notice } from '../../model/webhook.ts';
import { type AlertPage, type AlertQuery, alertRows, type KeptAlert } from '../../store/alerts.ts';
import type { State } from '../../store/state.ts';

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

/**
 * In the state of the box. `notify` writes down what is to be sent to others, within the same transaction; what it
 * returns is called once that stands.
 */
export function storedAlerts(
  state: State,
  workspaceId: string,
  notify: (notices: readonly Notice[]) => () => void,
): AlertKeeper {
  const rows = alertRows(state);
  return {
    open: () => rows.open(workspaceId),
    get: (id) => rows.get(workspaceId, id),
    page: (query) => rows.page(workspaceId, query),
    save(kept, notices) {
      const then = state.write('The alerts', () => {
        for (const one of kept) rows.put(workspaceId, one, severityRank(one.alert.severity));
        return notices.length === 0 ? null : notify(notices);
      });
      then?.();
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
