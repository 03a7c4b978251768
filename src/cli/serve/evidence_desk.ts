import { type Evidence, evidenceOf } from '../../evidence/evidence.ts';
import type { Page, PageQuery } from '../../http/service.ts';
import type { Actor } from '../../model/actor.ts';
import { Fault } from '../../model/fault.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { LiveWorld } from '../../worlds/live.ts';
import { type EventSources, listEvents } from './event_list.ts';

const pageRows = 1_000;

export type EvidenceParts = EventSources & {
  world: LiveWorld;
  ledger: Ledger;
  program: { name: string; version: string; build: string };
  utcMs(): number;
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
    events: (id) => {
      const which = { sinceSeq: null, kind: null, subject: id, severity: null, ofBox: false };
      return pagesOf(whole, (page) => listEvents(parts, { ...which, ...page }));
    },
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
