import { Heap } from '../kernel/heap.ts';

/**
 * Possible pairs. `rows` contains for each object the tracks (`column`) within the gate, with their costs. `columns` is
 * the number of tracks.
 */
export type Pairs = { columns: number; rows: readonly (readonly Pair[])[] };
export type Pair = { column: number; cost: number };

const NONE = -1;

/**
 * Assigns each row a column of its own, or none at the price `alone`, with the lowest sum of costs. The method is
 * shortest augmenting paths with prices of columns (Jonker and Volgenant 1987). It visits only the given pairs, so
 * distant objects cost no time. Costs are from 0 to `alone`. Returns the column of each row; −1 for none.
 */
export function assign({ columns, rows }: Pairs, alone: number): Int32Array {
  return new Assignment(rows, columns, alone).run();
}

class Assignment {
  readonly #rows: readonly (readonly Pair[])[];
  readonly #alone: number;
  readonly #columns: number;
  /**
   * Row of each column. The real columns are followed by one more column for each row, which stands for no assignment
   * of that row.
   */
  readonly #rowOf: Int32Array;
  readonly #columnOf: Int32Array;
  readonly #rowPrice: Float64Array;
  readonly #columnPrice: Float64Array;
  readonly #cost: Float64Array;
  readonly #from: Int32Array;
  /**
   * 1 for columns whose lowest cost is final. Rounding errors must not reopen such a column for a slightly lower cost.
   */
  readonly #isSettled: Uint8Array;
  readonly #heap = new Heap<number>();
  #seen: number[] = [];
  #settled: number[] = [];

  constructor(rows: readonly (readonly Pair[])[], columns: number, alone: number) {
    const all = columns + rows.length;
    this.#rows = rows;
    this.#columns = columns;
    this.#alone = alone;
    this.#rowOf = new Int32Array(all).fill(NONE);
    this.#columnOf = new Int32Array(rows.length).fill(NONE);
    this.#rowPrice = new Float64Array(rows.length);
    this.#columnPrice = new Float64Array(all);
    this.#cost = new Float64Array(all).fill(Number.POSITIVE_INFINITY);
    this.#from = new Int32Array(all).fill(NONE);
    this.#isSettled = new Uint8Array(all);
  }

  run(): Int32Array {
    for (let row = 0; row < this.#rows.length; row++) this.#place(row);
    return this.#columnOf.map((column) => (column < this.#columns ? column : NONE));
  }

  /** Assigns one more row at the lowest additional cost. Other rows get another column if that is cheaper. */
  #place(first: number): void {
    let row = first;
    let cost = 0;
    let free = NONE;
    this.#evaluate(row, cost);
    while (free === NONE) {
      const nextCost = this.#heap.least;
      const column = this.#heap.take();
      // The heap is never empty here: the column that stands for no assignment of the row is always available.
      if (column === undefined) return;
      if (this.#isSettled[column] === 1) continue;
      cost = nextCost;
      this.#settled.push(column);
      this.#isSettled[column] = 1;
      row = this.#rowOf[column] ?? NONE;
      if (row === NONE) free = column;
      else this.#evaluate(row, cost);
    }
    this.#reprice(first, cost);
    this.#turn(first, free);
    this.#forget();
  }

  #evaluate(row: number, soFar: number): void {
    const price = soFar - (this.#rowPrice[row] ?? 0);
    for (const { column, cost } of this.#rows[row] ?? []) this.#offer(column, row, price + cost);
    this.#offer(this.#columns + row, row, price + this.#alone);
  }

  #offer(column: number, row: number, raw: number): void {
    const cost = raw - (this.#columnPrice[column] ?? 0);
    const was = this.#cost[column] ?? 0;
    if (cost >= was || this.#isSettled[column] === 1) return;
    if (was === Number.POSITIVE_INFINITY) this.#seen.push(column);
    this.#cost[column] = cost;
    this.#from[column] = row;
    this.#heap.add(cost, column, column);
  }

  /**
   * Adjusts the prices. Afterwards every pair costs at least the sum of the prices of its row and column. An assigned
   * pair costs exactly that sum.
   */
  #reprice(first: number, total: number): void {
    for (const column of this.#settled) {
      const less = total - (this.#cost[column] ?? 0);
      this.#columnPrice[column] = (this.#columnPrice[column] ?? 0) - less;
      const row = this.#rowOf[column] ?? NONE;
      if (row !== NONE) this.#rowPrice[row] = (this.#rowPrice[row] ?? 0) + less;
    }
    this.#rowPrice[first] = (this.#rowPrice[first] ?? 0) + total;
  }

  #turn(first: number, free: number): void {
    let column = free;
    for (;;) {
      const row = this.#from[column] ?? NONE;
      const before = this.#columnOf[row] ?? NONE;
      this.#rowOf[column] = row;
      this.#columnOf[row] = column;
      if (row === first) return;
      column = before;
    }
  }

  #forget(): void {
    for (const column of this.#seen) {
      this.#cost[column] = Number.POSITIVE_INFINITY;
      this.#isSettled[column] = 0;
    }
    this.#seen = [];
    this.#settled = [];
    this.#heap.clear();
  }
}
