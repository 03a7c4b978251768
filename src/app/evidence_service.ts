import type { Actor } from '../model/actor.ts';
import type { Alert } from '../model/alert.ts';
import type { LogEvent } from '../model/event.ts';
import { notFound } from '../model/fault.ts';
import type { PageQuery } from '../model/page.ts';
import type { Sighting } from '../model/sighting.ts';
import type { Track } from '../model/track.ts';
import { type Evidence, type EvidenceSources, evidenceOf } from '../recording/evidence/evidence.ts';
import type { Ledger } from '../store/ledger.ts';
import type { HistoryLog } from '../store/log/history.ts';
import type { State } from '../store/state.ts';
import type { World } from '../world/world.ts';
import type { EventService } from './event_service.ts';
import type { EvidencePlace } from './evidence_place.ts';

const pageRows = 1_000;

type EvidenceServiceDeps = {
  world: Pick<World, 'track'>;
  history: HistoryLog;
  events: EventService;
  state: State;
  ledger: Ledger;
  workspaceId: string;
  program: { name: string; version: string; build: string };
  utcMs(): number;
  /** Returns the policy that applies if none was saved. */
  defaultPolicy(): object;
  workspaceName: string;
  /** Names, zones and time zones of the site. */
  place: EvidencePlace;
  /** Returns the alerts about a track, the oldest first. */
  alerts(track: Track): Alert[];
  /**
   * Returns a reader of the bytes that were recorded from `sinceMs` to `untilMs`, UTC ms; null if none were recorded.
   */
  frames(sinceMs: number, untilMs: number): EvidenceSources['frames'];
  /**
   * Returns the ids of the assets that are tied to a track, and of their assignments. These assets are: the asset that
   * gives the track its affiliation, the assets `assetIds`, and each asset whose identity the track transmits.
   */
  tiedTo(track: Track, assetIds: readonly string[]): readonly string[];
};

/** Collects the stored data of a track, page by page. */
export class EvidenceService {
  readonly #deps: EvidenceServiceDeps;

  constructor(deps: EvidenceServiceDeps) {
    this.#deps = deps;
  }

  /** Returns an archive of the stored data of a track. Its content is produced while it is read. Throws `not_found`. */
  async archive(trackId: string, by: Actor): Promise<Evidence> {
    const { world, history, state, ledger, workspaceId, program, defaultPolicy, utcMs } = this.#deps;
    const track = world.track(trackId) ?? (await history.lastTracks({ sinceMs: 0, trackId }))[0];
    if (!track) throw notFound(`no track with the id ${trackId} is known, in the picture or in the history`);
    // Points, detections and log rows end at the same time, however long their writing takes.
    const untilMs = utcMs();
    const whole = { sinceMs: null, untilMs, limit: pageRows };
    const report = await this.#reportOf(track);
    const [fromMs, toMs] = [Date.parse(track.first_seen_at), Date.parse(track.last_seen_at)];
    return evidenceOf({ ...track }, by, {
      report,
      frames: this.#deps.frames(fromMs, toMs + 1),
      state,
      ledger,
      workspaceId,
      program,
      defaultPolicy: defaultPolicy(),
      points: (id) => pagesOf((cursor) => history.trackPoints({ trackId: id, untilMs, limit: pageRows, cursor })),
      detections: (id) => pagesOf((cursor) => history.detections({ trackId: id, untilMs, limit: pageRows, cursor })),
      events: () => this.#eventsOf(track, whole),
    });
  }

  async #reportOf(track: Track): Promise<EvidenceSources['report']> {
    const { history, place, alerts } = this.#deps;
    const sighting = await sightingOf(history, track);
    return {
      workspace: this.#deps.workspaceName,
      timeZone: place.timeZoneAt(track.position),
      zones: place.zones(),
      nameOf: place.nameOf,
      highestLevel: sighting?.highest_level ?? null,
      nearest: sighting?.nearest ?? null,
      entered: sighting?.zones ?? [],
      alerts: alerts(track),
    };
  }

  /** Yields the log rows about a track and about the assets and assignments tied to it, the newest first. */
  async *#eventsOf(track: Track, whole: Omit<PageQuery, 'cursor'>): AsyncGenerator<readonly LogEvent[]> {
    const { events, tiedTo } = this.#deps;
    const about = (subject: string, cursor: string | null = null, kind: string | null = null) =>
      events.list({ ...whole, cursor, sinceSeq: null, kind, subject, severity: null, ofBox: false });
    const { rows: held } = await about(track.id, null, 'track.affiliation');
    const tied: LogEvent[] = [];
    for (const id of tiedTo(track, held.flatMap(assetsOf))) tied.push(...(await about(id)).rows);
    tied.sort(newestFirst);
    const pages = pagesOf(async (cursor) => {
      const { rows, nextCursor: next } = await about(track.id, cursor);
      return { rows, next };
    });
    for await (const rows of pages) {
      const oldest = rows.at(-1);
      const due = tied.findIndex((row) => oldest !== undefined && newestFirst(row, oldest) > 0);
      yield [...rows, ...tied.splice(0, due < 0 ? tied.length : due)].sort(newestFirst);
    }
    if (tied.length > 0) yield tied;
  }
}

function newestFirst(a: LogEvent, b: LogEvent): number {
  return Date.parse(b.at) - Date.parse(a.at) || b.seq - a.seq;
}

/** Returns the ids of the assets in a log row about a changed affiliation. */
function assetsOf({ before, after }: LogEvent): string[] {
  return [before, after].flatMap((who) => {
    const id = typeof who === 'object' && who !== null && 'asset_id' in who ? who.asset_id : null;
    return typeof id === 'string' ? [id] : [];
  });
}

async function* pagesOf<Row>(
  ask: (cursor: string | null) => Promise<{ rows: readonly Row[]; next: string | null }>,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | null = null;
  do {
    const { rows, next } = await ask(cursor);
    if (rows.length > 0) yield rows;
    cursor = next;
  } while (cursor !== null);
}

/** Returns the sighting of a track; undefined for a track that was never confirmed. */
async function sightingOf(history: HistoryLog, track: Track): Promise<Sighting | undefined> {
  const firstMs = Date.parse(track.first_seen_at);
  const { rows } = await history.sightings({ sinceMs: firstMs, untilMs: firstMs + 1, limit: pageRows });
  return rows.find(({ track_id }) => track_id === track.id);
}
