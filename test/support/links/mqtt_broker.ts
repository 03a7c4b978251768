import { createServer, type Socket } from 'node:net';
import type { Owner } from '../basics/owner.ts';

/** A message as a broker of MQTT takes it. */
export type Published = { topic: string; payload: string; retain: boolean; qos: number };
export type Connect = {
  clientId: string;
  keepaliveS: number;
  username: string | null;
  password: string | null;
  will: Published | null;
};

type Rules = {
  /** Return code of CONNACK; null answers nothing. */
  connack?: number | null;
  /** Name and password without which a client is refused with code 5. */
  login?: { username: string; password: string };
  /** Filters that are refused. */
  refused?: readonly string[];
  /** Acknowledges no publishes. */
  acknowledges?: boolean;
};

type Client = { socket: Socket; connect: Connect | null; filters: Set<string>; buffered: Buffer };

const text = (value: string): Buffer => {
  const bytes = Buffer.from(value);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes]);
};

function packet(first: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length: number[] = [];
  for (let rest = content.length; ; rest = Math.floor(rest / 128)) {
    length.push((rest % 128) + (rest > 127 ? 128 : 0));
    if (rest <= 127) break;
  }
  return Buffer.concat([Buffer.from([first, ...length]), content]);
}

/** Reads the fields of a packet; throws where one is cut off. */
class Content {
  readonly bytes: Buffer;
  #at = 0;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
  get isOver(): boolean {
    return this.#at === this.bytes.length;
  }
  byte(): number {
    return this.bytes.readUInt8(this.#at++);
  }
  word(): number {
    this.#at += 2;
    return this.bytes.readUInt16BE(this.#at - 2);
  }
  data(): Buffer {
    const length = this.word();
    this.#at += length;
    if (this.#at > this.bytes.length) throw new Error('a field is cut off');
    return this.bytes.subarray(this.#at - length, this.#at);
  }
  text(): string {
    return this.data().toString('utf8');
  }
  rest(): Buffer {
    const rest = this.bytes.subarray(this.#at);
    this.#at = this.bytes.length;
    return rest;
  }
}

/** Whether a filter holds for a topic (MQTT 3.1.1, section 4.7). */
export function matches(filter: string, topic: string): boolean {
  const [filters, levels] = [filter.split('/'), topic.split('/')];
  for (const [index, level] of filters.entries()) {
    if (level === '#') return true;
    if (index >= levels.length || (level !== '+' && level !== levels[index])) return false;
  }
  return filters.length === levels.length;
}

/**
 * A broker of MQTT 3.1.1 in this process that takes no packet which breaks the standard: such a one is in `faults`, and its
 * connection ends. Each connection's session is clean.
 */
export class MqttBroker {
  readonly faults: string[] = [];
  readonly connects: Connect[] = [];
  readonly published: Published[] = [];
  readonly retained = new Map<string, Published>();
  readonly disconnects: string[] = [];
  pings = 0;
  rules: Rules;
  port = 0;
  readonly #clients = new Set<Client>();
  readonly #waiting = new Set<() => void>();
  readonly #server = createServer((socket) => this.#came(socket));

  constructor(rules: Rules) {
    this.rules = rules;
  }

  static async start(t: Owner, rules: Rules = {}): Promise<MqttBroker> {
    const broker = new MqttBroker(rules);
    await broker.listen();
    t.teardown(() => broker.stop());
    return broker;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Filters of all clients. */
  get filters(): string[] {
    return [...this.#clients].flatMap(({ filters }) => [...filters]);
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.port, '127.0.0.1', resolve));
    const address = this.#server.address();
    if (address !== null && typeof address === 'object') this.port = address.port;
  }

  stop(): Promise<void> {
    this.breakOff();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  /** Ends all connections without a word. */
  breakOff(): void {
    for (const { socket } of this.#clients) socket.destroy();
  }

  /** Stops reading, as a broker does that hangs. */
  hang(): void {
    for (const { socket } of this.#clients) socket.pause();
  }

  /** Sends bytes to all clients, whatever they are. */
  send(bytes: Uint8Array): void {
    for (const { socket } of this.#clients) socket.write(bytes);
  }

  publish(topic: string, payload: string | Buffer, { retain = false } = {}): void {
    const bytes = Buffer.from(payload);
    const message = { topic, payload: bytes.toString('utf8'), retain, qos: 0 };
    if (retain) this.#keep(message);
    for (const { socket, filters } of this.#clients)
      if ([...filters].some((filter) => matches(filter, topic))) socket.write(packet(0x30, text(topic), bytes));
  }

  /** Waits until something holds, looking at it at every packet. */
  until(what: string, holds: () => boolean, withinMs = 30_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        clearTimeout(timer);
        this.#waiting.delete(look);
        act();
      };
      const look = (): void => {
        if (this.faults.length > 0) end(() => reject(new Error(this.faults.join('; '))));
        else if (holds()) end(resolve);
      };
      const timer = setTimeout(() => end(() => reject(new Error(`waited in vain for: ${what}`))), withinMs);
      this.#waiting.add(look);
      look();
    });
  }

  #came(socket: Socket): void {
    const client: Client = { socket, connect: null, filters: new Set(), buffered: Buffer.alloc(0) };
    this.#clients.add(client);
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#clients.delete(client);
      const will = client.connect?.will;
      if (will) this.#take(will);
      this.#look();
    });
    socket.on('data', (bytes) => {
      client.buffered = Buffer.concat([client.buffered, bytes]);
      try {
        while (this.#packet(client));
      } catch (thrown) {
        this.faults.push(String(thrown));
        socket.destroy();
      }
      this.#look();
    });
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }

  /** Takes one whole packet; false where there is none yet. */
  #packet(client: Client): boolean {
    const bytes = client.buffered;
    let length = 0;
    let at = 1;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined) return false;
      length += (byte & 127) * scale;
      if (byte < 128) break;
      if (at > 4) throw new Error('a length of more than four bytes');
    }
    if (bytes.length < at + length) return false;
    client.buffered = bytes.subarray(at + length);
    const first = bytes.readUInt8(0);
    const content = new Content(bytes.subarray(at, at + length));
    this.#read(client, first >> 4, first & 15, content);
    if (!content.isOver) throw new Error(`a packet of type ${first >> 4} has bytes at its end`);
    return true;
  }

  #read(client: Client, type: number, flags: number, content: Content): void {
    if ((client.connect === null) !== (type === 1)) throw new Error('a session begins with one CONNECT');
    const expected = type === 8 || type === 10 ? 2 : 0;
    if (type !== 3 && flags !== expected) throw new Error(`flags ${flags} of a packet of type ${type}`);
    if (type === 1) this.#connect(client, content);
    else if (type === 3) this.#published(client, flags, content);
    else if (type === 8) this.#subscribe(client, content);
    else if (type === 10) this.#unsubscribe(client, content);
    else if (type === 12) {
      this.pings++;
      client.socket.write(packet(0xd0));
    } else if (type === 14) {
      this.disconnects.push(client.connect?.clientId ?? '');
      if (client.connect !== null) client.connect.will = null;
      client.socket.end();
    } else throw new Error(`a packet of type ${type}`);
  }

  #connect(client: Client, content: Content): void {
    if (content.text() !== 'MQTT' || content.byte() !== 4) throw new Error('no MQTT 3.1.1');
    const flags = content.byte();
    const keepaliveS = content.word();
    if ((flags & 1) !== 0 || (flags & 2) === 0) throw new Error(`flags ${flags} of CONNECT: no clean session`);
    const clientId = content.text();
    const will =
      (flags & 4) === 0
        ? null
        : { topic: content.text(), payload: content.text(), retain: (flags & 32) !== 0, qos: (flags >> 3) & 3 };
    const username = (flags & 128) === 0 ? null : content.text();
    const password = (flags & 64) === 0 ? null : content.text();
    client.connect = { clientId, keepaliveS, username, password, will };
    this.connects.push({ ...client.connect });
    const { connack = 0, login } = this.rules;
    const isIn = login === undefined || (login.username === username && login.password === password);
    const code = isIn ? connack : 5;
    if (code === null) return;
    client.socket.write(packet(0x20, Buffer.from([0, code])));
    if (code === 0) return;
    client.connect.will = null;
    client.socket.end();
  }

  #subscribe(client: Client, content: Content): void {
    const id = content.word();
    const codes: number[] = [];
    const added: string[] = [];
    while (!content.isOver) {
      const filter = content.text();
      if (content.byte() > 2) throw new Error('a quality of service over 2');
      const isRefused = this.rules.refused?.includes(filter) ?? false;
      codes.push(isRefused ? 0x80 : 0);
      if (!isRefused) added.push(filter);
    }
    if (codes.length === 0) throw new Error('a SUBSCRIBE without a filter');
    for (const filter of added) client.filters.add(filter);
    client.socket.write(packet(0x90, Buffer.from([id >> 8, id & 255, ...codes])));
    for (const { topic, payload } of this.retained.values())
      if (added.some((filter) => matches(filter, topic)))
        client.socket.write(packet(0x31, text(topic), Buffer.from(payload)));
  }

  #unsubscribe(client: Client, content: Content): void {
    const id = content.word();
    while (!content.isOver) client.filters.delete(content.text());
    client.socket.write(packet(0xb0, Buffer.from([id >> 8, id & 255])));
  }

  #published(client: Client, flags: number, content: Content): void {
    const qos = (flags >> 1) & 3;
    const topic = content.text();
    if (topic === '' || /[+#\0]/.test(topic)) throw new Error(`no topic name: ${topic}`);
    if (qos > 1) throw new Error(`quality of service ${qos}`);
    const id = qos === 0 ? null : content.word();
    if (id === 0) throw new Error('a packet identifier of 0');
    this.#take({ topic, payload: content.rest().toString('utf8'), retain: (flags & 1) !== 0, qos });
    if (id !== null && this.rules.acknowledges !== false)
      client.socket.write(packet(0x40, Buffer.from([id >> 8, id & 255])));
  }

  #take(message: Published): void {
    this.published.push(message);
    if (message.retain) this.#keep(message);
    const { topic, payload } = message;
    for (const { socket, filters } of this.#clients)
      if ([...filters].some((filter) => matches(filter, topic)))
        socket.write(packet(0x30, text(topic), Buffer.from(payload)));
  }

  #keep(message: Published): void {
    if (message.payload === '') this.retained.delete(message.topic);
    else this.retained.set(message.topic, message);
  }
}
