import type { RadioCondition } from './condition.ts';
import { ANSWER_LIMIT_MS, type Dialogue, type Step, waiting } from './dialogue.ts';

const COMMAND_COMPLETE = 0x0e;
const COMMAND_STATUS = 0x0f;
const HARDWARE_ERROR = 0x10;

const opcodes = {
  none: 0x0000,
  eventMask: 0x0c01,
  reset: 0x0c03,
  leEventMask: 0x2001,
  leFeatures: 0x2003,
  scanParameters: 0x200b,
  scanEnable: 0x200c,
  extendedScanParameters: 0x2041,
  extendedScanEnable: 0x2042,
} as const;

/** Time after which an unanswered command is sent again, ms. */
const REPEAT_MS = 2_000;
/** Silence after which a controller is asked for a sign of life, ms. */
const QUIET_MS = 5_000;
/** Least time between two set-ups of a controller that receives nothing, ms. */
const AGAIN_MS = 60_000;
/** Time after a set-up, ms, in which an announcement "ready for commands" of the controller is no sign of a restart. */
const SETTLED_MS = 500;

/** Bit numbers in the LE features (Bluetooth Core 5.4, volume 6, part B, section 4.6). */
const FEATURE_CODED = 11;
const FEATURE_EXTENDED = 12;

/** Sentence about a controller without coded advertising. */
export const NO_LONG_RANGE =
  'no long range: the Bluetooth controller receives no coded advertising, and so no Bluetooth 5 Remote ID';

type Phase = keyof typeof names;

const names = {
  reset: 'Reset',
  eventMask: 'Set Event Mask',
  leEventMask: 'LE Set Event Mask',
  leFeatures: 'LE Read Local Supported Features',
  extendedScanParameters: 'LE Set Extended Scan Parameters',
  extendedScanEnable: 'LE Set Extended Scan Enable',
  scanParameters: 'LE Set Scan Parameters',
  scanEnable: 'LE Set Scan Enable',
} as const;

/**
 * Sets a controller up for passive scanning: each command is sent after the answer to the previous one. Sets it up
 * again if it reset itself, or if it receives no frames. Duplicates are not filtered, because each is a new report.
 */
export class HciDialogue implements Dialogue {
  readonly #radio: RadioCondition;
  #phase: Phase | 'scanning' = 'reset';
  #sentMs: number | null = null;
  /** World time of the first request that the controller has not answered yet, ms; null without one. */
  #askedMs: number | null = null;
  #lifeMs = 0;
  #setUpMs = 0;
  #hasCoded = false;
  #hasExtended = false;
  #refusal: string | null = null;

  constructor(radio: RadioCondition) {
    this.#radio = radio;
  }

  begin(nowMs: number): void {
    this.#refusal = null;
    this.#radio.limit = null;
    this.#radio.closed();
    this.#lifeMs = nowMs;
    this.#ask('reset');
    this.#askedMs = null;
  }

  /** Processes an event other than LE events; `event` begins with its parameters. */
  event(code: number, event: Buffer, atMs: number): void {
    this.#lifeMs = atMs;
    if (code === HARDWARE_ERROR) this.begin(atMs);
    else if (code === COMMAND_COMPLETE && event.length >= 3)
      this.#answered(event.readUInt16LE(1), event.subarray(3), atMs);
    // Command Status has the status before the opcode.
    else if (code === COMMAND_STATUS && event.length >= 4 && event[0] !== 0) {
      this.#answered(event.readUInt16LE(2), event.subarray(0, 1), atMs);
    }
  }

  /** Notes an advertising event, which counts as the answer to a request for a sign of life. */
  alive(atMs: number): void {
    this.#lifeMs = atMs;
    if (this.#phase !== 'scanning') return;
    this.#sentMs = null;
    this.#askedMs = null;
  }

  step(nowMs: number): Step {
    if (this.#refusal !== null) return { send: null, againMs: null, failure: this.#refusal };
    if (this.#phase === 'scanning') return this.#watch(nowMs);
    return this.#insist(this.#phase, nowMs);
  }

  /** Watches a scanning controller: asks it for a sign of life if it is silent, and sets it up again if it is deaf. */
  #watch(nowMs: number): Step {
    if (this.#radio.isDeaf(nowMs) && nowMs - this.#setUpMs >= AGAIN_MS) {
      // The radio still counts as deaf after the reset, so that the warning stays until a frame arrives.
      this.#ask('reset');
      return this.step(nowMs);
    }
    if (nowMs - this.#lifeMs < QUIET_MS) return waiting(this.#lifeMs + QUIET_MS);
    return this.#insist('leFeatures', nowMs);
  }

  /** Sends a command every 2 s until it is answered. Fails after `ANSWER_LIMIT_MS`. */
  #insist(phase: Phase, nowMs: number): Step {
    this.#askedMs ??= nowMs;
    const limitMs = this.#askedMs + ANSWER_LIMIT_MS;
    if (nowMs >= limitMs) return { send: null, againMs: null, failure: this.#silence(phase) };
    const isDue = this.#sentMs === null || nowMs - this.#sentMs >= REPEAT_MS;
    if (isDue) this.#sentMs = nowMs;
    const againMs = Math.min((this.#sentMs ?? nowMs) + REPEAT_MS, limitMs);
    return { send: isDue ? this.#command(phase) : null, againMs, failure: null };
  }

  #silence(phase: Phase): string {
    return `the controller has not answered ${names[phase]} for ${ANSWER_LIMIT_MS / 1_000} s: check that it speaks HCI over H4 at this baud rate`;
  }

  #ask(phase: Phase): void {
    this.#phase = phase;
    this.#sentMs = null;
    this.#askedMs = null;
  }

  #answered(opcode: number, result: Buffer, atMs: number): void {
    this.#radio.answered();
    // A late answer to a repeated Reset undoes the set-up, which therefore starts again.
    if (opcode === opcodes.reset) {
      this.#ask('eventMask');
      return;
    }
    if (this.#phase === 'scanning') {
      this.#sentMs = null;
      this.#askedMs = null;
      // A controller that restarted by itself announces that it accepts commands. Right after a set-up the announcement
      // is no sign of a restart.
      if (opcode === opcodes.none && atMs - this.#setUpMs >= SETTLED_MS) this.begin(atMs);
      return;
    }
    if (opcode !== opcodes[this.#phase]) return;
    const status = result[0] ?? 0;
    const next = this.#next(this.#phase, status, result);
    if (next === 'scanning') {
      this.#phase = next;
      this.#setUpMs = atMs;
      this.#sentMs = null;
      this.#askedMs = null;
      this.#radio.limit = this.#hasCoded && this.#hasExtended ? null : NO_LONG_RANGE;
      this.#radio.listening(atMs);
    } else if (next !== null) this.#ask(next);
  }

  /** Returns the phase after an answer; null if the controller cannot be used. */
  #next(phase: Phase, status: number, result: Buffer): Phase | 'scanning' | null {
    switch (phase) {
      case 'reset':
        return 'eventMask';
      case 'eventMask':
        return 'leEventMask';
      case 'leEventMask':
        return 'leFeatures';
      case 'leFeatures':
        this.#hasCoded = status === 0 && hasBit(result, FEATURE_CODED);
        this.#hasExtended = status === 0 && hasBit(result, FEATURE_EXTENDED);
        return this.#hasExtended ? 'extendedScanParameters' : 'scanParameters';
      case 'extendedScanParameters':
        if (status === 0) return 'extendedScanEnable';
        // Some controllers claim coded advertising but refuse it.
        if (this.#hasCoded) {
          this.#hasCoded = false;
          return 'extendedScanParameters';
        }
        return this.#withoutExtended();
      case 'extendedScanEnable':
        return status === 0 ? 'scanning' : this.#withoutExtended();
      case 'scanParameters':
        return status === 0 ? 'scanEnable' : this.#refused(phase, status);
      case 'scanEnable':
        return status === 0 ? 'scanning' : this.#refused(phase, status);
    }
  }

  #withoutExtended(): Phase {
    this.#hasExtended = false;
    return 'scanParameters';
  }

  #refused(phase: Phase, status: number): null {
    this.#refusal = `the controller refused ${names[phase]} with status 0x${status.toString(16).padStart(2, '0')}: it cannot scan`;
    return null;
  }

  #command(phase: Phase): Buffer {
    return hciCommand(opcodes[phase], parametersOf(phase, this.#hasCoded));
  }
}

/** True if a feature bit is set; the bits follow the status byte. */
function hasBit(result: Buffer, bit: number): boolean {
  return (((result[1 + (bit >> 3)] ?? 0) >> (bit & 7)) & 1) === 1;
}

/** Writes an HCI command as an H4 packet. */
export function hciCommand(opcode: number, parameters: Uint8Array): Buffer {
  return Buffer.from([1, opcode & 0xff, opcode >> 8, parameters.length, ...parameters]);
}

/** Writes the answer of a controller to a command as an H4 event: status and return parameters. */
export function hciComplete(opcode: number, result: readonly number[]): Buffer {
  const parameters = [1, opcode & 0xff, opcode >> 8, ...result];
  return Buffer.from([4, COMMAND_COMPLETE, parameters.length, ...parameters]);
}

/** Event mask: all events of the default mask, and LE events (bit 61). */
const EVENT_MASK = 'ffffffffff1f0020';
/** LE event mask: advertising reports (bit 1) and extended advertising reports (bit 12). */
const LE_EVENT_MASK = '0210000000000000';
/**
 * Scan interval of 60 ms, in units of 0.625 ms. If the controller scans both physical layers, the coded layer gets two
 * thirds of the interval and the 1M layer one third.
 */
const INTERVAL = '6000';
const WINDOW = { legacy: '2000', coded: '4000', alone: '6000' } as const;

function parametersOf(phase: Phase, hasCoded: boolean): Buffer {
  const hex = {
    reset: '',
    eventMask: EVENT_MASK,
    leEventMask: LE_EVENT_MASK,
    leFeatures: '',
    // Own address, filter policy, layers (1M and coded); then scan type (passive), interval and window of each layer.
    extendedScanParameters: hasCoded
      ? `000005${`00${INTERVAL}${WINDOW.legacy}`}${`00${INTERVAL}${WINDOW.coded}`}`
      : `000001${`00${INTERVAL}${WINDOW.alone}`}`,
    // Enabled, duplicates not filtered, no duration, no period.
    extendedScanEnable: '010000000000',
    scanParameters: `00${INTERVAL}${WINDOW.alone}0000`,
    scanEnable: '0100',
  } satisfies Record<Phase, string>;
  return Buffer.from(hex[phase], 'hex');
}
