import { threatLevels } from '../model/posture.ts';
import { engagementRows } from '../store/engagements.ts';
import { ConfirmedAutonomy } from './autonomy.ts';
import type { EngagementDeps, PlanVehicle } from './deps.ts';
import { EngagementLog } from './engagement_log.ts';
import { FallenLevels } from './fallen_levels.ts';
import { type Held, isOpen, planOf, runsByItself } from './held.ts';
import { Launcher } from './launcher.ts';
import { Proposer } from './proposer.ts';
import { Quiet } from './quiet.ts';
import type { CamerasInUse } from './round.ts';
import type { Known } from './standing.ts';

/** Parts that all engagement services share. */
export type Shared = {
  deps: EngagementDeps;
  log: EngagementLog;
  proposer: Proposer;
  launcher: Launcher;
  known: Known;
  autonomy: ConfirmedAutonomy;
  quiet: Quiet;
  fallen: FallenLevels;
};

export function sharedOf(deps: EngagementDeps): Shared {
  const { state, ledger, workspaceId, publish: publishers, trouble } = deps;
  const log = new EngagementLog({
    rows: engagementRows(state),
    ledger,
    workspaceId,
    publish: publishers.engagement,
    trouble,
  });
  const proposer = new Proposer(deps, (assetId) => elsewhere(log, assetId, null));
  const known: Known = {
    deps,
    rowOf: (track) => proposer.caseOf(track, deps.threat(track.id))?.row ?? null,
    elsewhere: (assetId, id) => elsewhere(log, assetId, id),
  };
  const launcher = new Launcher(deps, log, known, (held) =>
    hush(shared, held, held.engagement.state === 'cancelled' && !gaveWay(log, held)),
  );
  const shared: Shared = {
    deps,
    log,
    proposer,
    launcher,
    known,
    autonomy: new ConfirmedAutonomy(),
    quiet: new Quiet(),
    fallen: new FallenLevels(),
  };
  return shared;
}

/** Returns a track's open engagement that people must decide on or have approved. Ignores automatic engagements. */
export function ofTrack({ log }: Shared, trackId: string): Held | undefined {
  return log.allHeld().find(({ engagement }) => engagement.track_id === trackId && !runsByItself(engagement));
}

/**
 * Prevents that an ended engagement is proposed again at once. If a person ended it, the proposal waits until the
 * threat level rises or the affiliation changes. Otherwise it waits for at most `plan_ttl_s`. After an engagement
 * without a person, only its response waits.
 */
export function hush({ deps, quiet }: Shared, { engagement, basis }: Held, byPerson: boolean): void {
  if (isOpen(engagement)) return;
  const { track_id, approvals, chosen_plan_id, candidates } = engagement;
  // A person who ends an engagement knows the present level and affiliation. Otherwise the values of the proposal
  // count.
  const level = byPerson ? (deps.threat(track_id)?.level ?? basis.level) : basis.level;
  const affiliation = byPerson ? (deps.track(track_id)?.affiliation ?? basis.affiliation) : basis.affiliation;
  const pauseMs = deps.policy().policy.engagement.plan_ttl_s * 1_000;
  const untilMs = byPerson ? Number.POSITIVE_INFINITY : deps.nowMs() + pauseMs;
  const response = candidates.find(({ id }) => id === chosen_plan_id)?.response;
  const byItself = chosen_plan_id !== null && approvals.every(({ decision }) => decision !== 'approved');
  if (!byItself) quiet.hush(track_id, { level, affiliation }, untilMs);
  else if (response !== 'notify') quiet.hush(`${track_id} ${response}`, { level, affiliation }, untilMs);
}

/**
 * Returns the track label of the approved engagement, other than `id`, that a vehicle serves; null if it serves none.
 * Ignores automatic camera tasks, because they yield to people's engagements.
 */
function elsewhere(log: EngagementLog, assetId: string, id: string | null): string | null {
  for (const { engagement, basis } of log.allHeld()) {
    const { state, candidates, chosen_plan_id, tasks } = engagement;
    const runs = state === 'approved' || state === 'executing';
    if (engagement.id === id || !runs || runsByItself(engagement)) continue;
    const plan = candidates.find((candidate) => candidate.id === chosen_plan_id);
    const over = tasks.filter((task) => task.asset_id === assetId && task.phase === 'over').length;
    const legs = plan?.legs.filter(({ asset_id }) => asset_id === assetId).length ?? 0;
    if (over < legs) return basis.label;
  }
  return null;
}

/** Returns true if another automatic engagement replaced a task of this one. No person ended it then. */
function gaveWay(log: EngagementLog, { engagement: { id, tasks } }: Held): boolean {
  const replaced = new Set(tasks.filter(({ state }) => state === 'superseded').map(({ asset_id }) => asset_id));
  return log.allHeld().some((other) => {
    const { engagement } = other;
    if (engagement.id === id || !runsByItself(engagement)) return false;
    return planOf(other, engagement.chosen_plan_id)?.legs.some(({ asset_id }) => replaced.has(asset_id)) ?? false;
  });
}

/**
 * Returns the cameras in use. An automatic start may take the camera of an automatic engagement for a threat of a
 * higher level. It takes no camera from a person.
 */
export function camerasInUse({ deps, log }: Shared, fleet: readonly PlanVehicle[]): CamerasInUse {
  const used = new Map<string, number>();
  for (const { row } of fleet) {
    const task = row.asset_id === null ? null : deps.tasks.ofCamera(row.asset_id);
    if (row.asset_id === null || task === null) continue;
    const held = task.engagement_id === null ? undefined : log.held(task.engagement_id);
    const level = held && (deps.threat(held.engagement.track_id)?.level ?? held.basis.level);
    const isAutomatic = held && runsByItself(held.engagement);
    used.set(row.asset_id, level && isAutomatic ? threatLevels.indexOf(level) + 1 : Number.POSITIVE_INFINITY);
  }
  return used;
}
