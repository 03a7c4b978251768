import type { Engagement } from '../model/engagement.ts';
import type { Provenance } from '../model/track.ts';

/** Stored document; rows of earlier versions have no provenance. */
type Stored<T extends { provenance: Provenance }> = Omit<T, 'provenance'> & { provenance?: Provenance };

/**
 * Adds the provenance that rows of earlier versions lack. The value is `live`, because these versions stored only
 * documents of the live world across a restart.
 */
export function withProvenance<T extends { provenance: Provenance }>(document: Stored<T>): T {
  return { ...document, provenance: document.provenance ?? 'live' } as T;
}

/** Adds the missing provenance to an engagement, its plans and its tasks. */
export function engagementWithProvenance(stored: Engagement): Engagement {
  const { candidates, tasks } = stored;
  return withProvenance({
    ...stored,
    candidates: candidates.map((plan) => withProvenance(plan)),
    tasks: tasks.map((task) => withProvenance(task)),
  });
}
