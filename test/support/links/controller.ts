import type { Owner } from '../basics/owner.ts';
import { openFarEnd } from './pty.ts';

/** Commands by their number. */
export const opcodes = {
  reset: 0x0c03,
  features: 0x2003,
  scanParameters: 0x200b,
  scanEnable: 0x200c,
  extendedParameters: 0x2041,
  extendedEnable: 0x2042,
} as const;

/** Behaviour of an emulated controller; a test may change it while it runs. */
export type ControllerHabits = {
  /** Bits of its LE features. */
  features: readonly number[];
  /** Status of the answer to a command; 0 where it is not named. A list is used up, one a command. */
  refuses: Map<number, number[]>;
  /** Takes commands and answers none. */
  isDead: boolean;
  /** Commands that it takes and does not answer. */
  silent: Set<number>;
};

/** A Bluetooth controller, as far as a scanning host sees it. */
export type Controller = {
  habits: ControllerHabits;
  /** Commands taken so far, in order: their number and parameters in hex. */
  commands: { opcode: number; hex: string }[];
  /** Answers a command, also one that it has not taken. */
  answer(opcode: number): void;
  send(bytes: Uint8Array): void;
  /** Starts anew by itself: announces that it takes commands. */
  restart(): void;
  /** Reports a hardware error, after which it has forgotten its set-up. */
  fault(): void;
};

const EVENT = 4;
const COMMAND_COMPLETE = 0x0e;
const HARDWARE_ERROR = 0x10;

function complete(opcode: number, result: readonly number[]): Buffer {
  const parameters = [1, opcode & 0xff, opcode >> 8, ...result];
  return Buffer.from([EVENT, COMMAND_COMPLETE, parameters.length, ...parameters]);
}

function featureBytes(bits: readonly number[]): number[] {
  const bytes = Array<number>(8).fill(0);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  return bytes;
}

/** A controller that answers through `send`, and takes one command of H4 a call. */
export type EmulatedController = Controller & { take(command: Buffer): void };

/** A controller with coded and extended advertising, unless its habits say something else. */
export function emulatedController(
  send: (bytes: Uint8Array) => void,
  habits: Partial<ControllerHabits> = {},
): EmulatedController {
  const own: ControllerHabits = { features: [11, 12], refuses: new Map(), isDead: false, silent: new Set(), ...habits };
  const commands: Controller['commands'] = [];
  const answer = (opcode: number): void => {
    const status = own.refuses.get(opcode)?.shift() ?? 0;
    const more = opcode === opcodes.features ? featureBytes(own.features) : [];
    send(complete(opcode, [status, ...more]));
  };
  return {
    habits: own,
    commands,
    take(command) {
      const opcode = command.readUInt16LE(1);
      commands.push({ opcode, hex: command.toString('hex', 4) });
      if (!own.isDead && !own.silent.has(opcode)) answer(opcode);
    },
    answer,
    send,
    restart: () => send(complete(0, [])),
    fault: () => send(Buffer.from([EVENT, HARDWARE_ERROR, 1, 0x42])),
  };
}

/** Starts a controller at the far end of a pseudo-terminal. */
export function startController(t: Owner, path: string, habits: Partial<ControllerHabits> = {}): Controller {
  let held = Buffer.alloc(0);
  const far = openFarEnd(t, path, (bytes) => {
    held = Buffer.concat([held, bytes]);
    while (held.length >= 4 && held.length >= 4 + (held[3] ?? 0)) {
      const end = 4 + (held[3] ?? 0);
      controller.take(held.subarray(0, end));
      held = held.subarray(end);
    }
  });
  const controller = emulatedController((bytes) => far.send(Buffer.from(bytes).toString('latin1')), habits);
  return controller;
}
