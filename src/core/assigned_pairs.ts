import { PackedRows } from './packed_rows.ts';

/** Which observation went to which track: pairs of a sequence and a track's number, as an output carries them. */
export class AssignedPairs {
  readonly #pairs = new PackedRows(2);

  add(sequence = 0, number = 0): void {
    const at = this.#pairs.add();
    this.#pairs.values[at] = sequence;
    this.#pairs.values[at + 1] = number;
  }

  take(): Float64Array {
    return this.#pairs.take();
  }
}
