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

type Deps = { world: World; state: State; ledger: Ledger; workspaceId: string; log: Log };

/** The threats of a world, and their acknowledgements and dismissals by people. Neither changes a score. */
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

  /** Threats under another policy, for all tracks or for those of `trackIds` that are in the picture. */
  async preview(policy: DecisionPolicy, trackIds: readonly string[] | null): Promise<readonly Threat[]> {
    const { picture, coreConfiguration, threats } = this.#deps.world;
    const numbers = trackIds?.flatMap((id) => picture.numberOf(id) ?? []) ?? null;
    const assessed = await coreConfiguration.preview(policy, numbers);
    return assessed.map((threat) => threats.documentOf(threat));
  }

  /** Restores the marks of tracks that still exist, and deletes those of others. */
  load(): void {
    const { world, workspaceId } = this.#deps;
    const { threats } = world;
    for (const { trackId, marks, level } of this.#rows.list(workspaceId)) {
      if (world.track(trackId)) threats.mark(trackId, marks, level);
      else this.#rows.delete(workspaceId, trackId);
    }
    threats.forgotten.add((trackId) => this.#tryToPersist(() => this.#rows.delete(workspaceId, trackId)));
    threats.worsened.add((threat) => this.#worse(threat));
  }

  /** Throws `not_found` where the track is no threat. */
  acknowledge(trackId: string, note: string | null, by: Actor): Threat {
    const { dismissed, acknowledged: first, dismissal_ended: ended } = this.#require(trackId);
    // The first acknowledgement stays, unless a later one adds a note or follows the end of a dismissal.
    if (first && note === null && ended === null) return this.#require(trackId);
    const acknowledged = { by: actorLabel(by), at: this.#deps.ledger.nowText(), note };
    const text = (label: string): string => `${acknowledged.by} acknowledged the threat of ${label}`;
    const marks = { acknowledged, dismissed, dismissal_ended: null };
    return this.#mark(trackId, marks, { kind: 'threat.acknowledged', by, reason: note, text });
  }

  /** Dismisses a threat; an `until` in the past ends the dismissal. Throws `not_found` where the track is no threat. */
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
    const text = (label: string): string => `${dismissed.by} dismissed the threat of ${label}`;
    const marks = { acknowledged, dismissed, dismissal_ended: null };
    return this.#mark(trackId, marks, { kind: 'threat.dismissed', by, reason, text });
  }

  /** Ends dismissals that have expired. */
  expire(nowText: string): void {
    for (const trackId of this.#deps.world.threats.dismissalsOver(nowText)) {
      const threat = this.get(trackId);
      if (threat) this.#lift(threat, 'expired');
      else this.#unmark(trackId);
    }
  }

  /** Ends a dismissal at once, even where the disk refuses the row: a threat that got worse must raise alarms again. */
  #worse(threat: Threat): void {
    const { track_id: trackId } = threat;
    const marks = this.#liftedMarks(threat, 'level_rose');
    if (!this.#tryToPersist(() => this.#lift(threat, 'level_rose'))) this.#deps.world.threats.mark(trackId, marks);
  }

  /** Tries a write that the core caused: a disk error must not end the daemon. Returns whether the write succeeded. */
  #tryToPersist(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (thrown) {
      this.#deps.log.warn({ err: thrown }, 'what became of a threat was not written');
      return false;
    }
  }

  #lift(threat: Threat, reason: DismissalEnd['reason']): void {
    const marks = this.#liftedMarks(threat, reason);
    const { from_level, to_level } = marks.dismissal_ended;
    const why = reason === 'expired' ? 'its time is over' : `its level rose from ${from_level} to ${to_level}`;
    const text = (label: string): string => `the threat of ${label} is dismissed no longer: ${why}`;
    this.#mark(threat.track_id, marks, { kind: 'threat.recalled', by: systemActor, reason: why, text });
  }

  /** Marks of a threat whose dismissal ends by itself. */
  #liftedMarks({ track_id: trackId, acknowledged, dismissed, level }: Threat, reason: DismissalEnd['reason']) {
    const { world, ledger } = this.#deps;
    const levels = { from_level: world.threats.dismissedAt(trackId), to_level: level };
    const ended = { at: ledger.nowText(), by: dismissed?.by ?? actorLabel(systemActor), reason, ...levels };
    return { acknowledged, dismissed: null, dismissal_ended: ended } satisfies ThreatMarks;
  }

  /** Deletes the marks of a track that is no threat at the moment. */
  #unmark(trackId: string): void {
    this.#rows.delete(this.#deps.workspaceId, trackId);
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
    if (!threat) throw notFound(`there is no threat of a track with the id ${trackId}`);
    return threat;
  }
}
