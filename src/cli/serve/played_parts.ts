import type { Config } from '../../host/config.ts';
import type { Log } from '../../host/journal.ts';
import type { Metrics } from '../../host/metrics.ts';
import type { Service } from '../../http/service.ts';
import type { SimState } from '../../model/picture.ts';
import type { RegistryRim } from '../../registry/rim.ts';
import type { HistoryLog } from '../../store/log/history.ts';
import type { Theatre } from './theatre.ts';

/** What each world beside the live one is made with, whatever is played in it. */
export type PlayedParts = {
  workspace: { id: string; name: string };
  history: HistoryLog;
  config: Config;
  metrics: Metrics;
  about: Service['about'];
  settingsHash: string;
  log: Log;
  links: Service['links'];
  sim(): SimState;
  /** The clock of those who watch. */
  tellMs(): number;
  onFailed(sentence: string): void;
  /** What is to end with it. */
  onStopped?(): Promise<void>;
};

/** What the registry of a played world changes is told in its own theatre, once that stands, and nowhere else. */
export function tellIn(theatre: () => Theatre | undefined): RegistryRim['tell'] {
  return {
    row: (list, row) => theatre()?.rowsChanged(list, [row]),
    rows: (list, rows) => theatre()?.rowsChanged(list, rows),
    removed: (list, id) => theatre()?.rowRemoved(list, id),
    announce: (kind, body) => theatre()?.world.shown.announce(kind, body),
  };
}
