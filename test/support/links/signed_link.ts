import { createSocket, type Socket } from 'node:dgram';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { encodeFrame } from '../../../src/edge/wire/mavlink/encode.ts';
import { type Payload, writeHeartbeat } from '../../../src/edge/wire/mavlink/write.ts';
import type { Link } from '../../../src/model/link.ts';
import { folderOf } from '../basics/folder.ts';
import { type Daemon, startDaemon, until } from '../daemon/daemon.ts';
import { endBy, spawnDaemon } from '../daemon/daemon_process.ts';
import { firstOwner, type Member } from '../daemon/signed_in.ts';
import { linkOf } from '../daemon/watch.ts';

const SEAL = '7c'.repeat(32);

/** A daemon that can seal, on a folder that outlives it, with somebody who may set keys. */
export class SigningBox {
  readonly folder: string;
  daemon: Daemon;
  anna: Member;

  private constructor(folder: string, daemon: Daemon, anna: Member) {
    this.folder = folder;
    this.daemon = daemon;
    this.anna = anna;
  }

  static start(t: Test, args: string[] = []): Promise<SigningBox> {
    return SigningBox.#begin(t, (folder) => startDaemon(t, daemonOptions(folder, args)));
  }

  /** The same with a daemon in a process of its own, which can be killed. */
  static spawn(t: Test): Promise<SigningBox> {
    return SigningBox.#begin(t, (folder) => spawnDaemon(t, daemonOptions(folder, [])));
  }

  static async #begin(t: Test, start: (folder: string) => Promise<Daemon>): Promise<SigningBox> {
    const folder = folderOf(t, { 'seal.key': SEAL });
    const daemon = await start(folder);
    const box = new SigningBox(folder, daemon, await firstOwner(t, daemon));
    await daemon.request('/api/discovery', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ enabled: true }),
    });
    return box;
  }

  /** Another run on the same folder. `meanwhile` is done while none runs. */
  async restart(t: Test, signal: NodeJS.Signals, meanwhile: () => void = () => {}, args: string[] = []): Promise<void> {
    await endBy(this.daemon, signal);
    meanwhile();
    this.daemon = await spawnDaemon(t, daemonOptions(this.folder, args));
    this.anna = this.anna.at(this.daemon.url);
  }

  /** Another key to seal with: what was sealed does not open any more. */
  loseSealingKey(): void {
    writeFileSync(join(this.folder, 'seal.key'), '11'.repeat(32));
  }

  async link(body: object): Promise<Link> {
    const link = { name: 'air', transport: 'udp', address: '127.0.0.1:0', protocol: 'mavlink', command: 'allow' };
    const made = await this.daemon.post('/api/links', { ...link, sources_allow: ['127.0.0.1'], ...body });
    if (!made.body.ok) throw new Error(made.body.error);
    return made.body.data as Link;
  }

  setKey(id: string, body: object): Promise<Link> {
    return this.anna.get('POST', `/v1/links/${id}/signing-key`, body);
  }

  removeKey(id: string): Promise<unknown> {
    return this.anna.get('DELETE', `/v1/links/${id}/signing-key`);
  }

  /** Once the link has refused so many frames and taken so many. */
  counted(taken: number, refused: number, name = 'air'): Promise<Link> {
    return until(async () => {
      const link = await linkOf(this.daemon, name);
      return link.rx_msgs === taken && link.rejects.not_allowed === refused && link;
    }, `${taken} are taken and ${refused} refused`);
  }
}

function daemonOptions(folder: string, args: string[]) {
  const env = { DUNLIN_SECRET_KEY_FILE: join(folder, 'seal.key') };
  return { dataDir: join(folder, 'data'), env, args };
}

/** A port of this machine that nothing has. */
export async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  return port;
}

/** One end of a link that says what a test makes it say, and keeps what it hears. */
export class BareVehicle {
  readonly heard: Buffer[] = [];
  readonly #socket: Socket = createSocket('udp4');
  readonly #port: number;
  #seq = 0;

  constructor(t: Test, port: number) {
    this.#port = port;
    this.#socket.on('message', (bytes) => this.heard.push(bytes));
    t.teardown(() => this.#socket.close());
  }

  send(frame: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.send(frame, this.#port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    });
  }

  /** A heartbeat of a copter; signed where there is a key. */
  beat(sign?: { key: Buffer; timestamp: number }, payload: Payload = copterBeat): Buffer {
    this.#seq = (this.#seq + 1) % 256;
    const from = { sysid: 7, compid: 1, seq: this.#seq };
    return encodeFrame({ ...from, ...payload, ...(sign ? { sign: { ...sign, linkId: 3 } } : {}) });
  }
}

const copterBeat = writeHeartbeat({
  ...{ type: 2, autopilot: 3, baseMode: 81, customMode: 0, systemStatus: 3, mavlinkVersion: 3 },
});
