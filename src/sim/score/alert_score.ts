import type { ScenarioActor } from '../../model/scenario.ts';
import { type AlertLog, isAtLeast, type ReportedAlert, type Telling } from './alert_log.ts';
import type { Cast } from './cast.ts';
import type { DueAlert } from './due_alerts.ts';
import { median } from './median.ts';
import type { Owners } from './owners.ts';

/**
 * Rules about false claims of aircraft, and rules about separation. For their alerts the intent of the aircraft does
 * not matter.
 */
const aboutClaims: ReadonlySet<string> = new Set(['suspect_remote_id', 'friend_cloned']);
const aboutSafety: ReadonlySet<string> = new Set(['own_platform_close', 'crewed_aircraft_near']);

/**
 * Scores alerts against the truth.
 *
 * A due alert is met by an alert about a track of its actor. That alert must be a warning or worse, or belong to the
 * zone for which it is due. `alert_latency_s` is the median time until due alerts came; an alert that came early counts
 * as 0 s. If only the scenario requires an alert, any alert about the actor meets it, and no latency is measured.
 *
 * A warning or worse about tracks is false if no expectation requires it and none of its tracks justifies it. Hostile
 * actors justify every alert. Friends, neutrals, birds and assets justify none, nor do false tracks that were not
 * recognised as fakes. There are two exceptions. Alerts about claims (`aboutClaims`) are also justified by tracks
 * without a real object, and by actors that claim false positions. Alerts about separation (`aboutSafety`) are also
 * justified by every track that follows a real object. Other actors of unknown affiliation justify all alerts that are
 * not about claims or separation.
 */
export class AlertJudge {
  readonly #log: AlertLog;
  readonly #owners: Owners;
  readonly #cast: Cast;

  constructor(log: AlertLog, owners: Owners, cast: Cast) {
    this.#log = log;
    this.#owners = owners;
    this.#cast = cast;
  }

  /**
   * Returns the metrics of alerts. `isAskedFor` returns true if an expectation of the scenario requires an alert.
   */
  score(due: readonly DueAlert[], isAskedFor: (alert: ReportedAlert) => boolean) {
    const waits: number[] = [];
    let missed = 0;
    for (const one of due) {
      const reportedMs = this.#reportedMs(one);
      if (reportedMs === null) missed++;
      else if (one.zoneId !== null) waits.push(Math.max(0, reportedMs - one.fromMs) / 1000);
    }
    let falseOnes = 0;
    for (const alert of this.#log.all()) if (this.#isFalse(alert) && !isAskedFor(alert)) falseOnes++;
    return { alert_latency_s: median(waits), alerts_missed: missed, alerts_false: falseOnes };
  }

  /** True if a published state of an alert is about a track of an actor. */
  isAbout(telling: Telling, actorId: string): boolean {
    return telling.trackIds.some((trackId) => {
      const owner = this.#owners.ownerAt(trackId, telling.atMs);
      return owner !== null && this.#cast.isOf(owner.id, actorId);
    });
  }

  #reportedMs({ actorId, zoneId }: DueAlert): number | null {
    let first: number | null = null;
    for (const alert of this.#log.all()) {
      for (const telling of alert.tellings) {
        const isLoud = zoneId === null || isAtLeast(telling.severity, 'warning') || alert.zoneId === zoneId;
        if (!isLoud || (first !== null && telling.atMs >= first) || !this.isAbout(telling, actorId)) continue;
        first = telling.atMs;
      }
    }
    return first;
  }

  #isFalse({ ruleId, tellings }: ReportedAlert): boolean {
    const loud = tellings.filter(({ severity, trackIds }) => isAtLeast(severity, 'warning') && trackIds.length > 0);
    if (loud.length === 0) return false;
    return !loud.some(({ trackIds, atMs }) => trackIds.some((trackId) => this.#isReason(ruleId, trackId, atMs)));
  }

  #isReason(ruleId: string, trackId: string, atMs: number): boolean {
    const owner = this.#owners.ownerAt(trackId, atMs);
    if (owner === null) return aboutClaims.has(ruleId) || this.#owners.wasFake(trackId);
    const actor = this.#cast.of(owner.id);
    if (!actor) return false;
    if (aboutClaims.has(ruleId)) return owner.as === 'claim' || actor.remote_id?.lies !== undefined || isHostile(actor);
    if (aboutSafety.has(ruleId)) return owner.as === 'thing' || isHostile(actor);
    return (
      isHostile(actor) || (actor.truth_affiliation === 'unknown' && actor.kind !== 'bird' && actor.kind !== 'asset')
    );
  }
}

function isHostile({ truth_affiliation }: ScenarioActor): boolean {
  return truth_affiliation === 'hostile';
}
