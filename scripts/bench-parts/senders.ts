import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { MavlinkEncoder } from '../../src/edge/wire/mavlink/encode.ts';
import { writeOdid } from '../../src/edge/wire/mavlink/write_odid.ts';
import type { OdidLocation } from '../../src/edge/wire/odid/message.ts';

/** Heights that tell one sender's frames apart, in half metres: what the wire carries exactly and no filter changes. */
export const HEIGHTS = 4_000;
const DEGREES_A_METRE = 1 / 111_194;

/** Aircraft that fly straight lines and tell it over one receiver, as MAVLink frames that are all different. */
export class Senders {
  readonly #encoder = new MavlinkEncoder({ sysid: 1, compid: 236 });
  readonly #steps: number[];

  constructor(count: number) {
    this.#steps = Array.from({ length: count }, () => 0);
  }

  get count(): number {
    return this.#steps.length;
  }

  /** The next frame of a sender, and the height that it declares. */
  next(sender: number): { frame: Buffer; heightM: number } {
    const step = (this.#steps[sender] ?? 0) + 1;
    this.#steps[sender] = step;
    const heightM = (step % HEIGHTS) / 2;
    return {
      frame: this.#encoder.encode(writeOdid({ mac: macOf(sender) }, locationOf(sender, step, heightM))),
      heightM,
    };
  }
}

export function macOf(sender: number): string {
  const hex = (value: number): string => value.toString(16).padStart(2, '0').toUpperCase();
  return `AA:BB:CC:00:${hex(sender >> 8)}:${hex(sender & 0xff)}`;
}

/** How far a frame of `heightM` lies behind one of `laterM` of the same sender; negative where it is the later one. */
export function stepsBehind(heightM: number, laterM: number): number {
  const behind = (laterM - heightM) * 2;
  return behind < -HEIGHTS / 2 ? behind + HEIGHTS : behind;
}

export function locationOf(sender: number, step: number, heightM: number): OdidLocation {
  const lane = sender % 25;
  return {
    type: 'location',
    status: 2,
    latDeg: 47 + (Math.floor(sender / 25) * 400 + (step % 1000)) * DEGREES_A_METRE,
    lonDeg: 8 + (lane * 400 * DEGREES_A_METRE) / Math.cos((47 * Math.PI) / 180),
    directionDeg: 0,
    speedHMps: 4,
    speedVMps: 0,
    altBaroM: null,
    altGeoM: 600,
    heightM,
    heightRef: 0,
    hAcc: 11,
    vAcc: 4,
    baroAcc: 0,
    speedAcc: 3,
    tsAcc: 2,
    secondsAfterHour: Math.round((Date.now() % 3_600_000) / 100) / 10,
    implausible: false,
  };
}

export type Pace = {
  port: number;
  senders: Senders;
  /** Frames a second of all senders together, evenly spread. */
  perS: number;
  seconds: number;
  /** Told of each frame just before it is sent. */
  sending?: (sender: number, heightM: number) => void;
};

/** Sends frames round the senders at an even pace; resolves when the time is over. */
export async function send({ port, senders, perS, seconds, sending }: Pace): Promise<void> {
  const socket = createSocket('udp4');
  // Connected, so that a frame leaves within the call and not a turn later.
  socket.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const began = performance.now();
  let sent = 0;
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsedS = (performance.now() - began) / 1000;
      for (const due = Math.min(elapsedS, seconds) * perS; sent < due; sent++) {
        const sender = sent % senders.count;
        const { frame, heightM } = senders.next(sender);
        sending?.(sender, heightM);
        socket.send(frame);
      }
      if (elapsedS < seconds) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  socket.close();
}
