import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { sapientFrame, sapientTime } from '../../../src/edge/wire/sapient/encode.ts';
import type { Owner } from '../basics/owner.ts';
import { until } from '../basics/patience.ts';
import type { Content } from './node.ts';
import { readStrictly } from './strict_reader.ts';

/** Content of a message, by the names of its fields. */
export type Body = Readonly<Record<string, unknown>>;
type Message = Record<string, unknown> & {
  node_id: string;
  destination_id?: string;
  timestamp: { seconds?: number; nanos?: number };
};

/** A message as it came: its content, its time, and the time of its arrival, ms. */
export type Arrived = { kind: string; body: Body; nodeId: string; to: string | null; utcMs: number; atMs: number };

/** Reaction to a registration: acceptance, refusal with reasons, an Error, or none. */
export type Reaction = 'accept' | 'silent' | { refuse: string[] } | { error: string[] };

const LATE_MS = 900;
const AHEAD_MS = 100;
const GAP_MS = 80;
const kinds = ['registration', 'status_report', 'detection_report', 'task_ack', 'alert', 'error'] as const;
const INFO = { new: 1, unchanged: 2 };

/** One connection of a child, with the rules that hold on it. */
export class ChildConnection {
  readonly arrived: Arrived[] = [];
  readonly #socket: Socket;
  readonly #parent: FakeParent;
  #held: Buffer = Buffer.alloc(0);
  #isAcknowledged = false;
  #lastMs = Number.NEGATIVE_INFINITY;
  #detectionMs = Number.NEGATIVE_INFINITY;
  #system: unknown = null;
  isClosed = false;

  constructor(socket: Socket, parent: FakeParent) {
    this.#socket = socket;
    this.#parent = parent;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('data', (bytes) => this.#take(bytes));
  }

  of(kind: string): Arrived[] {
    return this.arrived.filter((one) => one.kind === kind);
  }

  send(content: Content, nodeId = this.#parent.id): void {
    this.#socket.write(sapientFrame({ timestamp: sapientTime(Date.now()), node_id: nodeId, ...content }));
  }

  write(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  pause(): void {
    this.#socket.pause();
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#held = Buffer.concat([this.#held, bytes]);
    while (this.#held.length >= 4 && this.#held.length >= 4 + this.#held.readUInt32LE(0)) {
      const end = 4 + this.#held.readUInt32LE(0);
      const frame = Buffer.from(this.#held.subarray(4, end));
      this.#held = this.#held.subarray(end);
      try {
        this.#message(frame);
      } catch (thrown) {
        this.#parent.faults.push(String(thrown));
      }
    }
  }

  #message(frame: Buffer): void {
    const message = readStrictly(frame) as Message;
    const kind = kinds.find((one) => message[one] !== undefined) ?? 'none';
    const { timestamp, node_id: nodeId, destination_id: to = null } = message;
    const { seconds = 0, nanos = 0 } = timestamp;
    const utcMs = seconds * 1_000 + nanos / 1e6;
    const body = message[kind] as Body;
    this.arrived.push({ kind, body, nodeId, to, utcMs, atMs: Date.now() });
    this.#checkOrder(kind);
    this.#checkTime(kind, utcMs);
    if (kind === 'status_report') this.#checkStatus(body);
    if (kind === 'registration') this.#react(nodeId);
  }

  #checkOrder(kind: string): void {
    if (kind !== 'registration' && !this.#isAcknowledged) throw new Error(`${kind} before the acknowledgement`);
    const isNodeOfOthers = this.arrived.some(({ nodeId }) => nodeId !== this.arrived[0]?.nodeId);
    if (isNodeOfOthers) throw new Error('two node ids on one connection');
  }

  #checkTime(kind: string, utcMs: number): void {
    const aheadMs = utcMs - this.#parent.clockMs();
    if (aheadMs < -LATE_MS || aheadMs > AHEAD_MS) throw new Error(`${kind}: a time ${aheadMs} ms ahead`);
    if (utcMs < this.#lastMs) throw new Error(`${kind}: a time before that of the former message`);
    this.#lastMs = utcMs;
    if (kind !== 'detection_report') return;
    const gapMs = utcMs - this.#detectionMs;
    this.#detectionMs = utcMs;
    if (gapMs > 0 && gapMs < GAP_MS) throw new Error(`two detections ${gapMs} ms apart`);
  }

  #checkStatus({ info, system }: Body): void {
    if (info === INFO.new) this.#system = system;
    else if (this.#system === null) throw new Error('UNCHANGED before NEW');
    else if (system !== this.#system) throw new Error(`UNCHANGED with the system ${system}, not ${this.#system}`);
  }

  #react(nodeId: string): void {
    const { reaction } = this.#parent;
    this.#system = null;
    if (reaction === 'silent') return;
    if (typeof reaction === 'object' && 'error' in reaction) {
      this.send({ error: { packet: new Uint8Array(0), error_message: reaction.error } });
      return;
    }
    const reasons = reaction === 'accept' ? [] : reaction.refuse;
    this.#isAcknowledged = reaction === 'accept';
    this.send({
      destination_id: nodeId,
      registration_ack: { acceptance: reaction === 'accept', ack_response_reason: reasons },
    });
  }
}

/** A SAPIENT node above Dunlin. Its rules are those of a middleware with every check on; `faults` has what broke them. */
export class FakeParent {
  readonly id = randomUUID();
  readonly connections: ChildConnection[] = [];
  readonly faults: string[] = [];
  reaction: Reaction;
  /** Whether new connections are read. */
  reads = true;
  /** Difference of the clock of its site from that of the test, ms. */
  aheadMs = 0;
  readonly #server: Server;

  private constructor(server: Server, reaction: Reaction) {
    this.#server = server;
    this.reaction = reaction;
  }

  /** `tls`: it speaks TLS with these options. */
  static async start(owner: Owner, reaction: Reaction = 'accept', tls: TlsOptions | null = null): Promise<FakeParent> {
    const server = tls === null ? createServer() : createTlsServer(tls);
    const parent = new FakeParent(server, reaction);
    server.on(tls === null ? 'connection' : 'secureConnection', (socket: Socket) => {
      const child = new ChildConnection(socket, parent);
      parent.connections.push(child);
      if (!parent.reads) child.pause();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    owner.teardown(() => {
      for (const child of parent.connections) child.close();
      server.close();
    });
    return parent;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  clockMs(): number {
    return Date.now() + this.aheadMs;
  }

  /** The newest connection. */
  get child(): ChildConnection | undefined {
    return this.connections.at(-1);
  }

  /** Waits for a message of a kind on any connection for which `is` holds, from number `from` of these on. */
  async next(kind: string, is: (body: Body) => boolean = () => true, from = 0): Promise<Arrived> {
    const found = (): Arrived | undefined =>
      this.connections
        .flatMap((child) => child.of(kind))
        .slice(from)
        .find(({ body }) => is(body));
    return until(async () => found() ?? null, `a ${kind} comes; faults: ${this.faults.join('; ')}`);
  }

  count(kind: string): number {
    return this.connections.reduce((sum, child) => sum + child.of(kind).length, 0);
  }
}
