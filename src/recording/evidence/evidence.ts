import { type Actor, actorLabel } from '../../model/actor.ts';
import type { Detection } from '../../model/detection.ts';
import type { LogEvent } from '../../model/event.ts';
import type { Track, TrackPoint } from '../../model/track.ts';
import type { Ledger } from '../../store/ledger.ts';
import { policiesBetween } from '../../store/policies.ts';
import type { State } from '../../store/state.ts';
import { canonical, measuring, type PackedFile, sha256 } from './manifest.ts';
import { readmeOf } from './readme.ts';
import { trackFile, trackFormats } from './track_files.ts';
import { writeZip, type ZipEntry } from './zip.ts';

/** Sources of evidence; each list is read page by page. */
export type EvidenceSources = {
  state: State;
  ledger: Ledger;
  workspaceId: string;
  program: { name: string; version: string; build: string };
  /** Policy before the first decision config was saved. */
  defaultPolicy: object;
  points(trackId: string): AsyncIterable<readonly TrackPoint[]>;
  detections(trackId: string): AsyncIterable<readonly Detection[]>;
  events(trackId: string): AsyncIterable<readonly LogEvent[]>;
};

export type Evidence = { fileName: string; content: AsyncIterable<Buffer> };

/**
 * All stored data of a track as one archive, made while it is sent. The request is logged before the first byte leaves, and
 * the manifest before the last: any archive that opens is in the log.
 */
export function evidenceOf(track: Track, by: Actor, sources: EvidenceSources): Evidence {
  const { ledger, workspaceId } = sources;
  const at = ledger.nowText();
  const asked = { kind: 'evidence.requested', text: `the evidence about track ${track.number} was asked for` };
  ledger.note({ ...asked, by, workspaceId, subject: subjectOf(track) });
  const fileName = `evidence-${track.number}-${at.replace(/[-:]|\.\d+/g, '')}.zip`;
  return { fileName, content: writeZip(entriesOf(track, by, at, sources), new Date(at)) };
}

async function* entriesOf(track: Track, by: Actor, at: string, sources: EvidenceSources): AsyncGenerator<ZipEntry> {
  const { id } = track;
  const { state, workspaceId, defaultPolicy } = sources;
  const saved = policiesBetween(state, workspaceId, track.first_seen_at, track.last_seen_at);
  const since = saved[0]?.saved_at ?? null;
  const beganWithDefaults = since === null || since > track.first_seen_at;
  const defaults = { version: 0, saved_at: null, saved_by: null, document: defaultPolicy };
  const policies = beganWithDefaults ? [defaults, ...saved] : saved;
  const entries: ZipEntry[] = [
    { path: 'README.txt', content: bytesOf([readmeOf(track, at)]) },
    { path: 'track.json', content: bytesOf([`${JSON.stringify(track, null, 2)}\n`]) },
    ...trackFormats.map((format) => ({
      path: `history.${format}`,
      content: bytesOf(trackFile(format, id, sources.points(id))),
    })),
    { path: 'detections.jsonl', content: bytesOf(jsonLines(sources.detections(id))) },
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

/** Composes the manifest and logs it. */
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
