import { type Evidence, evidenceOf } from '../../evidence/evidence.ts';
import type { Page, PageQuery } from '../../http/service.ts';
import type { Actor } from '../../model/actor.ts';
import type { LogEvent } from '../../model/event.ts';
import { Fault } from '../../model/fault.ts';
import type { Track } from '../../model/track.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { World } from '../../worlds/world.ts';
import { type EventSources, listEvents } from './event_list.ts';

const pageRows = 1_000;

export type EvidenceParts = EventSources & {
  world: World;
  ledger: Ledger;
  program: { name: string; version: string; build: string };
  utcMs(): number;
  /** What decides where nothing was saved. */
  defaultPolicy(): object;
  /** The assets a track was held for or claims to be, and the assignments of these: what has a log of its own. */
  tiedTo(track: Track, assetIds: readonly string[]): readonly string[];
};

/** Gathers what is kept of a track, page by page. Throws a Fault `not_found` for a track of which nothing is kept. */
export async function gatherEvidence(parts: EvidenceParts, trackId: string, by: Actor): Promise<Evidence> {
  const { world, history, state, ledger, workspaceId, program } = parts;
  const track = world.track(trackId) ?? (await history.lastTracks({ sinceMs: 0, trackId }))[0];
  if (!track) {
    throw new Fault('not_found', `no track with the id ${trackId} is known, in the picture or in the history`);
  }
  // One moment for all its files, however long they take.
  const untilMs = parts.utcMs();
  const whole = { sinceMs: null, untilMs, limit: pageRows };
  return evidenceOf({ ...track }, by, {
    state,
    ledger,
    workspaceId,
    program,
    defaultPolicy: parts.defaultPolicy(),
    points: (id) =>
      pagesOf(whole, async ({ limit, cursor }) => {
        const { rows, next } = await history.trackPoints({ trackId: id, untilMs, limit, cursor });
        return { rows, nextCursor: next };
      }),
    detections: (id) =>
      pagesOf(whole, async ({ limit, cursor }) => {
        const { rows, next } = await history.detections({ trackId: id, untilMs, limit, cursor });
        return { rows, nextCursor: next };
      }),
    events: () => eventsOf(parts, track, whole),
  });
}

/** The rows about a track and about what it is tied to, in one order, the newest first. */
async function* eventsOf(
  parts: EvidenceParts,
  track: Track,
  whole: Omit<PageQuery, 'cursor'>,
): AsyncGenerator<readonly LogEvent[]> {
  const about = (subject: string, kind: string | null = null) => ({
    ...{ sinceSeq: null, kind, subject, severity: null, ofBox: false },
  });
  const first = (which: ReturnType<typeof about>) => listEvents(parts, { ...which, ...whole, cursor: null });
  const { rows: held } = await first(about(track.id, 'track.affiliation'));
  const tied: LogEvent[] = [];
  for (const id of parts.tiedTo(track, held.flatMap(assetsOf))) tied.push(...(await first(about(id))).rows);
  tied.sort(newestFirst);
  for await (const rows of pagesOf(whole, (page) => listEvents(parts, { ...about(track.id), ...page }))) {
    const oldest = rows.at(-1);
    const due = tied.findIndex((row) => oldest !== undefined && newestFirst(row, oldest) > 0);
    yield [...rows, ...tied.splice(0, due < 0 ? tied.length : due)].sort(newestFirst);
  }
  if (tied.length > 0) yield tied;
}

function newestFirst(a: LogEvent, b: LogEvent): number {
  return Date.parse(b.at) - Date.parse(a.at) || b.seq - a.seq;
}

/** Whom a row of a track's affiliation names. */
function assetsOf({ before, after }: LogEvent): string[] {
  return [before, after].flatMap((who) => {
    const id = typeof who === 'object' && who !== null && 'asset_id' in who ? who.asset_id : null;
    return typeof id === 'string' ? [id] : [];
  });
}

async function* pagesOf<Row>(
  whole: Omit<PageQuery, 'cursor'>,
  ask: (page: PageQuery) => Promise<Page<Row>>,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | null = null;
  do {
    const page: Page<Row> = await ask({ ...whole, cursor });
    if (page.rows.length > 0) yield page.rows;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
