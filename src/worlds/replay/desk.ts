import { randomUUID } from 'node:crypto';
import { type Actor, actorLabel } from '../../model/actor.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { Recording, RecordingSpec } from '../../model/recording.ts';
import { formatTime } from '../../model/time.ts';
import type { Ledger } from '../../store/ledger.ts';
import type { Taps } from '../taps.ts';
import { hexLines, wholeFile } from './download.ts';
import { RecordingReader } from './reader.ts';
import { Recorder, type RecorderRim } from './recorder.ts';
import type { RecordingShelf, Shelved } from './shelf.ts';

export type RecordingSettings = {
  maxS: number;
  maxBytes: number;
  /** All recordings of the box together never take more. */
  allBytes: number;
  minFreeBytes: number;
};

export type RecordingDeskParts = {
  shelf: RecordingShelf;
  settings: RecordingSettings;
  workspaceId: string;
  taps: Taps;
  source: Omit<RecorderRim, 'ended'>;
  ledger: Ledger;
  /** What people are to know that nobody did. */
  note(kind: string, text: string): void;
};

/** A ring that is smaller keeps nothing of use. */
const LEAST_BYTES = 1_048_576;

type Going = { recorder: Recorder; shelved: Shelved };
type Link = Recording['links'][number];

/** The recordings of a workspace: one at a time is made, of what enters its live world. */
export class RecordingDesk {
  readonly #parts: RecordingDeskParts;
  readonly #kept = new Map<string, Shelved>();
  /** Who reads which, so many at a time. */
  readonly #held = new Map<string, number>();
  #going: Going | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: RecordingDeskParts) {
    this.#parts = parts;
  }

  /** Finds what earlier runs recorded. */
  load(): void {
    const { shelf, workspaceId } = this.#parts;
    for (const shelved of shelf.load(workspaceId)) this.#kept.set(shelved.recording.id, shelved);
  }

  /** The newest first. */
  list(): Recording[] {
    const { shelf } = this.#parts;
    for (const id of [...this.#kept.keys()]) if (!shelf.has(id)) this.#kept.delete(id);
    const going = this.#going === null ? [] : [this.#documentOf(this.#going)];
    const ended = [...this.#kept.values()].map(({ recording }) => recording);
    return [...going, ...ended.sort((a, b) => (a.started_at < b.started_at ? 1 : -1))];
  }

  /** Throws `not_found`. */
  get(id: string): Recording {
    const found = this.list().find((recording) => recording.id === id);
    if (!found) throw new Fault('not_found', `there is no recording with the id ${id} in this workspace`);
    return found;
  }

  /** Reads a recording; of one that goes on, what is written so far. Throws `not_found`, or `invalid_input` where nothing of it can be read. */
  open(id: string): RecordingReader {
    return RecordingReader.open(this.#parts.shelf.folderOf(this.get(id).id));
  }

  /** The same for a while: nobody deletes it until it is let go. */
  hold(id: string): { recording: Recording; reader: RecordingReader; letGo(): void } {
    const held = { recording: this.get(id), reader: this.open(id) };
    this.#held.set(id, (this.#held.get(id) ?? 0) + 1);
    return { ...held, letGo: () => void this.#held.set(id, (this.#held.get(id) ?? 1) - 1) };
  }

  /** Throws `conflict` where one goes on, or the box has no room for another. */
  start(spec: RecordingSpec, by: Actor): Promise<Recording> {
    return this.#inTurn(() => this.#start(spec, by));
  }

  stop(id: string, by: Actor): Promise<Recording> {
    return this.#inTurn(async () => {
      const { name } = this.get(id);
      if (this.#going?.shelved.recording.id !== id)
        throw new Fault('conflict', `the recording ${name} has ended already`);
      this.#deed('stopped', id, name, by);
      return this.#end('stopped', null);
    });
  }

  remove(id: string, by: Actor): Promise<void> {
    return this.#inTurn(async () => {
      const { name } = this.get(id);
      if (this.#going?.shelved.recording.id === id)
        throw new Fault('conflict', `the recording ${name} goes on: stop it first`);
      if ((this.#held.get(id) ?? 0) > 0)
        throw new Fault('conflict', `the recording ${name} is played: show another world first`);
      this.#held.delete(id);
      this.#deed('deleted', id, name, by);
      this.#kept.delete(id);
      try {
        this.#parts.shelf.remove(id);
      } catch (thrown) {
        throw new Fault('unavailable', `the recording ${name} cannot be deleted: ${sentenceOf(thrown)}`);
      }
    });
  }

  /** The whole as one file, or what came over one of its links as lines. */
  file(id: string, linkId: string | null): { type: string; fileName: string; content: AsyncIterable<Buffer> } {
    const { started_at } = this.get(id);
    const stem = `recording-${started_at.slice(0, 19).replaceAll(':', '')}`;
    const folder = this.#parts.shelf.folderOf(id);
    if (linkId === null)
      return { type: 'application/octet-stream', fileName: `${stem}.dunlinrec`, content: wholeFile(folder) };
    return { type: 'application/x-ndjson', fileName: `${stem}.jsonl`, content: hexLines(folder, linkId) };
  }

  /** The service stops: what was heard until now is kept. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#going) await this.#end('stopped', 'the service was stopped');
    });
  }

  async #start({ name, max_s, max_bytes }: RecordingSpec, by: Actor): Promise<Recording> {
    const { settings, shelf, source, taps, workspaceId } = this.#parts;
    if (this.#going) {
      const { recording } = this.#going.shelved;
      throw new Fault('conflict', `the recording ${recording.name} goes on: there is one at a time`);
    }
    const startedAt = formatTime(source.utcMs(source.nowMs()));
    const recording: Recording = {
      ...{ id: randomUUID(), name: name ?? startedAt, state: 'recording', reason: null },
      ...{ started_at: startedAt, started_by: actorLabel(by), ended_at: null, from_at: startedAt, to_at: startedAt },
      ...{ bytes: 0, segments: 0, gaps: 0, dropped_records: 0, dropped_bytes: 0 },
      ...{ max_s: max_s ?? settings.maxS, max_bytes: this.#roomFor(max_bytes ?? null), links: this.#links([]) },
    };
    const shelved = { workspaceId, recording };
    const about = { id: recording.id, workspaceId, name: recording.name, startedAt };
    const limits = {
      maxBytes: recording.max_bytes,
      maxMs: recording.max_s * 1000,
      minFreeBytes: settings.minFreeBytes,
    };
    const ended = (sentence: string): void => this.#broke(recording.id, sentence);
    const recorder = new Recorder(about, shelf.folderOf(recording.id), limits, { ...source, ended });
    try {
      shelf.save(shelved);
      await recorder.open();
      this.#deed('started', recording.id, recording.name, by);
    } catch (thrown) {
      await recorder.stop();
      shelf.remove(recording.id);
      throw thrown instanceof Fault ? thrown : new Fault('unavailable', sentenceOf(thrown));
    }
    this.#going = { recorder, shelved };
    // In one breath: what holds, and from then on every change.
    recorder.begin();
    taps.tap = recorder;
    return this.#documentOf(this.#going);
  }

  /** How large it may become: as much as was asked for, or what is left where nothing was. Throws where that is not there. */
  #roomFor(asked: number | null): number {
    const { settings, shelf } = this.#parts;
    if (shelf.freeBytes() < settings.minFreeBytes) {
      const sentence = `the disk of ${shelf.folder} is nearly full: a recording would end at once`;
      throw new Fault('unavailable', sentence);
    }
    const used = shelf.usedBytes();
    const left = settings.allBytes - used;
    const bytes = asked ?? Math.max(LEAST_BYTES, Math.min(settings.maxBytes, left));
    if (bytes <= left) return bytes;
    const megabytes = (n: number): string => `${Math.ceil(n / 1e6)} MB`;
    const sentence = `recordings may take ${megabytes(settings.allBytes)} of this box in all, and ${megabytes(used)} are taken: one of ${megabytes(bytes)} has no room; delete one, or give it a smaller max_bytes`;
    throw new Fault('conflict', sentence);
  }

  async #end(state: Recording['state'], reason: string | null): Promise<Recording> {
    const going = this.#going as Going;
    this.#parts.taps.tap = null;
    await going.recorder.stop();
    return this.#shelve(going, state, reason);
  }

  /** It ended by itself. */
  #broke(id: string, sentence: string): void {
    const going = this.#going;
    if (going?.shelved.recording.id !== id) return;
    this.#parts.taps.tap = null;
    const { name } = this.#shelve(going, 'failed', sentence);
    this.#parts.note('recording.failed', `the recording ${name} ended: ${sentence}`);
  }

  #shelve(going: Going, state: Recording['state'], reason: string | null): Recording {
    const { source, shelf, workspaceId } = this.#parts;
    const endedAt = formatTime(source.utcMs(source.nowMs()));
    const recording = { ...this.#documentOf(going), state, reason, ended_at: endedAt };
    this.#going = null;
    const shelved = { workspaceId, recording };
    this.#kept.set(recording.id, shelved);
    try {
      shelf.save(shelved);
    } catch {
      // A full disk: its document says that it goes on, and the next start finds it interrupted.
    }
    return recording;
  }

  #documentOf({ recorder, shelved }: Going): Recording {
    const { bytes, segments, fromUtcMs, toUtcMs, gaps, droppedRecords, droppedBytes } = recorder.status;
    const { recording } = shelved;
    if (fromUtcMs !== null) recording.from_at = formatTime(fromUtcMs);
    if (toUtcMs !== null) recording.to_at = formatTime(toUtcMs);
    recording.links = this.#links(recording.links);
    return { ...recording, bytes, segments, gaps, dropped_records: droppedRecords, dropped_bytes: droppedBytes };
  }

  /** Those that were there before stay: what came over them is in it. */
  #links(before: readonly Link[]): Link[] {
    const links = new Map(before.map((link) => [link.id, link]));
    for (const { id, spec } of this.#parts.source.table('links') as unknown as { id: string; spec: Link }[])
      links.set(id, { id, name: spec.name, protocol: spec.protocol });
    return [...links.values()];
  }

  #deed(what: 'started' | 'stopped' | 'deleted', id: string, name: string, by: Actor): void {
    const { ledger, workspaceId } = this.#parts;
    const text = `${actorLabel(by)} ${what} the recording ${name}`;
    ledger.note({ kind: `recording.${what}`, text, by, workspaceId, subject: { type: 'recording', id, label: name } });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}
