import { setImmediate as turn } from 'node:timers/promises';
import type { CoreMaker } from '../core/thread/handle.ts';
import { MAX_BATCH } from '../core/thread/remote.ts';
import { CoreStepped } from '../core/thread/stepped.ts';
import { sentenceOf, unavailable } from '../model/fault.ts';
import { formatTime } from '../model/time.ts';
import { DrivenClock } from '../world/driven/clock.ts';
import { FLEET_MS, SECOND_MS, STEP_MS } from '../world/driven/drive.ts';
import { Wires } from '../world/driven/memory_wire.ts';
import type { Steps } from '../world/driven/pacer.ts';
import { Turns } from '../world/turns.ts';
import type { World } from '../world/world.ts';
import type { Driven } from '../world/world_deps.ts';
import type { RecordingReader } from './reader.ts';
import type { RecordingRecord, RegistrySnapshot, TableChange } from './records.ts';
import { Republisher } from './republisher.ts';
import { type RestoredChange, RestoredTables } from './restored_tables.ts';

export type ReplaySettings = {
  reader: RecordingReader;
  /** World time at which the replay begins, ms: the beginning of a segment. */
  fromMs: number;
  /** Returns the time of the clock that paces publishing to viewers, ms. */
  publishMs(): number;
};

/** Services that are connected to a replay once its world exists. */
export type ReplayService = {
  world: World;
  /** Applies a change of the data that operators own. */
  take(change: RestoredChange): void;
  /** Evaluates the services. Called once per second of world time. */
  everySecond(): void;
};

/**
 * Plays a recording into a world: the same input at the same times and in the same order, with core steps at the
 * recorded times. Work on timers is not recorded. The replay ticks the fleet every 50 ms, and does all other periodic
 * work once a second.
 */
export class ReplayRun implements Steps {
  readonly clock: DrivenClock;
  /** Parts with which this replay drives its world. */
  readonly driven: Driven;
  /** State at the beginning of the replay. */
  readonly snapshot: RegistrySnapshot;
  /** Tables as of the current time of the replay. */
  readonly restored: RestoredTables;
  readonly #reader: RecordingReader;
  readonly #wires: Wires;
  readonly #records: Iterator<RecordingRecord>;
  #next: RecordingRecord | null | undefined;
  #core: CoreStepped | null = null;
  #service: ReplayService | null = null;
  #republisher: Republisher | null = null;
  #fleetMs: number;
  #secondMs: number;
  readonly #turns = new Turns();

  constructor({ reader, fromMs, publishMs }: ReplaySettings) {
    this.#reader = reader;
    this.snapshot = reader.snapshotAt(fromMs);
    const { atMs, utcMs, core, tables, tracks } = this.snapshot;
    this.restored = new RestoredTables(tables);
    this.restored.refused.add('tracks', tables.rows('tracks').length - tracks.length);
    this.clock = new DrivenClock(atMs, utcMs - atMs);
    this.#records = reader.records(fromMs);
    this.#fleetMs = atMs + FLEET_MS;
    this.#secondMs = atMs + SECOND_MS;
    // Bytes that a replayed world sends over a link are discarded.
    this.#wires = new Wires({ nowMs: () => this.clock.nowMs(), written() {} });
    const make: CoreMaker = (...given) => {
      this.#core = new CoreStepped(...given);
      return this.#core;
    };
    this.driven = { core: make, seed: core.seed, open: this.#wires.open, publishMs: publishMs };
  }

  /** Restores the initial state. Call this once the world has started. */
  async begin(service: ReplayService): Promise<void> {
    this.#service = service;
    this.#republisher = new Republisher(service.world, this.#wires, () => formatTime(this.utcMs), this.restored);
    await this.#republisher.begin();
    // Work scheduled for the next turns of the event loop is done before world time advances.
    await turn();
    await turn();
  }

  get nowMs(): number {
    return this.clock.nowMs();
  }

  /** UTC by the clock of the recording machine, ms. */
  get utcMs(): number {
    return this.clock.utcMs(this.nowMs);
  }

  get isOver(): boolean {
    return this.nowMs >= this.#reader.span.toMs;
  }

  /** Advances by 0.1 s of world time, at most to the end of the recording, after all steps requested earlier. */
  step(): Promise<void> {
    return this.#turns.run(() => this.#step());
  }

  idle(): Promise<void> {
    return this.#turns.idle();
  }

  async #step(): Promise<void> {
    const toMs = Math.min(this.nowMs + STEP_MS, this.#reader.span.toMs);
    for (let record = this.#peek(); record && record.atMs <= toMs; record = this.#peek()) {
      await this.#pass(record.atMs);
      this.clock.setUtcOffset(record.utcMs - record.atMs);
      await this.#play(record);
      this.#next = undefined;
    }
    await this.#pass(toMs);
    await turn();
  }

  #peek(): RecordingRecord | null {
    if (this.#next !== undefined) return this.#next;
    try {
      const { value, done } = this.#records.next();
      this.#next = done ? null : value;
      return this.#next;
    } catch (thrown) {
      throw unavailable(`the rest of the recording cannot be read: ${sentenceOf(thrown)}`, { cause: thrown });
    }
  }

  /** Advances world time up to `toMs` without input, and does the periodic work that is due. */
  async #pass(toMs: number): Promise<void> {
    const { world, everySecond } = this.#started(this.#service);
    while (Math.min(this.#fleetMs, this.#secondMs) <= toMs) {
      if (this.#fleetMs <= this.#secondMs) {
        this.clock.set(this.#fleetMs);
        this.#fleetMs += FLEET_MS;
        world.fleet.tick();
        // Lets promises of sent messages settle before more input arrives. Without vehicles nothing is sent, so this
        // turn of the event loop is skipped.
        if (world.fleet.vehicles().length > 0) await turn();
      } else {
        this.clock.set(this.#secondMs);
        this.#secondMs += SECOND_MS;
        world.everySecond();
        everySecond();
        world.settle();
      }
    }
    this.clock.set(toMs);
  }

  async #play(record: RecordingRecord): Promise<void> {
    const { world } = this.#started(this.#service);
    const republisher = this.#started(this.#republisher);
    switch (record.kind) {
      case 'bytes': {
        const wire = republisher.wireOf(record.linkId);
        if (!wire) return;
        // A link that received bytes was open, even if the recorded state says that it was not.
        wire.setDown(null);
        wire.arrive(record.bytes, record.from, record.atMs);
        return;
      }
      case 'ingest':
        for (const row of this.restored.refused.fitting('ingest', record.rows)) world.rows.take(row, null, record.atMs);
        return;
      case 'step':
        return this.#stepCore(record.atMs);
      case 'change':
        world.settle();
        for (const change of this.restored.refused.fitting('changes', [record.change]))
          await this.#started(this.#core).change(change);
        return;
      case 'registry':
        return this.#takeTable(record);
      case 'link':
        return republisher.link(record.link_id, record.state, record.error);
      case 'gone':
        republisher.wireOf(record.link_id)?.gone(record.from);
        return;
      case 'core':
        return this.#restart(Buffer.from(record.seed, 'hex'));
      case 'gap':
        world.note('recording.gap', 'warning', `a part of the received data was not recorded: ${record.sentence}`);
        return;
    }
  }

  async #stepCore(atMs: number): Promise<void> {
    const core = this.#started(this.#core);
    const { world } = this.#started(this.#service);
    world.settle();
    await core.step(atMs, MAX_BATCH);
    core.deliver();
    world.settle();
  }

  async #takeTable(change: TableChange): Promise<void> {
    const { world, take } = this.#started(this.#service);
    const restored = this.restored.take(change);
    if (restored === null) return;
    take(restored);
    await this.#started(this.#republisher).take(restored);
    // As in the recorded world, work scheduled for the next turn of the event loop is done before the next step.
    await turn();
    world.settle();
  }

  /**
   * Restarts the core at the time at which it restarted in the recorded world. Each segment of a recording repeats the
   * record of its core; a record with the same seed has no effect.
   */
  async #restart(seed: Uint8Array): Promise<void> {
    if (Buffer.compare(seed, this.driven.seed) === 0) return;
    this.driven.seed = seed;
    await this.#started(this.#core).restart('the core failed and was restarted at this time of the recording');
  }

  #started<T>(part: T | null): T {
    if (part === null) throw new TypeError('the replay has not begun');
    return part;
  }
}
