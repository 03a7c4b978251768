import type { Owner } from '../basics/owner.ts';
import { openFarEnd } from './pty.ts';

/** A Sniffle dongle at the far end of a pseudo-terminal. */
export type SniffleDongle = {
  /** Commands taken so far, their bytes in hex, without their count. */
  commands: string[];
  /** Physical layer that it was last set to; null before. */
  layer(): number | null;
  /** Sends bytes as they are. */
  send(text: string): void;
  /** Takes commands and answers none. */
  isDead: boolean;
};

/** A line of the dongle: count of groups, type, body. */
export function sniffleLine(type: number, body: Uint8Array): string {
  const count = Math.ceil((body.length + 2) / 3);
  return `${Buffer.concat([Buffer.from([count, type]), body]).toString('base64')}\r\n`;
}

/** A line of a received packet. */
export function snifflePacket(pdu: Buffer, { isBroken = false, rssi = -70, channel = 37, layer = 2 } = {}): string {
  const head = Buffer.alloc(10);
  head.writeUInt16LE(pdu.length | (isBroken ? 0x4000 : 0), 4);
  head.writeInt8(rssi, 8);
  head.writeUInt8(channel | (layer << 6), 9);
  return sniffleLine(0x10, Buffer.concat([head, pdu]));
}

export function startDongle(t: Owner, path: string): SniffleDongle {
  let held = '';
  let layer: number | null = null;
  const commands: string[] = [];
  const take = (bytes: Buffer): void => {
    const [, command] = bytes;
    commands.push(bytes.toString('hex', 1));
    if (command === 0x10) layer = bytes[7] ?? null;
    // It sends a marker back, and the version when asked; other commands have no answer.
    if (dongle.isDead) return;
    if (command === 0x18) far.send(sniffleLine(0x12, Buffer.from('0000000040', 'hex')));
    if (command === 0x24) far.send(sniffleLine(0x14, Buffer.from('05010b0000', 'hex')));
  };
  const far = openFarEnd(t, path, (bytes) => {
    held += bytes.toString('latin1');
    for (let end = held.indexOf('\r\n'); end !== -1; end = held.indexOf('\r\n')) {
      take(Buffer.from(held.slice(0, end), 'base64'));
      held = held.slice(end + 2);
    }
  });
  const dongle: SniffleDongle = { commands, layer: () => layer, send: far.send, isDead: false };
  return dongle;
}
