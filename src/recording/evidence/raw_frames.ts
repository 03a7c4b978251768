import { setImmediate as turn } from 'node:timers/promises';
import type { Detection } from '../../model/detection.ts';
import { formatTime, parseTime } from '../../model/time.ts';
import { readSegment, segmentStart, segmentsIn } from '../segment_file.ts';

/** Times at which a track was observed over one link, UTC ms; `fromMs` is the first of them, `toMs` the last. */
type LinkSpan = { fromMs: number; toMs: number; times: Set<number> };

/**
 * Time before the first and after the last observation for which bytes are included, ms. An identity in Remote ID
 * arrives some seconds before the position.
 */
const AROUND_MS = 3_000;
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_TIMES = 500_000;

/** Collects the links over which a track was received, with the times of its observations. */
export class LinkSpans {
  readonly byLink = new Map<string, LinkSpan>();

  take(detections: readonly Detection[]): void {
    for (const { link_id, received_at } of detections) {
      const ms = parseTime(received_at);
      if (link_id === null || ms === null) continue;
      const span = this.byLink.get(link_id) ?? { fromMs: ms, toMs: ms, times: new Set() };
      this.byLink.set(link_id, span);
      span.fromMs = Math.min(span.fromMs, ms);
      span.toMs = Math.max(span.toMs, ms);
      if (span.times.size < MOST_TIMES) span.times.add(ms);
    }
  }
}

/** Reads the recorded bytes of the links in `spans`, as JSON lines. */
export type FrameReader = (spans: LinkSpans) => AsyncIterable<string>;

/**
 * Yields the recorded bytes of a track's links, from the time of its reception, as JSON lines. At most 64 MiB are
 * included. `observed` marks bytes that arrived at the time of an observation of the track. Other bytes may be of other
 * aircraft.
 */
export async function* rawFrames(folders: readonly string[], spans: LinkSpans): AsyncGenerator<string> {
  const all = [...spans.byLink.values()];
  const fromMs = Math.min(...all.map((span) => span.fromMs)) - AROUND_MS;
  const toMs = Math.max(...all.map((span) => span.toMs)) + AROUND_MS;
  let left = MOST_BYTES;
  let read = 0;
  for (const path of folders.flatMap((folder) => segmentsBetween(folder, fromMs, toMs))) {
    for (const decoded of readSegment(path)) {
      if (decoded.what === 'damage') break;
      // Gives the event loop a turn, so that other requests do not wait for a long recording.
      if (++read % 2_000 === 0) await turn();
      if (decoded.what !== 'record' || decoded.record.kind !== 'bytes') continue;
      const { linkId: link_id, utcMs, from, bytes } = decoded.record;
      const span = spans.byLink.get(link_id);
      if (!span || utcMs < span.fromMs - AROUND_MS || utcMs > span.toMs + AROUND_MS) continue;
      const observed = [-1, 0, 1].some((ms) => span.times.has(Math.round(utcMs) + ms));
      const hex = Buffer.from(bytes).toString('hex');
      const line = `${JSON.stringify({ received_at: formatTime(utcMs), link_id, from, observed, hex })}\n`;
      left -= line.length;
      if (left < 0) {
        yield `${JSON.stringify({ cut: `the rest is left out: the limit of ${MOST_BYTES} bytes is reached` })}\n`;
        return;
      }
      yield line;
    }
  }
}

/**
 * Returns the segments of a recording that may contain records of a time span, UTC ms. A segment lasts until the next
 * one begins.
 */
function segmentsBetween(folder: string, fromMs: number, toMs: number): string[] {
  const segments = segmentsIn(folder).map(({ path }) => ({ path, atMs: segmentStart(path)?.utcMs ?? Number.NaN }));
  return segments.flatMap(({ path, atMs }, i) => {
    const endMs = segments[i + 1]?.atMs ?? Number.NaN;
    return atMs > toMs || endMs < fromMs ? [] : [path];
  });
}
