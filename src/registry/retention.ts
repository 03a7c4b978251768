import { type Actor, actorLabel } from '../model/actor.ts';
import { Listeners } from '../model/listeners.ts';
import { type RetentionSpec, retentionSpecSchema } from '../model/retention.ts';
import type { RetentionClock } from '../store/retention_clock.ts';
import { type SettingRow, settingRows } from '../store/settings.ts';
import type { State } from '../store/state.ts';
import type { RegistryDeps } from './deps.ts';

const KEY = 'retention';

export type RetentionChoice = RetentionSpec & { updated_at: string | null; updated_by: string | null };

/** Returns the retention of a workspace: the owner's choice, or else the configuration. */
export function retentionOf(state: State, workspaceId: string, ofConfiguration: RetentionSpec): RetentionChoice {
  return choiceOf(settingRows(state).get(workspaceId, KEY), ofConfiguration);
}

function choiceOf(row: SettingRow | null, { days, bytes }: RetentionSpec): RetentionChoice {
  const read = row === null ? null : retentionSpecSchema.safeParse(row.value);
  if (row === null || !read?.success) return { days, bytes, updated_at: null, updated_by: null };
  return { ...read.data, updated_at: row.updatedAt, updated_by: row.updatedBy };
}

export class RetentionPolicy {
  readonly #deps: RegistryDeps;
  readonly #ofConfiguration: RetentionSpec;
  /** Clock that decides whether the history may be pruned by days; null outside a workspace. */
  readonly clock: RetentionClock | null;
  /** Emitted after each change; the history then applies the limits at once. */
  readonly changed = new Listeners();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
    this.#ofConfiguration = deps.retention?.ofConfiguration ?? { days: 30, bytes: 20e9 };
    this.clock = deps.retention?.clock ?? null;
  }

  get(): RetentionChoice {
    return retentionOf(this.#deps.state, this.#deps.workspaceId, this.#ofConfiguration);
  }

  set({ days, bytes }: RetentionSpec, by: Actor): RetentionChoice {
    const { state, ledger, workspaceId, publish } = this.#deps;
    const { days: daysBefore, bytes: bytesBefore } = this.get();
    ledger.change('The retention', () => {
      const at = ledger.nowText();
      settingRows(state).put({
        workspaceId,
        key: KEY,
        value: { days, bytes },
        updatedAt: at,
        updatedBy: actorLabel(by),
      });
      const deed = {
        kind: 'retention.changed',
        severity: 'notice',
        text: `the history keeps at most ${days} days and ${(bytes / 1e9).toFixed(2)} GB`,
        by,
        workspaceId,
        subject: { type: 'retention', id: KEY, label: 'retention' },
        before: { days: daysBefore, bytes: bytesBefore },
        after: { days, bytes },
      } as const;
      return { result: undefined, deed };
    });
    this.changed.emit();
    publish.announce('config_change', { what: 'retention', id: null, version: null, by: actorLabel(by) });
    return this.get();
  }
}
