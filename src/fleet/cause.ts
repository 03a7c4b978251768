import { MAV_STATE_CRITICAL } from './mav.ts';
import type { Vehicle } from './vehicle.ts';

/** Time before and after a mode change within which a status text may give the cause, ms. */
export const CAUSE_WITHIN_MS = 10_000;
/** Time after a mode change within which a failsafe reports its cause even over a slow link, ms. */
export const CAUSE_FOLLOWS_MS = 500;
/** Greatest age of a FENCE_STATUS message that is still used, ms. */
const FENCE_FRESH_MS = 5_000;
/** Words in status texts by which autopilots announce an active failsafe. */
const FAILSAFE = /failsafe|fail-safe|fence|ekf variance|battery|rc loss|link (lost|loss)|gps glitch/i;
const NO_FAILSAFE = /cleared|prearm|^arm:/i;

/** Names of the limits that a vehicle can breach, by the value of FENCE_BREACH in FENCE_STATUS. */
const breaches = ['its fence', 'its lowest height', 'its greatest height', 'its boundary'] as const;

/** Whether a status text announces an active failsafe. */
export function isFailsafeText(text: string): boolean {
  return FAILSAFE.test(text) && !NO_FAILSAFE.test(text);
}

/** Returns the reported cause of a mode change that the vehicle made by itself; null if none is reported. */
export function causeOf(vehicle: Vehicle, nowMs: number): string | null {
  const text = vehicle.complaint(nowMs - CAUSE_WITHIN_MS, isFailsafeText);
  if (text !== null) return `the failsafe of the vehicle controls it (“${text}”)`;
  return (
    fenceCause(vehicle, nowMs) ??
    (vehicle.hasEkfPosition?.value === false ? 'the EKF of the vehicle has lost the position' : null)
  );
}

/**
 * Returns a sentence that names the vehicle's own fence as the probable cause; null if no FENCE_STATUS of the last 5 s
 * reports a breach.
 */
export function fenceCause({ fence }: Vehicle, nowMs: number): string | null {
  if (!fence || nowMs - fence.atMs > FENCE_FRESH_MS || !fence.value.isBreached) return null;
  return `the fence of the vehicle is the probable cause: the vehicle reports a breach of ${breaches[fence.value.breach] ?? 'its fence'}`;
}

/**
 * Whether a mode change that we did not order still lacks a cause while the vehicle is in a critical state. A failsafe
 * may have acted, and ArduPilot's status texts arrive after the heartbeat.
 */
export function awaitsCause({ custody, heartbeat }: Vehicle): boolean {
  return custody.taken?.cause === null && heartbeat.value.systemStatus >= MAV_STATE_CRITICAL;
}

/**
 * Sentence for the end of a command because the vehicle is in a mode that we did not order. States the reported or
 * likely cause.
 */
export function takenText(vehicle: Vehicle): string {
  const { taken } = vehicle.custody;
  const accepted = taken?.accepted ?? null;
  const { name } = vehicle.mode;
  const whose = awaitsCause(vehicle) ? 'its own failsafe or another station' : 'its pilot or another station';
  const left =
    accepted === null ? null : `the vehicle acknowledged the mode ${vehicle.modeName(accepted)} but is not in it`;
  return `${taken?.cause ?? left ?? `${whose} controls the vehicle`}: the vehicle is in ${name}`;
}
