import type { Actor } from '../model/actor.ts';
import type { Detection } from '../model/detection.ts';
import { invalidInput, notFound } from '../model/fault.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { Page, PageQuery } from '../model/page.ts';
import type { ThreatLevel } from '../model/posture.ts';
import type { Sighting, Trails } from '../model/sighting.ts';
import { formatTime } from '../model/time.ts';
import type { Track, TrackPoint } from '../model/track.ts';
import type { Ledger } from '../store/ledger.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { World } from '../world/world.ts';

export type HistoryQuery = PageQuery & { trackId: string; stepS: number | null };
type SightingQuery = PageQuery & { serial: string | null; zoneId: string | null; level: ThreatLevel | null };
type TrailsQuery = { sinceMs: number; untilMs: number | null; stepS: number };
type DetectionQuery = PageQuery & { trackId: string | null; sensorId: string | null };

/** Limits of one answer with trails: points, tracks, and time span in ms. */
const MOST_POINTS = 10_000;
const MOST_TRACKS = 500;
const MOST_TRAIL_MS = 31 * 86_400_000;

type TrackServiceDeps = {
  world: Pick<World, 'tracks' | 'track' | 'byHand'>;
  history: HistoryLog;
  ledger: Ledger;
  workspaceId: string;
};

/**
 * Tracks of a world, their histories, and merges and drops by people. A merge or drop first writes a log row, because
 * an action that cannot be logged must be refused. If the action succeeds, a second row has the result.
 */
export class TrackService {
  readonly #deps: TrackServiceDeps;

  constructor(deps: TrackServiceDeps) {
    this.#deps = deps;
  }

  list(): readonly Track[] {
    return this.#deps.world.tracks();
  }

  get(id: string): Track | undefined {
    return this.#deps.world.track(id);
  }

  /** Returns the current document of a track; after the end of the track, its last document from the history. */
  async last(trackId: string): Promise<Track | undefined> {
    return this.get(trackId) ?? (await this.#deps.history.lastTracks({ sinceMs: 0, trackId }))[0];
  }

  /** Throws `not_found` if neither the picture nor the history contains the track. */
  async requireKnown(trackId: string): Promise<void> {
    if (this.get(trackId) !== undefined) return;
    await this.history({ trackId, stepS: null, limit: 1, cursor: null, sinceMs: null, untilMs: null });
  }

  /** Returns a page of a track's points, the oldest first. Throws `not_found` if the track is unknown. */
  async history(asked: HistoryQuery): Promise<Page<TrackPoint>> {
    const { rows, next } = await this.#deps.history.trackPoints(asked);
    const { trackId } = asked;
    if (rows.length === 0 && !(await this.last(trackId)))
      throw notFound(`no track with the id ${trackId} is known, in the picture or in the history`);
    return { rows, nextCursor: next };
  }

  /** Returns a page of detections, the newest first. */
  async detections(asked: DetectionQuery): Promise<Page<Detection>> {
    const { rows, next } = await this.#deps.history.detections(asked);
    return { rows, nextCursor: next };
  }

  /** Returns a page of sightings. The sighting that began last comes first. */
  async sightings(asked: SightingQuery): Promise<Page<Sighting>> {
    const { rows, next } = await this.#deps.history.sightings(asked);
    return { rows, nextCursor: next };
  }

  /**
   * Returns the trails of the tracks in a time span, at most `MOST_TRACKS`. A null `untilMs` means now. Throws
   * `invalid_input` above 31 days.
   */
  async trails(asked: TrailsQuery): Promise<Trails> {
    const { sinceMs, stepS } = asked;
    const untilMs = asked.untilMs ?? Math.max(sinceMs, Date.parse(this.#deps.ledger.nowText()) + 1);
    if (untilMs < sinceMs) throw invalidInput("'since' must not be later than 'until'");
    if (untilMs - sinceMs > MOST_TRAIL_MS)
      throw invalidInput("'since' and 'until' must be at most 31 days apart: ask for a shorter period");
    const limits = { mostPoints: MOST_POINTS, mostTracks: MOST_TRACKS };
    const found = await this.#deps.history.trails({ sinceMs, untilMs, stepS, ...limits });
    const left = found.tracks - MOST_TRACKS;
    const cut = left > 0 ? `${left} tracks that were seen earlier are left out: ask for a shorter period` : null;
    const [since, until] = [formatTime(sinceMs), formatTime(untilMs)];
    return { since, until, step_s: found.stepS, thinned: found.stepS > stepS, cut, tracks: found.trails };
  }

  async drop(id: string, reason: string, by: Actor): Promise<void> {
    const { byHand } = this.#deps.world;
    const asked = {
      kind: 'track.drop_asked',
      text: 'the drop of a track was requested',
      by,
      reason,
      after: null,
    } as const;
    this.#note(byHand.find(id), asked);
    const track = await byHand.drop(id);
    this.#note(track, { kind: 'track.dropped', text: `track ${track.number} was dropped`, by, reason, after: null });
  }

  /**
   * Merges the track `id` into the track `into`, and returns `into`. Throws `not_found`, or `conflict` if the two
   * tracks cannot be one aircraft.
   */
  async merge(id: string, into: string, reason: string | null, by: Actor): Promise<Track> {
    const { byHand } = this.#deps.world;
    const asked = {
      kind: 'track.merge_asked',
      text: 'the merge of a track was requested',
      by,
      reason,
      after: { into },
    } as const;
    this.#note(byHand.find(id), asked);
    const { gone, kept } = await byHand.merge(id, into);
    const text = `track ${gone.number} was merged into ${kept.number}`;
    this.#note(gone, { kind: 'track.merged', text, by, reason, after: { into: kept.id, number: kept.number } });
    return kept;
  }

  #note(track: Track, deed: { kind: LogKind; text: string; by: Actor; reason: string | null; after: unknown }): void {
    const { id, number, state, identities } = track;
    this.#deps.ledger.note({
      ...deed,
      severity: 'notice',
      workspaceId: this.#deps.workspaceId,
      subject: { type: 'track', id, label: number },
      before: { id, number, state, identities: identities.map(({ type, value }) => ({ type, value })) },
    });
  }
}
