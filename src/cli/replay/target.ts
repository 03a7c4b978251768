import { Fault } from '../../model/fault.ts';
import { openSerialTarget } from './target_serial.ts';
import { openTcpTarget } from './target_tcp.ts';
import { openUdpTarget } from './target_udp.ts';

/** Where frames go. `send` resolves when the bytes have left this process; it rejects with a Fault. */
export type Target = {
  send(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
};

export type TargetAddress =
  | { kind: 'udp' | 'tcp'; host: string; port: number; text: string }
  | { kind: 'serial'; path: string; text: string };

export const DEFAULT_TARGET = 'udp://127.0.0.1:14550';

/** Reads `udp://HOST:PORT`, `tcp://HOST:PORT` (IPv6 in brackets) or `serial:PATH`; an `invalid_input` Fault for anything else. */
export function parseTarget(text: string): TargetAddress {
  const serial = /^serial:(.+)$/.exec(text);
  if (serial?.[1] !== undefined) return { kind: 'serial', path: serial[1], text };
  const socket = /^(udp|tcp):\/\/(?:\[([0-9a-f:.]+(?:%\w+)?)\]|([^\s:/[\]]+)):(\d{1,5})$/i.exec(text);
  const host = socket?.[2] ?? socket?.[3];
  const port = Number(socket?.[4]);
  if (host === undefined) {
    throw new Fault('invalid_input', `a target is udp://HOST:PORT, tcp://HOST:PORT or serial:PATH, not '${text}'`);
  }
  if (port < 1 || port > 65_535) throw new Fault('invalid_input', `the port of '${text}' must be from 1 to 65535`);
  return { kind: socket?.[1]?.toLowerCase() === 'tcp' ? 'tcp' : 'udp', host, port, text };
}

/** Opens a target; `unavailable` where it cannot be reached. `baud` is for serial ports. */
export async function openTarget(text: string, options: { baud?: number } = {}): Promise<Target> {
  const address = parseTarget(text);
  if (address.kind === 'serial') return openSerialTarget(address.path, options.baud ?? 115_200);
  return address.kind === 'udp' ? openUdpTarget(address) : openTcpTarget(address);
}
