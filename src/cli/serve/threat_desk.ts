import type { Log } from '../../host/journal.ts';
import { type Actor, actorLabel, systemActor } from '../../model/actor.ts';
import { Fault } from '../../model/fault.ts';
import type { Threat } from '../../model/threat.ts';
import { formatTime } from '../../model/time.ts';
import type { Deed, Ledger } from '../../store/ledger.ts';
import type { State } from '../../store/state.ts';
import { type ThreatMarkRows, type ThreatMarks, threatMarkRows } from '../../store/threat_marks.ts';
import type { World } from '../../worlds/world.ts';

type Parts = { world: World; state: State; ledger: Ledger; workspaceId: string; log: Log };

/** What people do about threats: that they have seen one, that one is none. Nothing of it changes a score. */
export class ThreatDesk {
  readonly #world: World;
  readonly #ledger: Ledger;
  readonly #rows: ThreatMarkRows;
  readonly #workspaceId: string;
  readonly #log: Log;

  constructor({ world, state, ledger, workspaceId, log }: Parts) {
    this.#world = world;
    this.#ledger = ledger;
    this.#rows = threatMarkRows(state);
    this.#workspaceId = workspaceId;
    this.#log = log;
  }

  /** What was done about tracks that are still there; of others it is history. */
  load(): void {
    for (const { trackId, marks, level } of this.#rows.list(this.#workspaceId)) {
      if (this.#world.track(trackId)) this.#world.threats.mark(trackId, marks, level);
      else this.#rows.delete(this.#workspaceId, trackId);
    }
    this.#world.threats.onGone = (trackId) => this.#surely(() => this.#rows.delete(this.#workspaceId, trackId));
    this.#world.threats.onWorse = (threat) => this.#worse(threat);
  }

  acknowledge(trackId: string, note: string | null, by: Actor): Threat {
    const { dismissed, acknowledged: first } = this.#get(trackId);
    // Who has seen it first has seen it; a note adds to that.
    if (first && note === null) return this.#get(trackId);
    const acknowledged = { by: actorLabel(by), at: this.#ledger.nowText(), note };
    const text = (label: string): string => `${acknowledged.by} acknowledged the threat of ${label}`;
    return this.#mark(trackId, { acknowledged, dismissed }, { kind: 'threat.acknowledged', by, reason: note, text });
  }

  /** A time that is over ends the dismissal. */
  dismiss(trackId: string, reason: string, until: string | null, by: Actor): Threat {
    const at = this.#ledger.nowText();
    const untilText = until === null ? null : formatTime(Date.parse(until));
    const { acknowledged } = this.#get(trackId);
    if (untilText !== null && untilText <= at) {
      const text = (label: string): string => `${actorLabel(by)} ended the dismissal of ${label}`;
      return this.#mark(trackId, { acknowledged, dismissed: null }, { kind: 'threat.recalled', by, reason, text });
    }
    const dismissed = { by: actorLabel(by), at, reason, until: untilText };
    const text = (label: string): string => `${dismissed.by} dismissed the threat of ${label}`;
    return this.#mark(trackId, { acknowledged, dismissed }, { kind: 'threat.dismissed', by, reason, text });
  }

  /** Ends dismissals whose time has come. */
  expire(nowText: string): void {
    for (const trackId of this.#world.threats.dismissalsOver(nowText)) {
      const threat = this.#world.threats.get(trackId);
      if (threat) this.#lift(threat, 'its time is over');
      else this.#unmark(trackId);
    }
  }

  /** It holds at once, also where the disk refuses to keep it: what got worse must not stay silent. */
  #worse(threat: Threat): void {
    const why = `it is ${threat.level} now, more than when it was dismissed`;
    const { track_id: trackId, acknowledged } = threat;
    if (!this.#surely(() => this.#lift(threat, why)))
      this.#world.threats.mark(trackId, { acknowledged, dismissed: null });
  }

  /** What the core brings about must not end the daemon where the disk refuses it. Returns whether it was done. */
  #surely(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (thrown) {
      this.#log.warn({ err: thrown }, 'what became of a threat was not written');
      return false;
    }
  }

  #lift({ track_id: trackId, acknowledged }: Threat, why: string): void {
    const text = (label: string): string => `the threat of ${label} is dismissed no longer: ${why}`;
    this.#mark(
      trackId,
      { acknowledged, dismissed: null },
      { kind: 'threat.recalled', by: systemActor, reason: why, text },
    );
  }

  /** One whose threat is none at the moment. */
  #unmark(trackId: string): void {
    const marks = { acknowledged: null, dismissed: null };
    this.#rows.delete(this.#workspaceId, trackId);
    this.#world.threats.mark(trackId, marks);
  }

  #mark(
    trackId: string,
    marks: ThreatMarks,
    { text, ...deed }: Pick<Deed, 'kind' | 'by' | 'reason'> & { text(label: string): string },
  ): Threat {
    const before = this.#get(trackId);
    const label = this.#world.track(trackId)?.number ?? trackId;
    this.#ledger.change(`The threat of ${label}`, () => {
      this.#rows.put(this.#workspaceId, trackId, marks, before.level);
      const was = {
        acknowledged: before.acknowledged,
        dismissed: before.dismissed,
        level: before.level,
        score: before.score,
      };
      return {
        result: undefined,
        deed: {
          ...deed,
          text: text(label),
          workspaceId: this.#workspaceId,
          subject: { type: 'track', id: trackId, label },
          before: was,
          after: marks,
          policyVersion: before.policy_version,
        },
      };
    });
    this.#world.threats.mark(trackId, marks);
    return this.#get(trackId);
  }

  #get(trackId: string): Threat {
    const threat = this.#world.threats.get(trackId);
    if (!threat) throw new Fault('not_found', `there is no threat of a track with the id ${trackId}`);
    return threat;
  }
}
