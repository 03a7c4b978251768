import { noRejects, type RejectReason } from '../../../model/link.ts';
import type { Codec } from '../codec.ts';
import { RadioCondition } from '../radio/condition.ts';
import { readDragonSync, readDragonSyncTopic } from './dragonsync.ts';
import { readDroneScout } from './dronescout.ts';
import { membersOf } from './fields.ts';
import { jsonObjects } from './json_objects.ts';
import type { BrokerMessage } from './message.ts';
import { type Publish, readPublishes } from './publish.ts';

/** First bytes of compressed data: LZMA with the properties of xz-utils, and the xz container. */
const compressed = [Buffer.from([0x5d, 0, 0]), Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])];
const COMPRESSED = 'the receiver sends compressed data, which is not read: switch compression off in the receiver';
/** Greatest number of objects in one payload; receivers send a few. */
const MOST_OBJECTS = 1_000;

/**
 * Verdict on an object: a message, a reason to refuse the object, or 'heard' for a known object or topic that reports
 * nothing.
 */
type Verdict = BrokerMessage | RejectReason | 'heard';

/**
 * Creates the codec for messages that Remote ID receivers publish at an MQTT broker. The members of a JSON object
 * determine its kind. A chunk consists of whole PUBLISH packets from the MQTT session (`edge/link/mqtt`): topic,
 * payload and the retain flag.
 */
export function createMqttCodec(): Codec<BrokerMessage> {
  const rejects = noRejects();
  const radio = new RadioCondition();
  let messages = 0;

  function count(verdict: Verdict, emit: (message: BrokerMessage) => void): void {
    if (typeof verdict === 'string' && verdict !== 'heard') {
      rejects[verdict]++;
      return;
    }
    messages++;
    if (verdict === 'heard') return;
    if (verdict.kind !== 'offline') radio.limit = null;
    emit(verdict);
  }

  return {
    decode(bytes, _from, _atMs, emit) {
      const { publishes, fault } = readPublishes(bytes);
      for (const publish of publishes) {
        if (isCompressed(publish.payload)) {
          rejects.unknown_type++;
          radio.limit = COMPRESSED;
          radio.answered();
        } else for (const verdict of verdictsOn(publish)) count(verdict, emit);
      }
      if (fault !== null) rejects[fault]++;
    },
    forget: () => {},
    rejects,
    get messages() {
      return messages;
    },
    sequenceGaps: 0,
    radio,
  };
}

function isCompressed(payload: Buffer): boolean {
  return compressed.some((head) => payload.subarray(0, head.length).equals(head));
}

function verdictsOn({ topic, payload, retain }: Publish): Verdict[] {
  const { base, ofTopic } = readDragonSyncTopic(topic, payload);
  if (ofTopic !== null) return [typeof ofTopic === 'string' ? ofTopic : { ...ofTopic, base }];
  const objects = jsonObjects(payload, MOST_OBJECTS);
  if (objects.length === 0) return ['malformed'];
  if (objects.length > MOST_OBJECTS) return ['length'];
  return objects.map((object) => {
    const members = membersOf(object);
    if (members === null) return 'malformed';
    const content = 'protocol' in members ? readDroneScout(members, retain) : readDragonSync(members, retain);
    return typeof content === 'string' ? content : { ...content, base };
  });
}
