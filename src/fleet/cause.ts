import { MAV_STATE_CRITICAL } from './mav.ts';
import type { Vehicle } from './vehicle.ts';

/** Time before and after a mode change within which a status text may name its cause, ms. */
export const CAUSE_WITHIN_MS = 10_000;
/** Time after a mode change within which a failsafe reports its cause, even over a slow link, ms. */
export const CAUSE_FOLLOWS_MS = 500;
/** Greatest age of a FENCE_STATUS that still counts, ms. */
const FENCE_FRESH_MS = 5_000;
/** Words in which autopilots announce that a failsafe acts. */
const FAILSAFE = /failsafe|fail-safe|fence|ekf variance|battery|rc loss|link (lost|loss)|gps glitch/i;
const NO_FAILSAFE = /cleared|prearm|^arm:/i;

/** FENCE_BREACH of FENCE_STATUS. */
const breaches = ['none', 'its lowest height', 'its greatest height', 'its boundary'] as const;

/** True where a text announces a failsafe that acts. */
export function isFailsafeText(text: string): boolean {
  return FAILSAFE.test(text) && !NO_FAILSAFE.test(text);
}

/** The cause that the vehicle reports for a mode it entered by itself; null where it reports none. */
export function causeOf(vehicle: Vehicle, nowMs: number): string | null {
  const text = vehicle.complaint(nowMs - CAUSE_WITHIN_MS, isFailsafeText);
  if (text !== null) return `its own failsafe has it (“${text}”)`;
  return (
    fenceCause(vehicle, nowMs) ?? (vehicle.hasEkfPosition?.value === false ? 'its EKF has lost its position' : null)
  );
}

/** Sentence that names the vehicle's own fence as the probable cause; null where FENCE_STATUS reports no breach. */
export function fenceCause({ fence }: Vehicle, nowMs: number): string | null {
  if (!fence || nowMs - fence.atMs > FENCE_FRESH_MS || !fence.value.isBreached) return null;
  return `its own fence is the probable cause: it reports a breach of ${breaches[fence.value.breach] ?? 'it'}`;
}

/**
 * True where a vehicle was taken and is in a critical state without a reported cause: a failsafe may have acted.
 * ArduPilot's texts arrive after the heartbeat.
 */
export function awaitsCause({ custody, heartbeat }: Vehicle): boolean {
  return custody.taken?.cause === null && heartbeat.value.systemStatus >= MAV_STATE_CRITICAL;
}

/**
 * Sentence that ends a command of ours: the vehicle is in a mode that we did not order, and the cause or the likely
 * one.
 */
export function takenText(vehicle: Vehicle): string {
  const { taken } = vehicle.custody;
  const accepted = taken?.accepted ?? null;
  const { name } = vehicle.mode;
  const whose = awaitsCause(vehicle) ? 'its own failsafe, or another station,' : 'its pilot or another station';
  const left = accepted === null ? null : `the vehicle acknowledged ${vehicle.modeName(accepted)} but is not in it`;
  return `${taken?.cause ?? left ?? `${whose} has it in hand`}: it is in ${name}`;
}
