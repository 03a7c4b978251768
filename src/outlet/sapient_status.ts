import { STATUS_INTERVAL_S } from '../edge/wire/sapient/box_registration.ts';
import { type BoxStatus, boxStatus, statusReport, unchangedReport } from '../edge/wire/sapient/box_status.ts';
import type { StatusReport } from '../edge/wire/sapient/message.ts';
import type { OutletPlace } from '../model/outlet_view.ts';
import type { OutletNode } from './sapient_node.ts';

/** Time of the next report, as a share of the interval: outlets have a turn each second, a little early or late. */
const EARLY = 0.9;
/** Least change of the box's place that is reported, degrees: some 50 m. */
const MOVED_DEG = 0.0005;

/** Status reports of a connection: a full one first and after each change, and one that nothing changed each 5 s. */
export class SapientStatus {
  readonly #node: OutletNode;
  #reported: BoxStatus | null = null;
  #atMs = 0;

  constructor(node: OutletNode) {
    this.#node = node;
  }

  /** The report that is due; null where none is. `isAsked`: the peer wants a full one. */
  due(nowMs: number, isAsked: boolean): StatusReport | null {
    const { picture } = this.#node;
    const status = boxStatus(picture.health(), picture.place());
    const before = this.#reported;
    if (before === null || isAsked || !isSame(before, status)) {
      this.#reported = status;
      this.#atMs = nowMs;
      return statusReport(status);
    }
    if (nowMs - this.#atMs < EARLY * STATUS_INTERVAL_S * 1_000) return null;
    this.#atMs = nowMs;
    // A middleware refuses a report of no change with another state than that of the last full one (Apex, connection.py).
    return unchangedReport(before.system);
  }
}

function isSame(one: BoxStatus, other: BoxStatus): boolean {
  const partsOf = ({ unwell }: BoxStatus): string => JSON.stringify(unwell.map(({ name, state }) => [name, state]));
  return one.system === other.system && partsOf(one) === partsOf(other) && isNear(one.place, other.place);
}

function isNear(one: OutletPlace | null, other: OutletPlace | null): boolean {
  if (one === null || other === null) return one === other;
  return Math.abs(one.lat - other.lat) < MOVED_DEG && Math.abs(one.lon - other.lon) < MOVED_DEG;
}
