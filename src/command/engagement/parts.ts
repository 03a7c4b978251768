import { engagementRows } from '../../store/engagements.ts';
import { ConfirmedAutonomy } from './autonomy.ts';
import { EngagementBook } from './book.ts';
import { type Held, isOpen, runsByItself } from './held.ts';
import { Launcher } from './launcher.ts';
import { Proposer } from './proposer.ts';
import { Quiet } from './quiet.ts';
import type { EngagementRim } from './rim.ts';
import type { Known } from './standing.ts';

/** What the desks of engagements work with together. */
export type Parts = {
  rim: EngagementRim;
  book: EngagementBook;
  proposer: Proposer;
  launcher: Launcher;
  known: Known;
  autonomy: ConfirmedAutonomy;
  quiet: Quiet;
};

export function partsOf(rim: EngagementRim): Parts {
  const { state, ledger, workspaceId, tell, trouble } = rim;
  const book = new EngagementBook({ rows: engagementRows(state), ledger, workspaceId, tell: tell.engagement, trouble });
  const proposer = new Proposer(rim);
  const known: Known = {
    rim,
    rowOf: (track) => proposer.caseOf(track, rim.threat(track.id))?.row ?? null,
    elsewhere: (assetId, id) => elsewhere(book, assetId, id),
  };
  const launcher = new Launcher(rim, book, known);
  const parts = { rim, book, proposer, launcher, known, autonomy: new ConfirmedAutonomy(), quiet: new Quiet() };
  launcher.onEnded = (held) => hush(parts, held, held.engagement.state === 'cancelled');
  return parts;
}

/** What people are asked about a track, or agreed to: what runs by itself aside. */
export function ofTrack({ book }: Parts, trackId: string): Held | undefined {
  return book.allHeld().find(({ engagement }) => engagement.track_id === trackId && !runsByItself(engagement));
}

/** What ended is not proposed again at once; what a person ended not until it matters more. */
export function hush({ rim, quiet }: Parts, { engagement, basis }: Held, byPerson: boolean): void {
  if (isOpen(engagement)) return;
  const { track_id, approvals, chosen_plan_id, candidates } = engagement;
  // A person ends it knowing how things stand now, not how they stood when it was proposed.
  const level = byPerson ? (rim.threat(track_id)?.level ?? basis.level) : basis.level;
  const affiliation = byPerson ? (rim.track(track_id)?.affiliation ?? basis.affiliation) : basis.affiliation;
  const pauseMs = rim.policy().policy.engagement.plan_ttl_s * 1_000;
  const untilMs = byPerson ? Number.POSITIVE_INFINITY : rim.nowMs() + pauseMs;
  const response = candidates.find(({ id }) => id === chosen_plan_id)?.response;
  const byItself = chosen_plan_id !== null && approvals.every(({ decision }) => decision !== 'approved');
  if (!byItself) quiet.hush(track_id, { level, affiliation }, untilMs);
  else if (response !== 'notify') quiet.hush(`${track_id} ${response}`, { level, affiliation }, untilMs);
}

/** The track of the engagement that a vehicle is in as people agreed; a camera that turned by itself turns for a person. */
function elsewhere(book: EngagementBook, assetId: string, id: string): string | null {
  for (const { engagement, basis } of book.allHeld()) {
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
