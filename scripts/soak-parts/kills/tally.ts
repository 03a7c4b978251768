import { quantile } from '../../bench-parts/row.ts';

/** Counts of a run of kills. */
export class Tally {
  kills = 0;
  startKills = 0;
  writes = 0;
  least = Number.POSITIVE_INFINITY;
  restored = 0;
  readonly faults: string[] = [];
  readonly startMs: number[] = [];
  readonly #beganMs = performance.now();

  /** One kill, after so many answered writes, on a daemon that had restored so many tracks. */
  count(writes: number, restored: number): void {
    this.kills++;
    this.writes += writes;
    this.least = Math.min(this.least, writes);
    this.restored += restored;
  }

  summary(): string {
    const minutes = ((performance.now() - this.#beganMs) / 60_000).toFixed(1);
    const kills = `${this.kills} kills, ${this.startKills} more during a start`;
    const writes = `${this.writes} answered writes, at least ${this.least} between two kills`;
    const start = `starts ${quantile(this.startMs, 0.5).toFixed(0)} ms in the median`;
    return `${minutes} min: ${kills}; ${writes}; ${this.restored} tracks restored; ${this.faults.length} faults; ${start}`;
  }

  verdict(): string[] {
    const count = this.faults.length;
    const missed = this.faults.slice(0, 20).map((fault) => `MISSED  ${fault}`);
    return [this.summary(), ...missed, count === 0 ? 'PASS: nothing lost, nothing half' : `FAIL: ${count} faults`];
  }
}
