import type { Rejection } from '../../model/detection.ts';
import type { Observation } from '../../model/observation.ts';
import { Bucket } from './limits.ts';
import { FORGET_SILENT_MS, SenderMap } from './sender_map.ts';

/**
 * Limits of refused reports that are accepted as evidence. `APART_MS`: least interval between two reports of one
 * transmitter, ms. `MOST_PER_S`: greatest number of reports of all transmitters a second. `TRANSMITTERS`: number of
 * transmitters whose last report is remembered.
 */
const APART_MS = 300;
const MOST_PER_S = 200;
const TRANSMITTERS = 2_000;
/**
 * Reasons of refusal that are evidence about the transmitter. A forged address (`id_conflict`) is excluded: it would
 * count against the impersonated vehicle.
 */
const telling: ReadonlySet<Rejection> = new Set(['too_old', 'ahead_of_time', 'rate']);

/**
 * Selects refused reports that still reach the assessment of claims. Reports that violate the time or rate limits are
 * evidence about their transmitter. The limits here bound the load of a flood of such reports.
 */
export class EvidenceLimit {
  readonly #all = new Bucket(MOST_PER_S, 0);
  readonly #lastMs = new SenderMap<{ ms: number }>(TRANSMITTERS, FORGET_SILENT_MS);

  admits({ identities, latDeg, use, authentic, receivedMs }: Observation, rejectedBy: Rejection): boolean {
    if (!telling.has(rejectedBy)) return false;
    const [first] = identities;
    if (!first || latDeg === null || use !== 'measure' || authentic) return false;
    const last = this.#lastMs.of(first.value, () => ({ ms: Number.NEGATIVE_INFINITY }), receivedMs);
    if (receivedMs - last.ms < APART_MS || !this.#all.take(receivedMs)) return false;
    last.ms = receivedMs;
    return true;
  }
}
