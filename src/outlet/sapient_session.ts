import { nodeFrame, type SapientContent } from '../edge/wire/sapient/node_frame.ts';
import type { OutletMessage } from '../model/outlet_view.ts';
import type { OutletSession, PeerStatement } from './kinds.ts';
import { SapientInbox } from './sapient_inbox.ts';
import { dependentsOf, type OutletNode } from './sapient_node.ts';
import { SapientStatus } from './sapient_status.ts';

/** Least interval between two checks of the box's health and sensors, ms. */
const CHECK_MS = 900;
/** Least interval between two registrations that are caused by changed sensors, ms. */
const REGISTER_MS = 10_000;

/** Maintains the connection to the parent node: answers its requests, and sends registration and status. */
export class SapientSession implements OutletSession {
  readonly mayBeQuiet = true;
  readonly #node: OutletNode;
  readonly #inbox: SapientInbox;
  readonly #status: SapientStatus;
  #dependents: string;
  #registeredMs: number;
  #checkedMs = Number.NEGATIVE_INFINITY;

  constructor(node: OutletNode, nowMs: number) {
    this.#node = node;
    this.#inbox = new SapientInbox(node, nowMs);
    this.#status = new SapientStatus(node);
    this.#dependents = dependentsText(node);
    this.#registeredMs = nowMs;
  }

  get fault(): string | null {
    return this.#inbox.fault;
  }

  received(bytes: Uint8Array, nowMs: number): void {
    this.#inbox.push(bytes, nowMs);
  }

  statements(): PeerStatement[] {
    return this.#inbox.takeStatements();
  }

  due(nowMs: number, utcMs: number): OutletMessage[] {
    const { nodeId } = this.#node.box;
    const message = (content: SapientContent, to: string | null = null): OutletMessage => ({
      ...{ uid: nodeId, bytes: nodeFrame(nodeId, utcMs, content, to) },
    });
    const answers = this.#inbox.takeAnswers().map(({ content, to }) => message(content, to));
    return [...answers, ...this.#own(nowMs).map((content) => message(content))];
  }

  /**
   * Returns registration and status if they are due. A status follows each registration, because a registration
   * invalidates the earlier status.
   */
  #own(nowMs: number): SapientContent[] {
    const isAsked = this.#inbox.takeRequest('Registration');
    const isStatusAsked = this.#inbox.takeRequest('Status');
    if (!isAsked && !isStatusAsked && nowMs - this.#checkedMs < CHECK_MS) return [];
    this.#checkedMs = nowMs;
    const isRegistered = isAsked || this.#hasOtherSensors(nowMs);
    if (isRegistered) {
      this.#dependents = dependentsText(this.#node);
      this.#registeredMs = nowMs;
    }
    const status_report = this.#status.due(nowMs, isRegistered || isStatusAsked);
    return [
      ...(isRegistered ? [{ registration: this.#node.registration() }] : []),
      ...(status_report === null ? [] : [{ status_report }]),
    ];
  }

  #hasOtherSensors(nowMs: number): boolean {
    return nowMs - this.#registeredMs >= REGISTER_MS && dependentsText(this.#node) !== this.#dependents;
  }
}

function dependentsText(node: OutletNode): string {
  return dependentsOf(node).sort().join();
}
