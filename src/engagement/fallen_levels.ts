import { type ThreatLevel, threatLevels } from '../model/posture.ts';

/**
 * Time for which a proposal outlives a fall of its track's threat level, ms. The level of an aircraft that flies to and
 * fro falls and rises several times a minute; without this time its plans would change while a person reads them.
 */
const KEEPS_MS = 30_000;

/** Proposals whose track has a lower threat level than when they were made, with the time since which it is lower. */
export class FallenLevels {
  /** Times by engagement id, ms of world time. */
  readonly #sinceMs = new Map<string, number>();

  /** Takes the present level of a proposal's track. Call this once a second for each proposal. */
  note(engagementId: string, proposed: ThreatLevel, now: ThreatLevel, nowMs: number): void {
    if (threatLevels.indexOf(now) >= threatLevels.indexOf(proposed)) this.#sinceMs.delete(engagementId);
    else if (!this.#sinceMs.has(engagementId)) this.#sinceMs.set(engagementId, nowMs);
  }

  /** Whether the level fell so recently that the proposal stays as it is. */
  isRecent(engagementId: string, nowMs: number): boolean {
    const sinceMs = this.#sinceMs.get(engagementId);
    return sinceMs !== undefined && nowMs - sinceMs < KEEPS_MS;
  }

  /** Drops the entries of engagements that are no proposals any more. */
  keep(isProposal: (engagementId: string) => boolean): void {
    for (const id of this.#sinceMs.keys()) if (!isProposal(id)) this.#sinceMs.delete(id);
  }
}
