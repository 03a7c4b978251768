import { createHash } from 'node:crypto';
import { type Actor, actorLabel } from '../../model/actor.ts';
import type { Detection } from '../../model/detection.ts';
import type { LogEvent } from '../../model/event.ts';
import type { Track, TrackPoint } from '../../model/track.ts';
import type { Ledger } from '../../store/ledger.ts';
import { policiesBetween } from '../../store/policies.ts';
import type { State } from '../../store/state.ts';
import { type FrameReader, LinkSpans } from './raw_frames.ts';
import { reportOf } from './report.ts';
import type { Deed, ReportData } from './report_data.ts';
import { reportPoints } from './report_points.ts';
import { trackFile, trackFormats } from './track_files.ts';
import { writeZip, type ZipEntry } from './zip.ts';

/** Sources of evidence; each list is read page by page. */
export type EvidenceSources = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  program: { name: string; version: string; build: string };
  /** Decision policy that applies until a decision config is saved. */
  defaultPolicy: object;
  points(trackId: string): AsyncIterable<readonly TrackPoint[]>;
  detections(trackId: string): AsyncIterable<readonly Detection[]>;
  events(trackId: string): AsyncIterable<readonly LogEvent[]>;
  /** Content of the report that does not come from the other sources. */
  report: Omit<
    ReportData,
    | 'track'
    | 'exportedAt'
    | 'exportedBy'
    | 'program'
    | 'points'
    | 'pointCount'
    | 'extrapolatedCount'
    | 'deeds'
    | 'hasFrames'
  >;
  /** Reads the bytes that were recorded while the track was seen; null if no recording overlaps that time. */
  frames: FrameReader | null;
};

/** Limit of the actions in a report. The file log.jsonl contains all actions. */
const MOST_DEEDS = 200;

export type Evidence = { fileName: string; content: AsyncIterable<Buffer> };

/**
 * Returns the stored data of a track as one archive, which is composed while it is sent. The request is logged before
 * the first byte is sent, and the manifest before the last byte. Every archive that can be opened is therefore logged.
 */
export function evidenceOf(track: Track, by: Actor, sources: EvidenceSources): Evidence {
  const { ledger, workspaceId } = sources;
  const at = ledger.nowText();
  const asked = { kind: 'evidence.requested', text: `the evidence about track ${track.number} was requested` } as const;
  ledger.note({ ...asked, by, workspaceId, subject: subjectOf(track) });
  const fileName = `evidence-${track.number}-${at.replace(/[-:]|\.\d+/g, '')}.zip`;
  return { fileName, content: writeZip(entriesOf(track, by, at, sources), new Date(at)) };
}

async function* entriesOf(track: Track, by: Actor, at: string, sources: EvidenceSources): AsyncGenerator<ZipEntry> {
  const { id } = track;
  const { state, workspaceId, defaultPolicy, frames } = sources;
  const { nameOf } = sources.report;
  const spans = new LinkSpans();
  const saved = policiesBetween(state, workspaceId, track.first_seen_at, track.last_seen_at);
  const since = saved[0]?.saved_at ?? null;
  const beganWithDefaults = since === null || since > track.first_seen_at;
  const defaults = { version: 0, saved_at: null, saved_by: null, document: defaultPolicy };
  const policies = beganWithDefaults ? [defaults, ...saved] : saved;
  const entries: ZipEntry[] = [
    { path: 'README.txt', content: bytesOf([readmeOf(track, at)]) },
    { path: 'report.html', content: bytesOf(reportText(track, by, at, sources)) },
    { path: 'track.json', content: bytesOf([`${JSON.stringify(withNames(track, nameOf), null, 2)}\n`]) },
    ...trackFormats.map((format) => ({
      path: `history.${format}`,
      content: bytesOf(trackFile(format, track, sources.points(id))),
    })),
    { path: 'detections.jsonl', content: bytesOf(jsonLines(detectionsOf(id, spans, sources))) },
    ...(frames === null ? [] : [{ path: 'frames.jsonl', content: bytesOf(frames(spans)) }]),
    { path: 'log.jsonl', content: bytesOf(jsonLines(sources.events(id))) },
    { path: 'policy.jsonl', content: bytesOf(jsonLines([policies])) },
  ];
  const files: PackedFile[] = [];
  for (const part of entries) yield measuring(part, (file) => files.push(file));
  const manifest = sealed(track, by, at, files, sources);
  yield measuring({ path: 'manifest.json', content: bytesOf([manifest]) }, (file) => files.push(file));
  const lines = files.map(({ path, sha256: hash }) => `${hash}  ${path}\n`);
  yield { path: 'SHA256SUMS', content: bytesOf(lines) };
}

async function* reportText(track: Track, by: Actor, at: string, sources: EvidenceSources): AsyncGenerator<string> {
  const { program, frames, report } = sources;
  const found = await reportPoints(sources.points(track.id));
  const deeds = await deedsOf(sources.events(track.id));
  const made = { exportedAt: at, exportedBy: actorLabel(by), program, hasFrames: frames !== null };
  yield reportOf({ ...report, ...made, ...found, track, deeds });
}

/**
 * Returns the newest `MOST_DEEDS` actions of users, keys and the open surface, the oldest of them first. `pages`
 * contain log rows, the newest first.
 */
async function deedsOf(pages: AsyncIterable<readonly LogEvent[]>): Promise<Deed[]> {
  const deeds: Deed[] = [];
  for await (const rows of pages) {
    for (const { at, actor, text, reason } of rows) {
      if (actor === null || actor.type === 'system' || actor.type === 'rule') continue;
      deeds.push({ at, by: actorLabel(actor), text, reason });
    }
    if (deeds.length >= MOST_DEEDS) break;
  }
  return deeds.slice(0, MOST_DEEDS).reverse();
}

/** Yields the detections of a track with sensor names, and collects their links and times in `spans`. */
async function* detectionsOf(
  id: string,
  spans: LinkSpans,
  { detections, report }: EvidenceSources,
): AsyncGenerator<readonly object[]> {
  for await (const rows of detections(id)) {
    spans.take(rows);
    yield rows.map((row) => ({ ...row, sensor_name: report.nameOf(row.sensor_id) }));
  }
}

function withNames({ contributors, ...track }: Track, nameOf: ReportData['nameOf']): object {
  const named = contributors.map((one) => ({ ...one, sensor_name: nameOf(one.sensor_id) }));
  return { ...track, contributors: named, asset_name: track.asset_id === null ? null : nameOf(track.asset_id) };
}

/** Composes the manifest and writes it to the log. */
function sealed(track: Track, by: Actor, at: string, files: PackedFile[], sources: EvidenceSources): string {
  const { ledger, workspaceId, program } = sources;
  const manifest = {
    product: program.name,
    version: program.version,
    build: program.build,
    workspace_id: workspaceId,
    track_id: track.id,
    track_number: track.number,
    exported_at: at,
    exported_by: actorLabel(by),
    audit_head: ledger.audit.head(),
    files,
  };
  const hash = sha256(canonical(manifest));
  ledger.note({
    kind: 'evidence.exported',
    severity: 'notice',
    text: `the evidence about track ${track.number} was exported`,
    by,
    workspaceId,
    subject: subjectOf(track),
    after: { manifest_sha256: hash, files: files.length },
  });
  return `${JSON.stringify({ ...manifest, manifest_sha256: hash }, null, 2)}\n`;
}

function subjectOf({ id, number }: Track): LogEvent['subject'] {
  return { type: 'track', id, label: number };
}

async function* jsonLines(
  pages: Iterable<readonly unknown[]> | AsyncIterable<readonly unknown[]>,
): AsyncGenerator<string> {
  for await (const rows of pages) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}

async function* bytesOf(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) if (text !== '') yield Buffer.from(text);
}

type PackedFile = { path: string; bytes: number; sha256: string };

/** Measures length and hash of an entry while it is read; calls `onEnd` at its end. */
function measuring({ path, content }: ZipEntry, onEnd: (file: PackedFile) => void): ZipEntry {
  async function* read(): AsyncGenerator<Buffer> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
    onEnd({ path, bytes, sha256: hash.digest('hex') });
  }
  return { path, content: read() };
}

/** Canonical JSON for the hash: sorted keys, no white space. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).filter(([, child]) => child !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`).join(',')}}`;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the README of an archive, for a person who has nothing else. */
function readmeOf(track: Track, exportedAt: string): string {
  return `Evidence about track ${track.number} (${track.id})

Exported at ${exportedAt} by Dunlin, a counter-UAS command and control service. All times are UTC (RFC 3339),
positions WGS 84 degrees. Each altitude is above a reference: alt_hae_m the ellipsoid, alt_msl_m the geoid (EGM96),
alt_agl_m the ground, height_takeoff_m the take-off. A value that is not known is null, or empty in the CSV.

report.html        the report for people, for a browser or for print on A4. It loads nothing and runs no script
track.json         the last state of the track: identities, operator (the pilot), sensors that saw it, integrity
history.csv        its positions, about one point per second, the oldest first
history.geojson    the same for maps (RFC 7946); points without a position are left out. Features with the
                   role pilot and takeoff are the places that the aircraft reported last
history.kml        the same for Google Earth and others; heights are data, points are clamped to the ground.
                   It has places for the pilot and the take-off too
detections.jsonl   every observation of the track, one JSON document per line, the newest first
frames.jsonl       only if a recording ran at that time: the bytes as they were received on the links of the track,
                   in hex, the oldest first. observed is true if an observation of this track has the same time;
                   other lines may be of other aircraft. At most 64 MiB
log.jsonl          the log rows about the track, and about the assets and assignments from which it had its
                   affiliation, one per line, the newest first. Rows of the kinds track.affiliation and
                   track.integrity are changes of affiliation and integrity, with the values before and after.
                   Rows with a hash are of the audit log
policy.jsonl       the decision configurations that applied while the track was seen, one per line, the oldest first.
                   Version 0 are the built-in defaults with the tracking settings of the box's configuration
manifest.json      the size and SHA-256 of each file above, and the SHA-256 of its own canonical form
SHA256SUMS         the SHA-256 of each file and of manifest.json

To check the archive with common tools only, unpack it and run there: sha256sum -c SHA256SUMS. The manifest's
own hash (manifest_sha256) is of the same JSON without that field, keys sorted at every level, no spaces, UTF-8. A
row of the audit log (evidence.exported) records the export with that hash, so an archive that was changed afterwards
can be detected.

A row of the audit log is chained: hash is the SHA-256 of the JSON list [prev_hash, seq, id, workspace_id, at, kind,
severity, actor, subject, text, before, after, reason, correlation_id, policy_version, provenance] as stored, where
actor, subject, before and after are JSON texts. Rows of other workspaces and subjects are between these;
'dunlin audit verify' checks the whole chain on the box.

Without frames.jsonl no recording was made while the track was received; detections are
the decoded frames. Data that retention had deleted before the export is not in this archive.
`;
}
