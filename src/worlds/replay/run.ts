import { setImmediate as turn } from 'node:timers/promises';
import type { CoreMaker } from '../../core/handle.ts';
import { MAX_BATCH } from '../../core/remote.ts';
import { CoreStepped } from '../../core/stepped.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import { formatTime } from '../../model/time.ts';
import { DrivenClock } from '../driven/clock.ts';
import { FLEET_MS, SECOND_MS, STEP_MS } from '../driven/drive.ts';
import type { Steps } from '../driven/pacer.ts';
import { Wires } from '../driven/wire.ts';
import type { World } from '../world.ts';
import type { Driven } from '../world_rim.ts';
import type { RecordingReader } from './reader.ts';
import type { RecordingRecord, RegistrySnapshot, TableChange } from './records.ts';
import { Retelling } from './retelling.ts';

export type ReplaySettings = {
  reader: RecordingReader;
  /** World time of the recording, the beginning of one of its segments. */
  fromMs: number;
  /** The clock of those who watch. */
  tellMs(): number;
};

/** What joins a replay once its world stands. */
export type ReplayDesk = {
  world: World;
  /** What operators owned became another. */
  take(change: TableChange): void;
  /** What the desks look at once a second. */
  everySecond(): void;
};

/**
 * A recording on its way through a world: what entered the recorded one enters this one at the same times and in the same
 * order, and its core steps when that one's did. What goes by a timer of its own, which is not recorded, goes by the second.
 */
export class ReplayRun implements Steps {
  readonly clock: DrivenClock;
  /** What its world is driven by. */
  readonly driven: Driven;
  /** What held where it begins. */
  readonly snapshot: RegistrySnapshot;
  readonly #reader: RecordingReader;
  readonly #wires: Wires;
  readonly #records: Iterator<RecordingRecord>;
  #next: RecordingRecord | null | undefined;
  #seed: Uint8Array;
  #core: CoreStepped | null = null;
  #desk: ReplayDesk | null = null;
  #retelling: Retelling | null = null;
  #fleetMs: number;
  #secondMs: number;
  #busy: Promise<void> = Promise.resolve();

  constructor({ reader, fromMs, tellMs }: ReplaySettings) {
    this.#reader = reader;
    this.snapshot = reader.snapshotAt(fromMs);
    const { atMs, utcMs, core } = this.snapshot;
    this.clock = new DrivenClock(atMs, utcMs - atMs);
    this.#records = reader.records(fromMs);
    this.#fleetMs = atMs + FLEET_MS;
    this.#secondMs = atMs + SECOND_MS;
    this.#seed = core.seed;
    // What a replayed world writes to a link ends here.
    this.#wires = new Wires({ nowMs: () => this.clock.nowMs(), written() {} });
    const make: CoreMaker = (...given) => {
      this.#core = new CoreStepped(...given);
      return this.#core;
    };
    const seed = (): Uint8Array => this.#seed;
    this.driven = {
      core: make,
      get seed() {
        return seed();
      },
      open: this.#wires.open,
      tellMs,
    };
  }

  /** Once its world has started. */
  async begin(desk: ReplayDesk): Promise<void> {
    this.#desk = desk;
    this.#retelling = new Retelling(
      { world: desk.world, wires: this.#wires, nowText: () => formatTime(this.utcMs) },
      this.snapshot,
    );
    await this.#retelling.begin();
    // What was planned for the next turn is done before time passes.
    await turn();
    await turn();
  }

  get nowMs(): number {
    return this.clock.nowMs();
  }

  /** UTC as the recorded box had it. */
  get utcMs(): number {
    return this.clock.utcMs(this.nowMs);
  }

  get isOver(): boolean {
    return this.nowMs >= this.#reader.span.toMs;
  }

  /** A tenth of a second passes. Those that are asked for while one is under way follow it. */
  step(): Promise<void> {
    const next = this.#busy.then(() => this.#step());
    this.#busy = next.catch(() => {});
    return next;
  }

  async idle(): Promise<void> {
    await this.#busy;
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
      throw new Fault('unavailable', `the recording cannot be read on: ${sentenceOf(thrown)}`, { cause: thrown });
    }
  }

  /** Nothing enters until then. */
  async #pass(toMs: number): Promise<void> {
    const { world, everySecond } = this.#started(this.#desk);
    while (Math.min(this.#fleetMs, this.#secondMs) <= toMs) {
      if (this.#fleetMs <= this.#secondMs) {
        this.clock.set(this.#fleetMs);
        this.#fleetMs += FLEET_MS;
        world.fleet.tick();
        // Promises of what was sent settle before more enters; where nobody flies nothing is sent.
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
    const { world } = this.#started(this.#desk);
    const retelling = this.#started(this.#retelling);
    switch (record.kind) {
      case 'bytes': {
        const name = retelling.nameOf(record.linkId);
        if (name === null) return;
        // Whatever was said of it: who hears is open.
        this.#wires.turn(name, null);
        this.#wires.arrive(name, record.bytes, record.from, record.atMs);
        return;
      }
      case 'ingest':
        for (const row of record.rows) world.rows.take(row, null, record.atMs);
        return;
      case 'step':
        return this.#stepCore(record.atMs);
      case 'change':
        world.settle();
        await this.#started(this.#core).change(record.change);
        return;
      case 'registry':
        return this.#takeTable(record);
      case 'link':
        return retelling.link(record.link_id, record.state, record.error);
      case 'gone': {
        const name = retelling.nameOf(record.link_id);
        if (name !== null) this.#wires.gone(name, record.from);
        return;
      }
      case 'core':
        return this.#restart(Buffer.from(record.seed, 'hex'));
      case 'gap':
        world.note('recording.gap', 'warning', `of what was heard then, something is not recorded: ${record.sentence}`);
        return;
    }
  }

  async #stepCore(atMs: number): Promise<void> {
    const core = this.#started(this.#core);
    const { world } = this.#started(this.#desk);
    world.settle();
    await core.step(atMs, MAX_BATCH);
    core.deliver();
    world.settle();
  }

  async #takeTable(change: TableChange): Promise<void> {
    const { world, take } = this.#started(this.#desk);
    take(change);
    await this.#started(this.#retelling).take(change);
    // What is planned for the next turn of it was told before the next step then, too.
    await turn();
    world.settle();
  }

  /** The core of the recorded world failed and was begun anew. Where a segment only says again which one runs, nothing happens. */
  async #restart(seed: Uint8Array): Promise<void> {
    if (Buffer.compare(seed, this.#seed) === 0) return;
    this.#seed = seed;
    await this.#started(this.#core).restart('the core failed then, and was started again');
  }

  #started<T>(part: T | null): T {
    if (part === null) throw new TypeError('the replay has not begun');
    return part;
  }
}
