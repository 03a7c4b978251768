/**
 * Ranges of numbers that were sent merged. A merged event carries the number of its last change, so a client that was cut off
 * in the middle of such a batch has seen a number without having seen every change before it. It must not continue
 * from there, but begin again with the picture.
 */
export class Merged {
  private readonly ranges: { epoch: string; first: number; last: number }[] = [];
  private readonly limit: number;

  /** Only the ranges of the last epoch are kept. Past `limit` ranges the two oldest become one: safe, since a picture is always right. */
  constructor(limit: number) {
    this.limit = limit;
  }

  add(epoch: string, first: number, last: number): void {
    if (first === last) return;
    if (this.ranges[0]?.epoch !== epoch) this.ranges.length = 0;
    this.ranges.push({ epoch, first, last });
    if (this.ranges.length <= this.limit) return;
    const [a, b] = this.ranges.splice(0, 2);
    if (a === undefined || b === undefined) return;
    this.ranges.unshift({ epoch, first: Math.min(a.first, b.first), last: Math.max(a.last, b.last) });
  }

  /** True where a client that saw `seq` last may have missed a change before it. */
  has(epoch: string, seq: number): boolean {
    return this.ranges.some((range) => range.epoch === epoch && range.first <= seq && seq < range.last);
  }
}
