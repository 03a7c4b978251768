import { CaptureReader, isCapture } from '../../edge/wire/capture/reader.ts';
import type { CapturedPacket } from '../../edge/wire/capture/records.ts';

type Problem = (sentence: string) => void;

/** Limit of sentences about damaged records of one file; a file may have thousands. Further ones are only counted. */
const MOST_PROBLEMS = 16;

/** Returns true if these are the first bytes of a pcap or pcapng file. */
export function isPacketFile(head: Buffer): boolean {
  return isCapture(head);
}

/** Reads the packets of a pcap or pcapng file in their order. Damaged records are reported and left out. */
export async function* packetsOf(chunks: AsyncIterable<Buffer>, problem: Problem): AsyncGenerator<CapturedPacket> {
  const reader = new CaptureReader();
  const packets: CapturedPacket[] = [];
  let problems = 0;
  const sink = {
    packet: (packet: CapturedPacket) => packets.push({ ...packet, bytes: Buffer.from(packet.bytes) }),
    statistics: () => {},
    reject: (_reason: string, fault: string) => {
      if (++problems <= MOST_PROBLEMS) problem(`the record at byte ${reader.at} ${fault}`);
    },
  };
  for await (const chunk of chunks) {
    reader.push(chunk, sink);
    yield* packets.splice(0);
  }
  if (reader.isPending) problem(`the record at byte ${reader.at} is incomplete, because the file ends there`);
  if (problems > MOST_PROBLEMS) problem(`${problems - MOST_PROBLEMS} more records are damaged`);
}
