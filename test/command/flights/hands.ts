import { messageIds } from '../../../src/edge/wire/mavlink/known.ts';
import { readPositionTarget } from '../../../src/edge/wire/mavlink/read_vehicle.ts';
import type { MavlinkMessage } from '../../../src/edge/wire/message.ts';
import type { FlownKind, Flying } from '../../support/fleet/flown_kinds.ts';
import { CMD } from '../../support/vehicles/command.ts';
import { distance, type Target } from '../../support/vehicles/flight.ts';

/** A mode that we ordered no longer ago than this may be ours. */
const OURS_FOR_MS = 20_000;
const FAR_M = 100;

export type Order = ReturnType<typeof fieldsOf>;

/**
 * What another has done with the vehicle, and whether the vehicle has reported it to us. Written from the outside: what the
 * other station and the failsafes did, and what went over the link.
 */
export class Hands {
  readonly #up: Flying;
  readonly #kind: FlownKind;
  readonly #modesOrdered = new Map<number, number>();
  readonly #placesOrdered: { lat: number; lon: number; atMs: number }[] = [];
  #other: { mode: number; to: Target | null; isReported: boolean } | null = null;
  #targetMs = Number.NEGATIVE_INFINITY;
  /** Whether a target was reported when a person commanded last: a first one may be older than that. */
  #knewTarget = false;
  reportedMode: number | null = null;
  /** How often another was reported, so that a run in which that never happens is seen. */
  reports = 0;

  constructor(up: Flying, kind: FlownKind) {
    this.#up = up;
    this.#kind = kind;
    const { fleet } = up.air.rig;
    const take = fleet.take.bind(fleet);
    fleet.take = (linkId, message, from, atMs) => {
      take(linkId, message, from, atMs);
      this.#reported(message);
    };
  }

  /** Another has chosen a mode. One that may be ours, or that it is in already, tells nothing. */
  mode(mode: number): void {
    const { vehicle, air } = this.#up;
    const isKnown = air.nowMs - (this.#modesOrdered.get(mode) ?? Number.NEGATIVE_INFINITY) < OURS_FOR_MS;
    const isOther = this.#kind.modeOf(vehicle) === mode && !isKnown && this.reportedMode !== mode;
    this.#other = isOther ? { mode, to: null, isReported: false } : null;
  }

  place(to: Target): void {
    const { vehicle, air } = this.#up;
    const { placeMode } = this.#kind;
    const near = this.#placesOrdered.some((at) => air.nowMs - at.atMs < OURS_FOR_MS && distance(at, to) < FAR_M);
    const isOther = this.#kind.modeOf(vehicle) === placeMode && this.reportedMode === placeMode && !near;
    this.#other = isOther ? { mode: placeMode, to, isReported: false } : null;
  }

  /** A person has commanded something since: from here on it is ours again. */
  decided(): void {
    this.#other = null;
    this.#knewTarget = this.#up.air.nowMs - this.#targetMs <= 3_000;
  }

  /** What leaves for the vehicle. Throws where it would change what another ordered and the vehicle reported. */
  sent({ command, param2, param3, x, y, isInt }: Order): void {
    const { vehicle, air } = this.#up;
    if (command === CMD.setMessageInterval || command === CMD.requestMessage) return;
    const other = this.#other;
    const enters = this.#kind.entersBy({ command, param2, param3 });
    // Without the flag it is refused in any other mode, and changes nothing.
    const changes = command !== CMD.reposition || enters !== null || this.#isInPlaceMode(vehicle);
    const isKnown = !other?.to || this.#knewTarget || command === CMD.reposition;
    if (other?.isReported && changes && isKnown) {
      throw new Error(
        `the command ${command} left although ${other.to ? 'a target' : `mode ${other.mode}`} was reported`,
      );
    }
    if (changes) this.#other = null;
    if (enters !== null) this.#modesOrdered.set(enters, air.nowMs);
    if (!isInt) return;
    // A target beside the place where it waited for our first one may be the one from before.
    const isFirst = !this.#placesOrdered.some(({ atMs }) => air.nowMs - atMs < OURS_FOR_MS);
    if (isFirst) this.#placesOrdered.push({ ...vehicle.body, atMs: air.nowMs });
    this.#placesOrdered.push({ lat: x / 1e7, lon: y / 1e7, atMs: air.nowMs });
  }

  #isInPlaceMode(vehicle: Flying['vehicle']): boolean {
    return this.#kind.modeOf(vehicle) === this.#kind.placeMode;
  }

  #reported(message: MavlinkMessage): void {
    const other = this.#other;
    if (message.kind === 'heartbeat') {
      this.reportedMode = message.customMode;
      if (!other || other.to) return;
      if (message.customMode === other.mode) this.#isReported();
      else if (other.isReported) this.#other = null;
    } else if (message.kind === 'mavlink' && message.msgid === messageIds.positionTargetGlobalInt) {
      this.#targetMs = this.#up.air.nowMs;
      if (!other?.to) return;
      const target = readPositionTarget(message.payload);
      if (!target) return;
      if (distance({ lat: target.latDeg, lon: target.lonDeg }, other.to) < 1) this.#isReported();
      else if (other.isReported) this.#other = null;
    }
  }

  #isReported(): void {
    if (!this.#other || this.#other.isReported) return;
    this.#other.isReported = true;
    this.reports++;
  }
}

/** Of COMMAND_LONG and COMMAND_INT what the invariant goes by. */
export function fieldsOf(msgid: number, payload: Buffer) {
  const isInt = msgid === messageIds.commandInt;
  const isCommand = isInt || msgid === messageIds.commandLong;
  return {
    command: isCommand ? payload.readUInt16LE(28) : CMD.requestMessage,
    param2: isCommand ? payload.readFloatLE(4) : 0,
    param3: isCommand ? payload.readFloatLE(8) : 0,
    x: isInt ? payload.readInt32LE(16) : 0,
    y: isInt ? payload.readInt32LE(20) : 0,
    isInt,
  };
}
