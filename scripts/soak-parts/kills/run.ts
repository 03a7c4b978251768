import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Track } from '../../../src/model/track.ts';
import { randomFrom } from '../../../test/support/basics/random.ts';
import { until } from '../../../test/support/daemon/daemon.ts';
import type { DaemonProcess } from '../../../test/support/daemon/daemon_process.ts';
import { quantile } from '../../bench-parts/row.ts';
import { KilledBox, pointsOf } from './box.ts';
import { CLOSE_S } from './flights.ts';
import { Refused, Writers } from './writers.ts';

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
const DOWN_EVERY = 100;
const AGED_EVERY = 49;
const REPORT_EVERY = 10;
/** A connection that ends with the daemon. */
const gone = /fetch failed|terminated|other side closed|Unexpected end|ECONNRE/;

type Tally = {
  kills: number;
  startKills: number;
  writes: number;
  least: number;
  restored: number;
  faults: string[];
  startMs: number[];
};

/**
 * `scripts/soak kills`: the daemon dies by SIGKILL at random moments under six writers, and is looked at from outside after each
 * start. Prints its progress, so that a run that is ended early counts as far as it went.
 */
export async function runKills({ rounds, seed }: { rounds: number; seed: number }): Promise<boolean> {
  console.log(`seed ${seed}: run again with --seed ${seed}; ${rounds} rounds, a new data folder every ${ROUNDS_A_BOX}`);
  const random = randomFrom(seed);
  const tally: Tally = {
    kills: 0,
    startKills: 0,
    writes: 0,
    least: Number.POSITIVE_INFINITY,
    restored: 0,
    faults: [],
    startMs: [],
  };
  const beganMs = performance.now();
  process.once('SIGINT', () => {
    console.log(summary(tally, beganMs));
    process.exit(tally.faults.length > 0 ? 1 : 0);
  });
  while (tally.kills < rounds) {
    const ends: (() => unknown)[] = [];
    try {
      const box = new KilledBox({ teardown: (act) => void ends.push(act) });
      await runBox(box, Math.min(ROUNDS_A_BOX, rounds - tally.kills), random, tally, beganMs, seed);
    } finally {
      for (const end of ends.reverse()) await end();
    }
  }
  console.log(summary(tally, beganMs));
  for (const fault of tally.faults.slice(0, 20)) console.log(`MISSED  ${fault}`);
  console.log(tally.faults.length === 0 ? 'PASS: nothing lost, nothing half' : `FAIL: ${tally.faults.length} faults`);
  return tally.faults.length === 0;
}

async function runBox(
  box: KilledBox,
  rounds: number,
  random: () => number,
  tally: Tally,
  beganMs: number,
  seed: number,
) {
  for (let round = 0; round <= rounds; round++) {
    const { daemon, ask } = await box.start();
    tally.startMs.push(daemon.startMs);
    const found = [...(await box.faults(daemon, ask, round === rounds)), ...(await box.auditFaults())];
    if (round > 0 && round % AGED_EVERY === 0) found.push(...(await agedToTheEnd(daemon)));
    if (round === rounds) {
      found.push(...(await box.logFaults(daemon)));
      const code = await daemon.end();
      if (code !== 0) found.push(`the exit code of an orderly stop is ${code}`);
    }
    keep(found, box, tally, seed);
    if (round === rounds) return;
    const { writes } = box.ledger;
    const stop = box.flights.fly(await daemon.port('rows'));
    const work = new Writers(ask, box.ledger, random, `${tally.kills}`).start();
    await until(async () => box.ledger.writes - writes >= LEAST_WRITES, `${LEAST_WRITES} writes are answered`);
    await watchTracks(daemon, box, random, (tally.kills + 1) % LONG_EVERY === 0);
    box.flights.killed(Date.now());
    await daemon.end('SIGKILL');
    stop();
    keep(strangeEnds(await work), box, tally, seed);
    tally.kills++;
    tally.writes += box.ledger.writes - writes;
    tally.least = Math.min(tally.least, box.ledger.writes - writes);
    tally.restored += box.flights.restored;
    box.flights.restored = 0;
    if (tally.kills % STARTING_EVERY === 0) {
      await box.killStarting(random() * 1_800);
      tally.startKills++;
    }
    if (tally.kills % DOWN_EVERY === 0) await sleep((CLOSE_S + 5) * 1_000);
    if (tally.kills % REPORT_EVERY === 0) console.log(summary(tally, beganMs));
  }
}

/** Looks at the tracks until a random moment. */
async function watchTracks(
  daemon: DaemonProcess,
  box: KilledBox,
  random: () => number,
  isLong: boolean,
): Promise<void> {
  const untilMs = performance.now() + (isLong ? LONG_MS + random() * LONGER_MS : random() * MOST_MORE_MS);
  do {
    const tracks = await daemon.get<Track[]>('/api/tracks');
    box.flights.saw(tracks, random() < 0.5 ? await pointsOf(daemon, tracks) : new Map());
    await sleep(Math.min(500, Math.max(0, untilMs - performance.now())));
  } while (performance.now() < untilMs);
}

/** Nothing reports: every track that came back must be closed at its true age, which began before the kill. */
async function agedToTheEnd(daemon: DaemonProcess): Promise<string[]> {
  const wrong: string[] = [];
  const left = async (): Promise<Track[]> => daemon.get<Track[]>('/api/tracks');
  for (let tracks = await left(); tracks.length > 0; tracks = await left()) {
    const eldestS = Math.max(...tracks.map(({ last_seen_at }) => (Date.now() - Date.parse(last_seen_at)) / 1_000));
    if (eldestS > CLOSE_S + 4) {
      wrong.push(`a track is ${eldestS.toFixed(1)} s old and not closed: its age began anew`);
      break;
    }
    await sleep(200);
  }
  return wrong;
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

/** Keeps the data folder of the first faults, as it is now. */
function keep(found: readonly string[], box: KilledBox, tally: Tally, seed: number): void {
  if (found.length === 0) return;
  for (const fault of found.slice(0, 5)) console.log(`MISSED  kill ${tally.kills}: ${fault}`);
  if (tally.faults.length === 0) {
    const copy = join('build', 'soak', `kills-${seed}-${tally.kills}`);
    mkdirSync(copy, { recursive: true });
    cpSync(box.dataDir, copy, { recursive: true });
    console.log(`a copy of the data folder is in ${copy}`);
  }
  tally.faults.push(...found);
}

function summary({ kills, startKills, writes, least, restored, faults, startMs }: Tally, beganMs: number): string {
  const minutes = ((performance.now() - beganMs) / 60_000).toFixed(1);
  const median = quantile(startMs, 0.5).toFixed(0);
  return `${minutes} min: ${kills} kills, ${startKills} more during a start; ${writes} answered writes, at least ${least} between two kills; ${restored} tracks restored; ${faults.length} faults; starts ${median} ms in the median`;
}
