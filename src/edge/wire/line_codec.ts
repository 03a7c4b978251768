import { noRejects, type RejectReason } from '../../model/link.ts';
import type { Codec } from './codec.ts';
import { type LineLimits, LineSplitter } from './lines.ts';

export type LineCodecOptions = {
  /** True for UDP links, where a datagram without a line end is a whole line. */
  datagrams?: boolean;
};

/** Properties of a line protocol besides the format of its lines. */
export type LineProtocol = {
  maxBytes?: number;
  /**
   * True if receivers send a single empty line while they have nothing to report. The empty line counts as a
   * message.
   */
  emptyIsReceived?: boolean;
};

/**
 * Verdict on one line: a message, a reason to refuse the line, or 'heard' for a known line that is only a sign of
 * life.
 */
export type LineVerdict<Message> = Message | RejectReason | 'heard';

const feedLimits: LineLimits = { maxBytes: 4096, maxSenders: 256, datagrams: false };

/**
 * Creates a codec for a protocol of text lines. `decodeLine` judges one line; it must not throw or keep a view of the
 * bytes.
 *
 * Blank lines are ignored. A line that is too long counts as `length`. An incomplete line that is evicted to make room
 * for another sender counts as `malformed`. Any other incomplete line is kept until its sender sends more or is
 * forgotten. If its end was lost, it spoils the next line of the sender.
 */
export function createLineCodec<Message extends object>(
  decodeLine: (line: Buffer) => LineVerdict<Message>,
  options: LineCodecOptions,
  { maxBytes = feedLimits.maxBytes, emptyIsReceived = false }: LineProtocol = {},
): Codec<Message> {
  const splitter = new LineSplitter({ ...feedLimits, maxBytes, datagrams: options.datagrams === true });
  const rejects = noRejects();
  let messages = 0;
  return {
    decode(bytes, from, _atMs, emit) {
      if (emptyIsReceived && isEmptyLine(bytes) && !splitter.isPending(from)) messages++;
      splitter.push(bytes, from, {
        line(line) {
          if (isBlank(line)) return;
          const verdict = decodeLine(line);
          if (typeof verdict === 'object') {
            messages++;
            emit(verdict);
          } else if (verdict === 'heard') messages++;
          else rejects[verdict]++;
        },
        lost(why) {
          rejects[why === 'length' ? 'length' : 'malformed']++;
        },
      });
    },
    forget: (from) => splitter.forget(from),
    rejects,
    get messages() {
      return messages;
    },
    sequenceGaps: 0,
  };
}

function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09);
}

/** True for CR LF, also with the NUL that some versions of readsb send after it. */
function isEmptyLine(bytes: Uint8Array): boolean {
  return bytes[0] === 0x0d && bytes[1] === 0x0a && (bytes.length === 2 || (bytes.length === 3 && bytes[2] === 0));
}
