import { randomUUID } from 'node:crypto';
import type { Plan } from '../model/engagement.ts';
import type { Threat } from '../model/threat.ts';
import { formatTime } from '../model/time.ts';
import type { Track } from '../model/track.ts';
import type { EngagementDeps, PlanVehicle } from './deps.ts';
import { type Held, isOpen, runsByItself } from './held.ts';
import { MOST_MATCHED } from './matching.ts';
import { levelsWithOffers, offered, rowFor } from './offer.ts';
import { plansOf, sealed } from './planner.ts';
import { type CamerasInUse, type Case, roundOf } from './round.ts';

type ProposedBy = Held['engagement']['proposed_by'];

/** Finds tracks that need a response, and makes plans for all of them at once. */
export class Proposer {
  readonly #deps: EngagementDeps;
  readonly #serves: (assetId: string) => string | null;

  /** `serves` returns the track label of the approved engagement that a vehicle serves; null if it serves none. */
  constructor(deps: EngagementDeps, serves: (assetId: string) => string | null) {
    this.#deps = deps;
    this.#serves = serves;
  }

  /**
   * Returns the case of a track under the doctrine; null if the doctrine offers no response. `without` are responses
   * that are already in progress.
   */
  caseOf(track: Track, threat: Threat | undefined, without: ReadonlySet<string> = new Set()): Case | null {
    const { level, score } = threat ?? { level: 'none' as const, score: 0 };
    const row = rowFor(this.#deps.doctrine().body, this.#deps.policy().policy.posture, level, track.affiliation);
    const offer = offered(row).filter((response) => !without.has(response));
    if (!row || offer.length === 0) return null;
    const wardId = track.affiliation === 'friend' ? track.asset_id : (threat?.cpa?.asset_id ?? null);
    return { track, level, score, row: { ...row, offer }, wardId };
  }

  /**
   * Returns the cases of the present threats, the highest score first. Leaves out dismissed threats, stale tracks, and
   * tracks for which people have begun to approve an engagement. Returns at most `MOST_MATCHED` cases.
   */
  cases(open: readonly Held[], isWanted: (one: Case) => boolean): Case[] {
    const busy = busyTracks(open);
    // Most tracks of a busy sky are no threat. Their documents are not composed for this.
    const levels = levelsWithOffers(this.#deps.doctrine().body, this.#deps.policy().policy.posture);
    const threats = [...this.#deps.threats()].sort((a, b) => b.score - a.score || (a.track_id < b.track_id ? -1 : 1));
    const found: Case[] = [];
    for (const threat of threats) {
      if (found.length >= MOST_MATCHED) break;
      if (!levels.has(threat.level) || threat.dismissed !== null || busy.all.has(threat.track_id)) continue;
      const track = this.#deps.track(threat.track_id);
      if (!track || !this.isFresh(track)) continue;
      const one = this.caseOf(track, threat, busy.automatic.get(track.id));
      if (one && isWanted(one)) found.push(one);
    }
    return found;
  }

  isFresh({ state, last_seen_at }: Track): boolean {
    if (state === 'lost' || state === 'closed') return false;
    const ageMs = this.#deps.utcMs() - Date.parse(last_seen_at);
    return ageMs <= this.#deps.policy().policy.engagement.max_track_age_s * 1_000;
  }

  /** `cameras` are the cameras that the plans may not take. */
  plans(cases: readonly Case[], fleet: readonly PlanVehicle[], cameras: CamerasInUse = new Map()): Map<string, Plan[]> {
    const { policy, version } = this.#deps.policy();
    const doctrine = this.#deps.doctrine().body;
    const { tracks, utcMs } = this.#deps;
    const given = { cases, cameras, policy, policyVersion: version, doctrine, advice: this.#deps };
    return plansOf(roundOf({ ...given, fleet, serves: this.#serves, tracks: tracks(), utcMs: utcMs() }));
  }

  /**
   * Creates an unpublished engagement with these plans. `byPerson` is true if a person requested it, false if a rule or
   * the service did.
   */
  held({ track, level, row }: Case, drafts: readonly Plan[], by: ProposedBy, byPerson = false): Held {
    const at = formatTime(this.#deps.utcMs());
    const plans = drafts.map(sealed);
    const engagement: Held['engagement'] = {
      ...{ id: randomUUID(), track_id: track.id, state: 'proposed', candidates: plans },
      ...{ chosen_plan_id: null, proposed_by: by, approvals: [], tasks: [], reason: null },
      ...{ created_at: at, updated_at: at, provenance: track.provenance },
    };
    const { affiliation, number: label } = track;
    const doctrineVersion = this.#deps.doctrine().version;
    const times = { proposedMs: this.#deps.nowMs(), deadlines: this.#deadlines(plans) };
    return { engagement, basis: { affiliation, level, doctrineVersion, row, byPerson, label, ...times } };
  }

  #deadlines(plans: readonly Plan[]): Map<string, number> {
    const [nowMs, utcMs] = [this.#deps.nowMs(), this.#deps.utcMs()];
    return new Map(plans.map(({ id, expires_at }) => [id, nowMs + Date.parse(expires_at) - utcMs]));
  }
}

/**
 * Returns tracks that are already served. `all`: tracks with an engagement that people have at least begun to approve.
 * `automatic`: responses in progress without a person, by track id.
 */
function busyTracks(open: readonly Held[]): { all: Set<string>; automatic: Map<string, Set<string>> } {
  const all = new Set<string>();
  const automatic = new Map<string, Set<string>>();
  for (const { engagement } of open) {
    const { state, track_id, candidates } = engagement;
    if (state === 'proposed' || !isOpen(engagement)) continue;
    if (!runsByItself(engagement)) all.add(track_id);
    else for (const { response } of candidates) automatic.set(track_id, new Set(automatic.get(track_id)).add(response));
  }
  return { all, automatic };
}
