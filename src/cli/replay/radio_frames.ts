import { encodeFrame } from '../../edge/wire/mavlink/encode.ts';
import { MESSAGE_SIZE } from '../../edge/wire/odid/decode25.ts';
import type { RadioBroadcast } from '../../edge/wire/radio/broadcast.ts';
import { isRadio, RadioFrames } from '../../edge/wire/radio/radio_frames.ts';
import { invalidInput } from '../../model/fault.ts';
import { noRejects } from '../../model/link.ts';
import type { CaptureFrame } from './capture.ts';
import { packetsOf } from './packet_file.ts';

const MESSAGE_PACK = 12_915;
const PAYLOAD_BYTES = 249;
const TAG_AT = 2;
const SIZES_AT = 22;
const MESSAGES_AT = 24;
/** MAVLink ids of a ground receiver; the component is MAV_COMP_ID_ODID_TXRX_1. */
const RECEIVER = { sysid: 3, compid: 236 } as const;
const MOST_LINK_TYPES = 16;

/**
 * Reads Remote ID from a packet capture (pcap, pcapng), in the form in which a receiver sends it to a `mavlink` link:
 * one MESSAGE_PACK for each broadcast, with the transmitter's address. Throws a Fault if the capture contains no Remote
 * ID.
 */
export async function* radioFrames(
  chunks: AsyncIterable<Buffer>,
  problem: (sentence: string) => void,
): AsyncGenerator<CaptureFrame> {
  const found: RadioBroadcast[] = [];
  const rejects = noRejects();
  const reader = new RadioFrames({
    // DJI DroneID and the French beacon have no MAVLink message.
    emit: (report) => report.kind === 'odid' && found.push(report),
    reject: (reason) => rejects[reason]++,
  });
  const strange = new Map<number, number>();
  let packets = 0;
  let frames = 0;
  for await (const { atMs, linkType, bytes } of packetsOf(chunks, problem)) {
    packets++;
    if (!isRadio(linkType)) {
      if (strange.size < MOST_LINK_TYPES || strange.has(linkType))
        strange.set(linkType, (strange.get(linkType) ?? 0) + 1);
      continue;
    }
    reader.read(linkType, bytes, atMs ?? 0);
    for (const broadcast of found.splice(0)) yield { atMs, bytes: packFrame(broadcast, frames++) };
  }
  for (const [linkType, count] of strange) {
    problem(`${count} packets of link type ${linkType} were left out: this link type carries no Remote ID`);
  }
  const refused = Object.entries(rejects).filter(([, count]) => count > 0);
  if (refused.length > 0)
    problem(`damaged Remote ID messages were left out: ${refused.map((one) => one.join(' ')).join(', ')}`);
  if (frames > 0) return;
  const held = `the ${packets} packets of the capture contain no Remote ID in Wi-Fi beacons, NAN frames or Bluetooth advertisements`;
  throw invalidInput(packets === 0 ? 'the capture contains no packet' : held);
}

/** Returns the MAVLink frame of a broadcast. As in real receivers, the address is written as 12 hexadecimal digits. */
function packFrame({ mac, messages }: RadioBroadcast, seq: number): Buffer {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload.write(mac.replaceAll(':', '').toUpperCase(), TAG_AT, 'latin1');
  payload.set([MESSAGE_SIZE, messages.length / MESSAGE_SIZE], SIZES_AT);
  payload.set(messages, MESSAGES_AT);
  return encodeFrame({ ...RECEIVER, seq, msgid: MESSAGE_PACK, payload });
}
