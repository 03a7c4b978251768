import type { CoreHandle } from '../core/handle.ts';
import type { DecisionPolicy } from '../model/decision_config.ts';
import type { Severity } from '../model/event.ts';
import { type ThreatLevel, threatLevels } from '../model/posture.ts';
import type { Threat } from '../model/threat.ts';
import type { PictureState } from '../picture/picture.ts';
import type { ThreatMarks } from '../picture/threats.ts';
import type { Briefing } from './briefing.ts';
import type { EventLog } from './event_log.ts';

const severityOf: Record<ThreatLevel, Severity> = {
  none: 'info',
  low: 'info',
  medium: 'notice',
  high: 'warning',
  critical: 'critical',
};

/** The threats of a world: looked at, marked by people, previewed, and told in the log as their levels change. */
export class ThreatWatch {
  readonly #picture: PictureState;
  readonly #core: () => CoreHandle;
  readonly #briefing: Briefing;
  readonly #events: EventLog;
  /** Of a dismissed threat that is a greater one now. */
  onWorse: (threat: Threat) => void = () => {};
  /** The track of what was marked is gone. */
  onGone: (trackId: string) => void = () => {};

  constructor(picture: PictureState, core: () => CoreHandle, briefing: Briefing, events: EventLog) {
    this.#picture = picture;
    this.#core = core;
    this.#briefing = briefing;
    this.#events = events;
    picture.threats.onLevel = (threat, was) => this.#levelled(threat, was);
    picture.threats.onWorse = (threat) => this.onWorse(threat);
    picture.threats.onForgotten = (trackId) => this.onGone(trackId);
  }

  list(): Threat[] {
    return this.#picture.threats.list();
  }

  get(trackId: string): Threat | undefined {
    return this.#picture.threats.get(trackId);
  }

  dismissalsOver(nowText: string): string[] {
    return this.#picture.threats.dismissalsOver(nowText);
  }

  marksOf(trackId: string): ThreatMarks {
    return this.#picture.threats.marksOf(trackId);
  }

  mark(trackId: string, marks: ThreatMarks, level?: ThreatLevel): void {
    this.#picture.threats.mark(trackId, marks, level);
    const number = this.#picture.numberOf(trackId);
    if (number !== null) this.#briefing.dismissed(number, marks.dismissed !== null);
  }

  /** What tracks would be under another policy: all, or those of these ids that are in the picture. */
  async preview(policy: DecisionPolicy, trackIds: readonly string[] | null): Promise<Threat[]> {
    const numbers = trackIds?.flatMap((id) => this.#picture.numberOf(id) ?? []) ?? null;
    const { version } = this.#briefing.policy;
    const threats = await this.#core().preview({ policy, version }, numbers);
    return threats.map((threat) => this.#picture.threats.documentOf(threat));
  }

  #levelled(threat: Threat, was: ThreatLevel): void {
    const track = this.#picture.track(threat.track_id);
    if (!track || track.state === 'tentative') return;
    const { level, score, factors, policy_version } = threat;
    const rises = threatLevels.indexOf(level) > threatLevels.indexOf(was);
    // The log is read by who is not told where pilots stand; and what takes points off is no reason to rise.
    const first = factors.find(({ id, contribution }) => id !== 'operator_near' && contribution > 0);
    const why = rises && first ? `: ${first.text}` : '';
    const text = `the threat of ${track.number} is ${level}, it was ${was}${why}`;
    const told = factors.slice(0, 5).map(({ id, contribution }) => ({ id, contribution }));
    const change = { before: { level: was }, after: { level, score, factors: told }, policy_version };
    const subject = { type: 'track', id: track.id, label: track.number };
    this.#events.write('threat.level', rises ? severityOf[level] : 'info', text, subject, change);
  }
}
