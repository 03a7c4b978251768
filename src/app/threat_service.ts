import type { Log } from '../host/journal.ts';
import { type Actor, actorLabel, systemActor } from '../model/actor.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import { notFound } from '../model/fault.ts';
import type { DismissalEnd, Threat } from '../model/threat.ts';
import { formatTime } from '../model/time.ts';
import type { Deed, Ledger } from '../store/ledger.ts';
import type { State } from '../store/state.ts';
import { type ThreatMarkRows, type ThreatMarks, threatMarkRows } from '../store/threat_marks.ts';
import type { World } from '../world/world.ts';
import { tryUnasked } from './unasked_write.ts';

const NOT_UPDATED = 'an acknowledgement or a dismissal of a threat was not updated in the database';

type Deps = { world: World; state: State; ledger: Ledger; workspaceId: string; log: Log };

/** Threats of a world, and their marks: acknowledgements and dismissals by people. Marks do not change scores. */
export class ThreatService {
  readonly #deps: Deps;
  readonly #rows: ThreatMarkRows;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#rows = threatMarkRows(deps.state);
  }

  list(): readonly Threat[] {
    return this.#deps.world.threats.list();
  }

  get(trackId: string): Threat | undefined {
    return this.#deps.world.threats.get(trackId);
  }

  /** Assesses threats under another policy. `trackIds` selects tracks of the picture; null means all tracks. */
  async preview(policy: DecisionPolicy, trackIds: readonly string[] | null): Promise<readonly Threat[]> {
    const { picture, coreConfiguration, threats } = this.#deps.world;
    const numbers = trackIds?.flatMap((id) => picture.numberOf(id) ?? []) ?? null;
    const assessed = await coreConfiguration.preview(policy, numbers);
    return assessed.map((threat) => threats.documentOf(threat));
  }

  /** Restores the marks of tracks that still exist, and deletes the marks of other tracks. */
  load(): void {
    const { world, workspaceId } = this.#deps;
    const { threats } = world;
    for (const { trackId, marks, level } of this.#rows.list(workspaceId)) {
      if (world.track(trackId)) threats.mark(trackId, marks, level);
      else this.#rows.delete(workspaceId, trackId);
    }
    threats.forgotten.add((trackId) =>
      tryUnasked(this.#deps.log, NOT_UPDATED, () => this.#rows.delete(workspaceId, trackId)),
    );
    threats.worsened.add((threat) => this.#end(threat, 'level_rose'));
  }

  /** Acknowledges a threat. Throws `not_found` if the track is no threat. */
  acknowledge(trackId: string, note: string | null, by: Actor): Threat {
    const { dismissed, acknowledged: first, dismissal_ended: ended } = this.#require(trackId);
    // A later acknowledgement replaces the first one only if it has a note or follows the end of a dismissal.
    if (first && note === null && ended === null) return this.#require(trackId);
    const acknowledged = { by: actorLabel(by), at: this.#deps.ledger.nowText(), note };
    const text = (label: string): string => `${acknowledged.by} acknowledged the threat of ${label}`;
    const marks = { acknowledged, dismissed, dismissal_ended: null };
    return this.#mark(trackId, marks, { kind: 'threat.acknowledged', by, reason: note, text });
  }

  /**
   * Dismisses a threat until a time; null means for the life of the track. A time in the past ends a dismissal. Throws
   * `not_found` if the track is no threat.
   */
  dismiss(trackId: string, reason: string, until: string | null, by: Actor): Threat {
    const at = this.#deps.ledger.nowText();
    const untilText = until === null ? null : formatTime(Date.parse(until));
    const { acknowledged } = this.#require(trackId);
    if (untilText !== null && untilText <= at) {
      const text = (label: string): string => `${actorLabel(by)} ended the dismissal of ${label}`;
      const marks = { acknowledged, dismissed: null, dismissal_ended: null };
      return this.#mark(trackId, marks, { kind: 'threat.recalled', by, reason, text });
    }
    const dismissed = { by: actorLabel(by), at, reason, until: untilText };
    const text = (label: string): string => `${dismissed.by} dismissed the threat of ${label}: ${reason}`;
    const marks = { acknowledged, dismissed, dismissal_ended: null };
    return this.#mark(trackId, marks, { kind: 'threat.dismissed', by, reason, text });
  }

  /** Ends dismissals that have expired. */
  expire(nowText: string): void {
    for (const trackId of this.#deps.world.threats.dismissalsOver(nowText)) {
      const threat = this.get(trackId);
      if (threat) this.#end(threat, 'expired');
      else this.#unmark(trackId);
    }
  }

  /**
   * Ends the dismissal of a threat, so that rules report the threat again. Does so even if the log row cannot be
   * written.
   */
  #end(threat: Threat, reason: DismissalEnd['reason']): void {
    const { track_id: trackId } = threat;
    const marks = this.#liftedMarks(threat, reason);
    if (!tryUnasked(this.#deps.log, NOT_UPDATED, () => this.#lift(threat, reason)))
      this.#deps.world.threats.mark(trackId, marks);
  }

  #lift(threat: Threat, reason: DismissalEnd['reason']): void {
    const marks = this.#liftedMarks(threat, reason);
    const { from_level, to_level } = marks.dismissal_ended;
    const why =
      reason === 'expired' ? 'its time limit has passed' : `the threat level rose from ${from_level} to ${to_level}`;
    const text = (label: string): string => `the dismissal of the threat of ${label} ended: ${why}`;
    this.#mark(threat.track_id, marks, { kind: 'threat.recalled', by: systemActor, reason: why, text });
  }

  /** Returns the marks that a threat has after the service ended its dismissal for `reason`. */
  #liftedMarks({ track_id: trackId, acknowledged, dismissed, level }: Threat, reason: DismissalEnd['reason']) {
    const { world, ledger } = this.#deps;
    const levels = { from_level: world.threats.dismissedAt(trackId), to_level: level };
    const ended = { at: ledger.nowText(), by: dismissed?.by ?? actorLabel(systemActor), reason, ...levels };
    return { acknowledged, dismissed: null, dismissal_ended: ended } satisfies ThreatMarks;
  }

  /** Deletes the marks of a track that is no threat now. */
  #unmark(trackId: string): void {
    tryUnasked(this.#deps.log, NOT_UPDATED, () => this.#rows.delete(this.#deps.workspaceId, trackId));
    this.#deps.world.threats.mark(trackId, { acknowledged: null, dismissed: null, dismissal_ended: null });
  }

  #mark(
    trackId: string,
    marks: ThreatMarks,
    { text, ...deed }: Pick<Deed, 'kind' | 'by' | 'reason'> & { text(label: string): string },
  ): Threat {
    const { world, ledger, workspaceId } = this.#deps;
    const { acknowledged, dismissed, dismissal_ended, level, score, policy_version } = this.#require(trackId);
    const label = world.track(trackId)?.number ?? trackId;
    const change = (): { result: undefined; deed: Deed } => {
      this.#rows.put(workspaceId, trackId, marks, level);
      const subject = { type: 'track', id: trackId, label };
      const before = { acknowledged, dismissed, dismissal_ended, level, score };
      return {
        result: undefined,
        deed: { ...deed, text: text(label), workspaceId, subject, before, after: marks, policyVersion: policy_version },
      };
    };
    ledger.vital(() => ledger.change(`The threat of ${label}`, change));
    world.threats.mark(trackId, marks);
    return this.#require(trackId);
  }

  #require(trackId: string): Threat {
    const threat = this.get(trackId);
    if (!threat)
      throw notFound(`there is no threat for the track id ${trackId}: the track is no threat, or does not exist`);
    return threat;
  }
}
