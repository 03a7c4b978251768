import { Bucket } from '../edge/feed/limits.ts';
import { ulidOf } from '../edge/wire/sapient/answers.ts';
import { decodeSapient, SapientFault } from '../edge/wire/sapient/decode.ts';
import { type FrameSink, LONGEST_MESSAGE, SapientFraming } from '../edge/wire/sapient/framing.ts';
import type { Task } from '../edge/wire/sapient/message.ts';
import type { SapientContent } from '../edge/wire/sapient/node_frame.ts';
import type { SapientPart } from '../edge/wire/sapient/schema.ts';
import type { PeerStatement } from './kinds.ts';
import { isFor, type OutletNode, reasonsOf } from './sapient_node.ts';

/** Limit of the answers that wait for the next tick; further answers are dropped. */
const MOST_ANSWERS = 100;
/** Limits for each second: statements of the peer that are processed, and errors that are sent to the peer. */
const STATEMENTS_PER_S = 10;
const ERRORS_PER_S = 1;
/** Limit of the part of a refused message that is sent back, bytes. */
const MOST_PACKET = 4_096;

/** Messages that the peer may request by a task. */
const requests = ['Registration', 'Status'] as const;
export type SapientRequest = (typeof requests)[number];

/** Answer without its time. `to` is null if the sender is unknown. */
export type SapientAnswer = { content: SapientContent; to: string | null };

const refusals: Partial<Record<SapientPart<'AlertAck'>['alert_ack_status'], string>> = {
  ...{ REJECTED: 'rejected', CANCELLED: 'cancelled' },
};

/**
 * Inbox for messages of the parent node. It keeps the requests and statements of that node, and the answers to send.
 * Tasks of the parent node are never executed, except requests for messages.
 */
export class SapientInbox implements FrameSink {
  readonly #node: OutletNode;
  readonly #framing = new SapientFraming();
  #answers: SapientAnswer[] = [];
  #statements: PeerStatement[] = [];
  readonly #asked = new Set<SapientRequest>();
  readonly #rate: Bucket;
  readonly #errorRate: Bucket;
  #nowMs = 0;
  /** Reason why the connection must be opened anew; null without one. */
  fault: string | null = null;

  constructor(node: OutletNode, nowMs: number) {
    this.#node = node;
    this.#rate = new Bucket(STATEMENTS_PER_S, nowMs);
    this.#errorRate = new Bucket(ERRORS_PER_S, nowMs);
  }

  push(bytes: Uint8Array, nowMs: number): void {
    this.#nowMs = nowMs;
    this.#framing.push(bytes, this);
  }

  takeAnswers(): SapientAnswer[] {
    const answers = this.#answers;
    this.#answers = [];
    return answers;
  }

  takeStatements(): PeerStatement[] {
    const statements = this.#statements;
    this.#statements = [];
    return statements;
  }

  /** Returns true if the message was requested since the last call. */
  takeRequest(request: SapientRequest): boolean {
    return this.#asked.delete(request);
  }

  frame(bytes: Uint8Array): void {
    try {
      const message = decodeSapient(bytes);
      if (isFor(message, this.#node.box.nodeId)) this.#take(message);
    } catch (thrown) {
      if (!(thrown instanceof SapientFault)) throw thrown;
      this.#refuse(bytes, thrown.message);
    }
  }

  lost(length: number): void {
    this.fault = `the peer sent a message of ${length} bytes: a message must have from 1 to ${LONGEST_MESSAGE} bytes`;
  }

  #take({ node_id: from, registration_ack: ack, alert_ack, task, error }: SapientPart<'SapientMessage'>): void {
    if (task) this.#takeTask(task, from);
    else if (error) this.#state('refusal', `the peer reports an error: ${reasonsOf(error.error_message)}`);
    else if (alert_ack) this.#takeAlertAck(alert_ack);
    else if (ack?.acceptance === false)
      this.fault = `the peer refused the registration: ${reasonsOf(ack.ack_response_reason)}`;
  }

  #takeTask({ task_id, command }: Task, from: string): void {
    const request = requests.find((one) => one === command?.request);
    if (request === undefined) {
      this.#answer(
        { task_ack: { task_id, task_status: 'REJECTED', reason: ['this box accepts no tasks of this kind'] } },
        from,
      );
      return;
    }
    this.#asked.add(request);
    this.#answer({ task_ack: { task_id, task_status: 'ACCEPTED' } }, from);
  }

  #takeAlertAck({ alert_id, alert_ack_status: status, reason }: SapientPart<'AlertAck'>): void {
    const word = refusals[status];
    if (word === undefined || !this.#rate.take(this.#nowMs)) return;
    const alert = this.#node.picture.alerts().find(({ id }) => ulidOf(id) === alert_id);
    // An answer to an unknown alert is not logged, because it does not concern this box.
    if (alert === undefined) return;
    this.#statements.push({ kind: 'answer', text: `the peer ${word} the alert "${alert.text}": ${reasonsOf(reason)}` });
  }

  #refuse(bytes: Uint8Array, sentence: string): void {
    this.#state('fault', `a message of the peer was refused: ${sentence}`);
    if (!this.#errorRate.take(this.#nowMs)) return;
    const packet = new Uint8Array(bytes.subarray(0, MOST_PACKET));
    this.#answer({ error: { packet, error_message: [sentence] } }, null);
  }

  #state(kind: PeerStatement['kind'], text: string): void {
    if (this.#rate.take(this.#nowMs)) this.#statements.push({ kind, text });
  }

  #answer(content: SapientContent, to: string | null): void {
    if (this.#answers.length < MOST_ANSWERS) this.#answers.push({ content, to });
  }
}
