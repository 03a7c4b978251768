import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Track } from '../../../src/model/track.ts';
import { randomFrom } from '../../../test/support/basics/random.ts';
import { until } from '../../../test/support/daemon/daemon.ts';
import type { DaemonProcess } from '../../../test/support/daemon/daemon_process.ts';
import { KilledBox, overdueFaults, pointsOf } from './box.ts';
import { CLOSE_S } from './flights.ts';
import { Tally } from './tally.ts';
import { type Ask, Refused, Writers } from './writers.ts';

/** Rounds with one data folder. A new one then begins, so that reading everything back stays cheap. */
const ROUNDS_A_BOX = 50;
const LEAST_WRITES = 10;
const MOST_MORE_MS = 400;
/** Every so many rounds a round is longer than the history that a kill may cost, by up to LONGER_MS. */
const LONG_EVERY = 8;
const LONG_MS = 4_000;
const LONGER_MS = 2_000;
/** Every so many rounds: a kill in the middle of a start; a daemon that is down past the life of a track; an age watched to its end. */
const STARTING_EVERY = 10;
const MOST_START_MS = 1_800;
const DOWN_EVERY = 100;
const AGED_EVERY = 49;
const REPORT_EVERY = 10;
/** A starved machine may need so long for ten writes. */
const PATIENCE_MS = 300_000;
/** A connection that ends with the daemon. */
const gone = /fetch failed|terminated|other side closed|Unexpected end|ECONNRE/;

export type KillOptions = { rounds: number; seed: number };

/**
 * `scripts/soak kills`: the daemon dies by SIGKILL at random moments under six writers, and is looked at from outside after each
 * start. Prints its progress. SIGINT ends it after the present round, with what it found.
 */
export function runKills(options: KillOptions): Promise<boolean> {
  return new KillRun(options).run();
}

class KillRun {
  readonly #rounds: number;
  readonly #seed: number;
  readonly #random: () => number;
  readonly #tally = new Tally();
  #isEnded = false;

  constructor({ rounds, seed }: KillOptions) {
    this.#rounds = rounds;
    this.#seed = seed;
    this.#random = randomFrom(seed);
  }

  async run(): Promise<boolean> {
    console.log(`seed ${this.#seed}: run again with --seed ${this.#seed}; ${this.#rounds} rounds`);
    process.once('SIGINT', () => {
      this.#isEnded = true;
    });
    while (!this.#isOver) {
      const ends: (() => unknown)[] = [];
      try {
        await this.#runBox(new KilledBox({ teardown: (act) => void ends.push(act) }));
      } finally {
        for (const end of ends.reverse()) await end();
      }
    }
    for (const line of this.#tally.verdict()) console.log(line);
    return this.#tally.faults.length === 0;
  }

  get #isOver(): boolean {
    return this.#isEnded || this.#tally.kills >= this.#rounds;
  }

  async #runBox(box: KilledBox): Promise<void> {
    for (let round = 0; ; round++) {
      const isLast = round === ROUNDS_A_BOX || this.#isOver;
      const { daemon, ask } = await box.start();
      this.#tally.startMs.push(daemon.startMs);
      const found = [...(await box.faults(daemon, ask, isLast)), ...(await box.auditFaults())];
      if (round > 0 && round % AGED_EVERY === 0) found.push(...(await agedToTheEnd(daemon)));
      if (isLast) found.push(...(await box.logFaults(daemon)), ...(await stopFaults(daemon)));
      this.#keep(found, box);
      if (isLast) return;
      this.#keep(await this.#killed(box, daemon, ask), box);
      if (this.#tally.kills % STARTING_EVERY === 0) await this.#killStarting(box);
      if (this.#tally.kills % DOWN_EVERY === 0) await sleep((CLOSE_S + 5) * 1_000);
      if (this.#tally.kills % REPORT_EVERY === 0) console.log(this.#tally.summary());
    }
  }

  /** One kill under writes; answers what its writers found strange. */
  async #killed(box: KilledBox, daemon: DaemonProcess, ask: Ask): Promise<string[]> {
    const { writes } = box.ledger;
    const written = (): number => box.ledger.writes - writes;
    const stop = box.flights.fly(await daemon.port('rows'));
    const work = new Writers(ask, box.ledger, this.#random, `${this.#tally.kills}`).start();
    try {
      await until(async () => written() >= LEAST_WRITES, `${LEAST_WRITES} writes are answered`, PATIENCE_MS);
      await this.#watchTracks(daemon, box);
    } finally {
      box.flights.killed(Date.now());
      await daemon.end('SIGKILL');
      stop();
    }
    const strange = strangeEnds(await work);
    this.#tally.count(written(), box.flights.restored);
    box.flights.restored = 0;
    return strange;
  }

  async #killStarting(box: KilledBox): Promise<void> {
    await box.killStarting(this.#random() * MOST_START_MS);
    this.#tally.startKills++;
  }

  /** Looks at the tracks until a random moment. */
  async #watchTracks(daemon: DaemonProcess, box: KilledBox): Promise<void> {
    const isLong = (this.#tally.kills + 1) % LONG_EVERY === 0;
    const moreMs = isLong ? LONG_MS + this.#random() * LONGER_MS : this.#random() * MOST_MORE_MS;
    const untilMs = performance.now() + moreMs;
    do {
      const tracks = await daemon.get<Track[]>('/api/tracks');
      box.flights.saw(tracks, this.#random() < 0.5 ? await pointsOf(daemon, tracks) : new Map());
      await sleep(Math.min(500, Math.max(0, untilMs - performance.now())));
    } while (performance.now() < untilMs);
  }

  /** Notes faults, and keeps the data folder of the first ones as it is now. */
  #keep(found: readonly string[], box: KilledBox): void {
    if (found.length === 0) return;
    const { kills, faults } = this.#tally;
    for (const fault of found.slice(0, 5)) console.log(`MISSED  kill ${kills}: ${fault}`);
    if (faults.length === 0) {
      const copy = join('build', 'soak', `kills-${this.#seed}-${kills}`);
      mkdirSync(copy, { recursive: true });
      cpSync(box.dataDir, copy, { recursive: true });
      console.log(`a copy of the data folder is in ${copy}`);
    }
    faults.push(...found);
  }
}

/** Nothing reports: every track that came back must be closed at its true age, which began before the kill. */
async function agedToTheEnd(daemon: DaemonProcess): Promise<string[]> {
  for (;;) {
    const tracks = await daemon.get<Track[]>('/api/tracks');
    if (tracks.length === 0) return [];
    const faults = await overdueFaults(daemon);
    if (faults.length > 0) return faults;
    await sleep(200);
  }
}

async function stopFaults(daemon: DaemonProcess): Promise<string[]> {
  const code = await daemon.end();
  return code === 0 ? [] : [`the exit code of an orderly stop is ${code}`];
}

/** Writers end with the connection and with nothing else. */
function strangeEnds(ends: readonly PromiseSettledResult<never>[]): string[] {
  return ends.flatMap((end) => {
    if (end.status !== 'rejected') return ['a writer ended by itself'];
    const { reason } = end;
    const text = reason instanceof Error ? `${reason.message} ${String(reason.cause ?? '')}` : String(reason);
    return reason instanceof Refused || !gone.test(text) ? [`a writer ended with: ${text}`] : [];
  });
}
