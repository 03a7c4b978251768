import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { type Actor, actorLabel } from '../model/actor.ts';
import { conflict, Fault, orNotFound, sentenceOf, unavailable } from '../model/fault.ts';
import type { LogKind } from '../model/log_kind.ts';
import type { Recording, RecordingSpec } from '../model/recording.ts';
import { formatTime } from '../model/time.ts';
import { codeOf } from '../store/failures.ts';
import type { Ledger } from '../store/ledger.ts';
import type { RecorderHook } from '../world/recorder_hook.ts';
import { Turns } from '../world/turns.ts';
import { type FrameReader, rawFrames } from './evidence/raw_frames.ts';
import { RecordingReader } from './reader.ts';
import { Recorder, type RecorderDeps } from './recorder.ts';
import type { RecordingStore, StoredRecording } from './recording_store.ts';
import { readSegment, segmentsIn } from './segment_file.ts';

const PIECE_BYTES = 64 * 1024;

/** Yields the segments of a recording one after the other. The result is a recording too. */
export async function* wholeFile(folder: string): AsyncGenerator<Buffer> {
  for (const { path } of segmentsIn(folder)) {
    try {
      yield* createReadStream(path, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>;
    } catch (thrown) {
      // A running recording may have deleted the segment since, to make room.
      if (codeOf(thrown) !== 'ENOENT') throw thrown;
    }
  }
}

/** Yields the bytes that were received on one link, as lines of `{"t": seconds since 1970, "hex": "..."}`. */
async function* hexLines(folder: string, linkId: string): AsyncGenerator<Buffer> {
  let lines = '';
  let looked = 0;
  for (const { path } of segmentsIn(folder)) {
    for (const decoded of readSegment(path)) {
      if (decoded.what === 'damage') break;
      // Gives the event loop a turn, so that other requests do not wait for a long recording with few bytes of this
      // link.
      if (++looked % 2_000 === 0) await turn();
      if (decoded.what !== 'record' || decoded.record.kind !== 'bytes' || decoded.record.linkId !== linkId) continue;
      const { bytes, utcMs } = decoded.record;
      lines += `{"t":${(utcMs / 1000).toFixed(4)},"hex":"${Buffer.from(bytes).toString('hex')}"}\n`;
      if (lines.length < PIECE_BYTES) continue;
      yield Buffer.from(lines);
      lines = '';
      await turn();
    }
  }
  if (lines !== '') yield Buffer.from(lines);
}

export type RecordingSettings = {
  maxS: number;
  maxBytes: number;
  /** Limit of all recordings on this machine together, bytes. */
  allBytes: number;
  minFreeBytes: number;
};

export type RecordingServiceDeps = {
  store: RecordingStore;
  settings: RecordingSettings;
  workspaceId: string;
  recorderHook: RecorderHook;
  source: Omit<RecorderDeps, 'ended'>;
  ledger: Ledger;
  /** Logs an event that no person caused. */
  note(kind: LogKind, text: string): void;
};

/** Smallest size limit that a recording gets by default, bytes. */
const LEAST_BYTES = 1_048_576;

type Going = { recorder: Recorder; stored: StoredRecording };
type Link = Recording['links'][number];

/** Recordings of a workspace. One recording can run at a time; it records the input of the live world. */
export class RecordingService {
  readonly #deps: RecordingServiceDeps;
  readonly #kept = new Map<string, StoredRecording>();
  /** Number of readers that protect a recording from deletion, by the recording's id. */
  readonly #held = new Map<string, number>();
  #going: Going | null = null;
  readonly #turns = new Turns();

  constructor(deps: RecordingServiceDeps) {
    this.#deps = deps;
  }

  /** Loads the recordings of earlier runs. */
  load(): void {
    const { store, workspaceId } = this.#deps;
    for (const stored of store.load(workspaceId)) this.#kept.set(stored.recording.id, stored);
  }

  /** Returns the recordings, the newest first. */
  list(): Recording[] {
    const { store } = this.#deps;
    for (const id of [...this.#kept.keys()]) if (!store.has(id)) this.#kept.delete(id);
    const going = this.#going === null ? [] : [this.#documentOf(this.#going)];
    const ended = [...this.#kept.values()].map(({ recording }) => recording);
    return [...going, ...ended.sort((a, b) => (a.started_at < b.started_at ? 1 : -1))];
  }

  /** Returns a recording. Throws `not_found` if there is none with this id. */
  get(id: string): Recording {
    return orNotFound(
      this.list().find((recording) => recording.id === id),
      `there is no recording with the id ${id} in this workspace`,
    );
  }

  /**
   * Opens a recording. If it is running, the part written so far can be read. Throws `not_found`, or `invalid_input` if
   * no part is readable.
   */
  open(id: string): RecordingReader {
    return RecordingReader.open(this.#deps.store.folderOf(this.get(id).id));
  }

  /** Opens a recording and protects it from deletion until `release` is called. */
  hold(id: string): { recording: Recording; reader: RecordingReader; release(): void } {
    const held = { recording: this.get(id), reader: this.open(id) };
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
    return { ...held, release: () => void this.#held.set(id, (this.#held.get(id) ?? 1) - 1) };
  }

  /**
   * Starts a recording. Throws `conflict` if another one is running, or if the limit of all recordings leaves too
   * little room. Throws `unavailable` if the disk is nearly full or cannot be written.
   */
  start(spec: RecordingSpec, by: Actor): Promise<Recording> {
    return this.#turns.run(() => this.#start(spec, by));
  }

  stop(id: string, by: Actor): Promise<Recording> {
    return this.#turns.run(async () => {
      const { name } = this.get(id);
      if (this.#going?.stored.recording.id !== id) throw conflict(`the recording ${name} has ended already`);
      this.#deed('stopped', id, name, by);
      return this.#end('stopped', null);
    });
  }

  remove(id: string, by: Actor): Promise<void> {
    return this.#turns.run(async () => {
      const { name } = this.get(id);
      if (this.#going?.stored.recording.id === id) throw conflict(`the recording ${name} is running: stop it first`);
      if ((this.#held.get(id) ?? 0) > 0)
        throw conflict(
          `the recording ${name} is in use by a replay or a what-if: show another world, or wait until the what-if ends`,
        );
      this.#held.delete(id);
      this.#deed('deleted', id, name, by);
      this.#kept.delete(id);
      try {
        this.#deps.store.remove(id);
      } catch (thrown) {
        throw unavailable(`the recording ${name} cannot be deleted: ${sentenceOf(thrown)}`);
      }
    });
  }

  /** Returns the whole recording as one file, or the bytes of one of its links as lines. */
  file(id: string, linkId: string | null): { type: string; fileName: string; content: AsyncIterable<Buffer> } {
    const { started_at } = this.get(id);
    const stem = `recording-${started_at.slice(0, 19).replaceAll(':', '')}`;
    const folder = this.#deps.store.folderOf(id);
    if (linkId === null)
      return { type: 'application/octet-stream', fileName: `${stem}.dunlinrec`, content: wholeFile(folder) };
    return { type: 'application/x-ndjson', fileName: `${stem}.jsonl`, content: hexLines(folder, linkId) };
  }

  /** Returns a reader of the bytes that were recorded in a time span; null if no recording overlaps it. */
  framesBetween(sinceMs: number, untilMs: number): FrameReader | null {
    const touching = this.list().filter(({ from_at, to_at, state }) => {
      const endMs = state === 'recording' || to_at === null ? Number.POSITIVE_INFINITY : Date.parse(to_at);
      return from_at !== null && Date.parse(from_at) < untilMs && endMs >= sinceMs;
    });
    if (touching.length === 0) return null;
    const folders = touching.reverse().map(({ id }) => this.#deps.store.folderOf(id));
    return (spans) => rawFrames(folders, spans);
  }

  /** Ends the running recording. Called when the service stops. */
  async close(): Promise<void> {
    await this.#turns.run(async () => {
      if (this.#going) await this.#end('stopped', 'the service was stopped');
    });
  }

  async #start({ name, max_s, max_bytes }: RecordingSpec, by: Actor): Promise<Recording> {
    const { settings, store, source, recorderHook, workspaceId } = this.#deps;
    if (this.#going) {
      const { recording } = this.#going.stored;
      throw conflict(`the recording ${recording.name} is running: only one can run at a time`);
    }
    const startedAt = formatTime(source.utcMs(source.nowMs()));
    const recording: Recording = {
      ...{ id: randomUUID(), name: name ?? startedAt, state: 'recording', reason: null },
      ...{ started_at: startedAt, started_by: actorLabel(by), ended_at: null, from_at: startedAt, to_at: startedAt },
      ...{ bytes: 0, segments: 0, gaps: 0, dropped_records: 0, dropped_bytes: 0 },
      ...{ max_s: max_s ?? settings.maxS, max_bytes: this.#roomFor(max_bytes ?? null), links: this.#links([]) },
    };
    const stored = { workspaceId, recording };
    const about = { id: recording.id, workspaceId, name: recording.name, startedAt };
    const { max_bytes: maxBytes, max_s: maxS } = recording;
    const limits = { maxBytes, maxMs: maxS * 1000, minFreeBytes: settings.minFreeBytes };
    const ended = (sentence: string): void => this.#broke(recording.id, sentence);
    const recorder = new Recorder(about, store.folderOf(recording.id), limits, { ...source, ended });
    try {
      store.save(stored);
      await recorder.open();
      this.#deed('started', recording.id, recording.name, by);
    } catch (thrown) {
      await recorder.stop();
      store.remove(recording.id);
      throw thrown instanceof Fault ? thrown : unavailable(sentenceOf(thrown));
    }
    this.#going = { recorder, stored };
    // No `await` may separate the next two lines: the current state is recorded first, then every change.
    recorder.begin();
    recorderHook.recorder = recorder;
    return this.#documentOf(this.#going);
  }

  /**
   * Returns the size limit of a new recording. A requested size is not reduced. Without one, it is the configured size,
   * at most the room that other recordings leave. Throws if there is too little room.
   */
  #roomFor(asked: number | null): number {
    const { settings, store } = this.#deps;
    if (store.freeBytes() < settings.minFreeBytes) {
      throw unavailable(
        `the disk of ${store.folder} is nearly full, so a recording would end at once: free some space`,
      );
    }
    const used = store.usedBytes();
    const left = settings.allBytes - used;
    const bytes = asked ?? Math.max(LEAST_BYTES, Math.min(settings.maxBytes, left));
    if (bytes <= left) return bytes;
    const megabytes = (n: number): string => `${Math.ceil(n / 1e6)} MB`;
    const sentence = `all recordings together may take ${megabytes(settings.allBytes)} on this box, and ${megabytes(used)} are taken: there is no room for ${megabytes(bytes)} more; delete a recording, or set a smaller max_bytes`;
    throw conflict(sentence);
  }

  async #end(state: Recording['state'], reason: string | null): Promise<Recording> {
    const going = this.#going as Going;
    this.#deps.recorderHook.recorder = null;
    await going.recorder.stop();
    return this.#store(going, state, reason);
  }

  /** Stores a recording as failed. Called when it ends without a request. */
  #broke(id: string, sentence: string): void {
    const going = this.#going;
    if (going?.stored.recording.id !== id) return;
    this.#deps.recorderHook.recorder = null;
    const { name } = this.#store(going, 'failed', sentence);
    this.#deps.note('recording.failed', `the recording ${name} ended: ${sentence}`);
  }

  #store(going: Going, state: Recording['state'], reason: string | null): Recording {
    const { source, store, workspaceId } = this.#deps;
    const endedAt = formatTime(source.utcMs(source.nowMs()));
    const recording = { ...this.#documentOf(going), state, reason, ended_at: endedAt };
    this.#going = null;
    const stored = { workspaceId, recording };
    this.#kept.set(recording.id, stored);
    try {
      store.save(stored);
    } catch {
      // The disk refused the write, for example because it is full. The stored document still has the state
      // `recording`; the next start marks it as interrupted.
    }
    return recording;
  }

  #documentOf({ recorder, stored }: Going): Recording {
    const { bytes, segments, fromUtcMs, toUtcMs, gaps, droppedRecords, droppedBytes } = recorder.status;
    const { recording } = stored;
    if (fromUtcMs !== null) recording.from_at = formatTime(fromUtcMs);
    if (toUtcMs !== null) recording.to_at = formatTime(toUtcMs);
    recording.links = this.#links(recording.links);
    return { ...recording, bytes, segments, gaps, dropped_records: droppedRecords, dropped_bytes: droppedBytes };
  }

  /**
   * Returns the links of a recording. Links that were removed since its start stay listed, because the recording
   * contains their bytes.
   */
  #links(before: readonly Link[]): Link[] {
    const links = new Map(before.map((link) => [link.id, link]));
    for (const { id, spec } of this.#deps.source.links())
      links.set(id, { id, name: spec.name, protocol: spec.protocol });
    return [...links.values()];
  }

  #deed(what: 'started' | 'stopped' | 'deleted', id: string, name: string, by: Actor): void {
    const { ledger, workspaceId } = this.#deps;
    const text = `${actorLabel(by)} ${what} the recording ${name}`;
    ledger.note({ kind: `recording.${what}`, text, by, workspaceId, subject: { type: 'recording', id, label: name } });
  }
}
