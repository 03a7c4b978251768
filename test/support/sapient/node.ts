import { randomBytes, randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { decodeSapient } from '../../../src/edge/wire/sapient/decode.ts';
import { sapientFrame, sapientTime } from '../../../src/edge/wire/sapient/encode.ts';
import type { SapientPart } from '../../../src/edge/wire/sapient/schema.ts';
import type { Owner } from '../basics/owner.ts';
import { until } from '../daemon/daemon.ts';

type Message = SapientPart<'SapientMessage'>;
export type Content = Omit<Message, 'timestamp' | 'node_id'>;

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const LATE_MS = 900;
const AHEAD_MS = 100;

/** A new ULID (its time part is random too: the standard does not say what the time must be). */
export function ulid(): string {
  return `0${Array.from(randomBytes(25), (byte) => digits[byte & 31]).join('')}`;
}

const seconds = (value: number) => ({ units: 'SECONDS', value }) as const;
const degrees = { location_units: 'LAT_LNG_DEG_M', location_datum: 'WGS84_E' } as const;

/** A registration with all that is mandatory, of a radar that reports each 5 s unless told otherwise. */
export function registrationOf(change: Partial<SapientPart<'Registration'>> = {}): SapientPart<'Registration'> {
  return {
    node_definition: [{ node_type: 'RADAR' }],
    icd_version: 'BSI Flex 335 v2.0',
    short_name: 'RDR-N',
    capabilities: [{ category: 'Radar', type: 'Range' }],
    status_definition: { status_interval: seconds(5) },
    mode_definition: [modeOf()],
    config_data: [{ manufacturer: 'Example', model: 'R1' }],
    ...change,
  };
}

export function modeOf(
  change: Partial<SapientPart<'Registration.ModeDefinition'>> = {},
): SapientPart<'Registration.ModeDefinition'> {
  return {
    mode_name: 'Default',
    mode_type: 'PERMANENT',
    settle_time: seconds(1),
    task: { region_definition: { region_type: ['AREA_OF_INTEREST'], region_area: [degrees] } },
    ...change,
  };
}

export function statusOf(change: Partial<SapientPart<'StatusReport'>> = {}): SapientPart<'StatusReport'> {
  return { report_id: ulid(), system: 'OK', info: 'NEW', mode: 'Default', ...change };
}

export function placeOf(lat: number, lon: number, altHaeM?: number): SapientPart<'Location'> {
  const height = altHaeM === undefined ? {} : { z: altHaeM };
  return { x: lon, y: lat, ...height, coordinate_system: 'LAT_LNG_DEG_M', datum: 'WGS84_E' };
}

export function detectionOf(change: Partial<SapientPart<'DetectionReport'>>): SapientPart<'DetectionReport'> {
  return { report_id: ulid(), object_id: ulid(), ...change };
}

/**
 * A SAPIENT node on a real connection. It is strict: what it receives must be well formed, addressed to it or to nobody, and
 * dated now, as a middleware checks it.
 */
export class FakeNode {
  readonly id: string;
  readonly received: Message[] = [];
  /** Faults of what was received. */
  readonly faults: string[] = [];
  isClosed = false;
  readonly #socket: Socket;
  #held: Buffer = Buffer.alloc(0);

  private constructor(socket: Socket, id: string) {
    this.#socket = socket;
    this.id = id;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
    socket.on('data', (bytes) => this.#take(bytes));
  }

  /** `localAddress` is the address from which the node dials. */
  static async dial(
    owner: Owner,
    port: number,
    id: string = randomUUID(),
    localAddress = '127.0.0.1',
  ): Promise<FakeNode> {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true });
    owner.teardown(() => socket.destroy());
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new FakeNode(socket, id);
  }

  close(): void {
    this.#socket.destroy();
  }

  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  frame(content: Content, { utcMs = Date.now(), nodeId = this.id } = {}): Uint8Array {
    return sapientFrame({ timestamp: sapientTime(utcMs), node_id: nodeId, ...content });
  }

  send(content: Content, as: { utcMs?: number; nodeId?: string } = {}): Promise<void> {
    return this.write(this.frame(content, as));
  }

  /** Registers, and waits for the answer. */
  async register(change: Partial<SapientPart<'Registration'>> = {}): Promise<SapientPart<'RegistrationAck'>> {
    const before = this.of('registration_ack').length;
    await this.send({ registration: registrationOf(change) });
    return this.next('registration_ack', before);
  }

  detect(change: Partial<SapientPart<'DetectionReport'>>, as: { utcMs?: number; nodeId?: string } = {}): Promise<void> {
    return this.send({ detection_report: detectionOf(change) }, as);
  }

  /** All received contents of a kind. */
  of<Kind extends keyof Content>(kind: Kind): NonNullable<Content[Kind]>[] {
    return this.received.flatMap((message) => (message as Content)[kind] ?? []) as NonNullable<Content[Kind]>[];
  }

  /** Waits for the content of a kind that follows `before` others. */
  next<Kind extends keyof Content>(kind: Kind, before = 0): Promise<NonNullable<Content[Kind]>> {
    return until(async () => this.of(kind)[before] ?? null, `${kind} ${before + 1} is received`);
  }

  #take(bytes: Buffer): void {
    this.#held = Buffer.concat([this.#held, bytes]);
    while (this.#held.length >= 4) {
      const length = this.#held.readUInt32LE(0);
      if (this.#held.length < 4 + length) return;
      const frame = Buffer.from(this.#held.subarray(4, 4 + length));
      this.#held = this.#held.subarray(4 + length);
      this.#judge(frame);
    }
  }

  #judge(frame: Buffer): void {
    try {
      const message = decodeSapient(frame);
      const { timestamp, destination_id } = message;
      const aheadMs = (timestamp.seconds ?? 0) * 1000 + (timestamp.nanos ?? 0) / 1e6 - Date.now();
      if (aheadMs < -LATE_MS || aheadMs > AHEAD_MS) this.faults.push(`a time ${aheadMs} ms ahead`);
      if (destination_id !== undefined && destination_id !== this.id) this.faults.push(`for ${destination_id}`);
      this.received.push(message);
    } catch (thrown) {
      this.faults.push(String(thrown));
    }
  }
}
