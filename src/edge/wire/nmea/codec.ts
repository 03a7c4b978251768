import type { Codec } from '../codec.ts';
import { createLineCodec, type LineCodecOptions, type LineVerdict } from '../line_codec.ts';
import type { NmeaFix } from '../message.ts';
import { fixReaders } from './fixes.ts';
import { readSentence } from './sentence.ts';

/**
 * Creates the codec for NMEA 0183 from the satellite receiver of the box on which Dunlin runs. It reads the sentences
 * RMC, GGA, GNS and ZDA of any talker. A checksum is required.
 *
 * Other sentences with a good checksum count as messages, because they show that the receiver works, but emit nothing.
 * A bad checksum counts as `crc`, a missing one as `malformed`. Comment lines, AIS sentences and the starts of u-blox
 * binary messages count as `unknown_type`, other lines without a `$` as `malformed`. A position that a person or a
 * simulator entered is no fix.
 */
export function createNmeaCodec(options: LineCodecOptions = {}): Codec<NmeaFix> {
  return createLineCodec(decodeLine, options);
}

function decodeLine(line: Buffer): LineVerdict<NmeaFix> {
  if (line[0] === 0x23) return 'unknown_type';
  const sentence = readSentence(line);
  if (sentence === 'none') return isForeign(line) ? 'unknown_type' : 'malformed';
  if (typeof sentence === 'string') return sentence;
  const read = sentence.talker === 'P' ? undefined : fixReaders[sentence.type];
  return read === undefined ? 'heard' : read(sentence.fields);
}

/** True for lines of other protocols: `!` begins AIS sentences, B5 62 u-blox binary messages. */
function isForeign(line: Buffer): boolean {
  return line[0] === 0x21 || (line[0] === 0xb5 && line[1] === 0x62);
}
