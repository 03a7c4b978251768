import type { Engagement } from '../model/engagement.ts';
import type { Provenance } from '../model/track.ts';

/** A stored document; rows of earlier versions have no provenance. */
type Stored<T extends { provenance: Provenance }> = Omit<T, 'provenance'> & { provenance?: Provenance };

/** Adds the provenance that older rows lack. It is `live`, because only the live world was ever stored across a restart. */
export function withProvenance<T extends { provenance: Provenance }>(document: Stored<T>): T {
  return { ...document, provenance: document.provenance ?? 'live' } as T;
}

/** Adds the missing provenance to an engagement with its plans and tasks. */
export function engagementWithProvenance(stored: Engagement): Engagement {
  const { candidates, tasks } = stored;
  return withProvenance({
    ...stored,
    candidates: candidates.map((plan) => withProvenance(plan)),
    tasks: tasks.map((task) => withProvenance(task)),
  });
}
