import type { Greeting, GreetingVerdict } from '../edge/link/greeting.ts';
import { boxStatus, statusReport } from '../edge/wire/sapient/box_status.ts';
import { decodeSapient, SapientFault } from '../edge/wire/sapient/decode.ts';
import { LONGEST_MESSAGE, SapientFraming } from '../edge/wire/sapient/framing.ts';
import { nodeFrame } from '../edge/wire/sapient/node_frame.ts';
import type { SapientPart } from '../edge/wire/sapient/schema.ts';
import { isFor, type OutletNode, reasonsOf } from './sapient_node.ts';

/** Time within which the parent node must acknowledge the registration, ms. */
const ACK_MS = 10_000;

/** Registration of this box at its parent node, and the message with which the box leaves. */
export function sapientGreeting(node: OutletNode): Greeting {
  const { box, picture, believedMs } = node;
  const framing = new SapientFraming();
  return {
    limitMs: ACK_MS,
    awaited: 'acknowledgement of the registration',
    hello: () => nodeFrame(box.nodeId, believedMs(), { registration: node.registration() }, null),
    verdict(bytes) {
      let verdict: GreetingVerdict | null = null;
      framing.push(bytes, {
        frame(frame) {
          verdict ??= verdictOf(frame, node);
        },
        lost(length) {
          throw new Error(
            `the peer sent a message of ${length} bytes: a message must have from 1 to ${LONGEST_MESSAGE} bytes`,
          );
        },
      });
      return verdict;
    },
    farewell() {
      const status = { ...boxStatus(picture.health(), null), system: 'GOODBYE' } as const;
      return nodeFrame(box.nodeId, believedMs(), { status_report: statusReport(status) }, null);
    },
  };
}

/**
 * Returns the verdict in a message. An error in place of the acknowledgement also counts as a refusal. Null for other
 * messages, and for those that cannot be decoded or are for another node.
 */
function verdictOf(frame: Uint8Array, { box, parent }: OutletNode): GreetingVerdict | null {
  const message = messageIn(frame);
  if (message === null || !isFor(message, box.nodeId)) return null;
  const { registration_ack: ack, error } = message;
  if (error) return { refusal: reasonsOf(error.error_message) };
  if (ack === undefined) return null;
  parent.id = message.node_id;
  return { refusal: ack.acceptance ? null : reasonsOf(ack.ack_response_reason) };
}

function messageIn(frame: Uint8Array): SapientPart<'SapientMessage'> | null {
  try {
    return decodeSapient(frame);
  } catch (thrown) {
    if (thrown instanceof SapientFault) return null;
    throw thrown;
  }
}
