import { randomUUID } from 'node:crypto';
import { sapientFrame, sapientTime } from './encode.ts';
import type { SapientPart } from './schema.ts';

type Message = SapientPart<'SapientMessage'>;
type Content = Omit<Message, 'timestamp' | 'node_id' | 'destination_id'>;

/** Longest reason or error text that is sent, characters. */
const MOST_TEXT = 400;

/** Digits of ULIDs: Crockford's base 32. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const ULID_LENGTH = 26;

/** Converts the 128 bits of a UUID to a ULID: 26 digits of 5 bits, of which the first has only 3 significant bits. */
export function ulidOf(uuid: string): string {
  let left = BigInt(`0x${uuid.replaceAll('-', '')}`);
  let text = '';
  for (let i = 0; i < ULID_LENGTH; i++) {
    text = `${digits[Number(left & 31n)]}${text}`;
    left >>= 5n;
  }
  return text;
}

/**
 * Writes the messages of this fusion node to other nodes. Parameter `to` is the node id of the addressee, null if it is
 * unknown.
 */
export class SapientAnswers {
  readonly #nodeId: string;
  readonly #utcMs: () => number;

  /** `nodeId` is the UUID v4 of the box. */
  constructor(nodeId: string, utcMs: () => number) {
    this.#nodeId = nodeId;
    this.#utcMs = utcMs;
  }

  get nodeId(): string {
    return this.#nodeId;
  }

  registrationAck(to: string, refusal: string | null): Uint8Array {
    const reasons = refusal === null ? {} : { ack_response_reason: [short(refusal)] };
    return this.#to(to, { registration_ack: { acceptance: refusal === null, ...reasons } });
  }

  alertAck(to: string, alertId: string): Uint8Array {
    return this.#to(to, { alert_ack: { alert_id: alertId, alert_ack_status: 'ACCEPTED' } });
  }

  /** Writes the acknowledgement of a task; `refusal` is null if the task is accepted. */
  taskAck(to: string, taskId: string, refusal: string | null): Uint8Array {
    if (refusal === null) return this.#to(to, { task_ack: { task_id: taskId, task_status: 'ACCEPTED' } });
    return this.#to(to, { task_ack: { task_id: taskId, task_status: 'REJECTED', reason: [short(refusal)] } });
  }

  registration(to: string, registration: SapientPart<'Registration'>): Uint8Array {
    return this.#to(to, { registration });
  }

  statusReport(to: string, status_report: SapientPart<'StatusReport'>): Uint8Array {
    return this.#to(to, { status_report });
  }

  /** Writes a task that asks a node for its registration. */
  askRegistration(to: string): Uint8Array {
    const task = { task_id: ulidOf(randomUUID()), control: 'START', command: { request: 'Registration' } } as const;
    return this.#to(to, { task });
  }

  error(to: string | null, packet: Uint8Array, sentence: string): Uint8Array {
    return this.#to(to, { error: { packet, error_message: [short(sentence)] } });
  }

  #to(to: string | null, content: Content): Uint8Array {
    const destination = to === null ? {} : { destination_id: to };
    return sapientFrame({ timestamp: sapientTime(this.#utcMs()), node_id: this.#nodeId, ...destination, ...content });
  }
}

function short(text: string): string {
  return text.slice(0, MOST_TEXT);
}
