import { STATUS_INTERVAL_S } from '../edge/wire/sapient/box_registration.ts';
import { type BoxStatus, boxStatus, statusReport, unchangedReport } from '../edge/wire/sapient/box_status.ts';
import type { StatusReport } from '../edge/wire/sapient/message.ts';
import type { OutletPlace } from '../model/outlet_view.ts';
import type { OutletNode } from './sapient_node.ts';

/**
 * Share of the report interval after which the next report is sent. It is below 1, because the outlet asks for reports
 * once a second, a little early or late.
 */
const EARLY = 0.9;
/** Smallest change of the box's position that is reported, degrees; about 50 m in latitude. */
const MOVED_DEG = 0.0005;

/**
 * Status reports of a connection. A full report is sent first and after each change. While nothing changes, a short
 * report is sent every 5 s.
 */
export class SapientStatus {
  readonly #node: OutletNode;
  #reported: BoxStatus | null = null;
  #atMs = 0;

  constructor(node: OutletNode) {
    this.#node = node;
  }

  /**
   * Returns the report that is due; null if none is. `isAsked` requires a full report, after a request of the peer or a
   * registration.
   */
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
    // A middleware refuses a report of no change whose state differs from that of the last full report (Apex,
    // connection.py).
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
