import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createMavlinkCodec } from '../../../src/edge/wire/mavlink/codec.ts';
import { MavlinkEncoder } from '../../../src/edge/wire/mavlink/encode.ts';
import type { Payload } from '../../../src/edge/wire/mavlink/write.ts';
import type { MavlinkMessage } from '../../../src/edge/wire/message.ts';

type Take = (linkId: string, message: MavlinkMessage, from: string) => void;

/** A UDP port of ours with our own codec, as a link of the daemon is; what arrives is told with the time of the test. */
export class AirLink {
  readonly id: string;
  readonly #socket: Socket;
  readonly #encoder: MavlinkEncoder;
  /** Datagrams that left by it. */
  sent = 0;
  /** Nothing is written to it any more, as to a link that is closed. */
  closed = false;

  private constructor(id: string, socket: Socket, sysid: number, nowMs: () => number, take: Take) {
    this.id = id;
    this.#socket = socket;
    this.#encoder = new MavlinkEncoder({ sysid, compid: 190 });
    const codec = createMavlinkCodec({ datagrams: true });
    socket.on('message', (bytes, { address, port }) => {
      const from = `${address}:${port}`;
      codec.decode(bytes, from, nowMs(), (message) => take(id, message, from));
    });
  }

  static async open(id: string, sysid: number, nowMs: () => number, take: Take): Promise<AirLink> {
    const socket = createSocket({ type: 'udp4', recvBufferSize: 1 << 20 });
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new AirLink(id, socket, sysid, nowMs, take);
  }

  get address(): { host: string; port: number } {
    return { host: '127.0.0.1', port: this.#socket.address().port };
  }

  async transmit(payload: Payload, to: string): Promise<void> {
    if (this.closed) throw new Error('the link is not open');
    const at = to.lastIndexOf(':');
    this.#socket.send(this.#encoder.encode(payload), Number(to.slice(at + 1)), to.slice(0, at));
    this.sent++;
  }

  close(): void {
    this.#socket.close();
  }
}
