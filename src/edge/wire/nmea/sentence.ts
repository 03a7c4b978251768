type Sentence = {
  /** Talker: two letters (GP, GN, GL …), or P for a proprietary sentence. */
  talker: string;
  /** Type of the sentence, such as RMC or GGA; for a proprietary sentence the rest of its address. */
  type: string;
  /** Fields between the address and the checksum. */
  fields: string[];
};

const DOLLAR = 0x24;
const STAR = 0x2a;

/**
 * Reads one NMEA 0183 sentence. Starts at the last `$`, so that the end of a binary message or a TAG block before it
 * is ignored. The checksum, which is required, is the exclusive or of the bytes between `$` and `*`.
 */
export function readSentence(line: Buffer): Sentence | 'crc' | 'malformed' | 'none' {
  const start = line.lastIndexOf(DOLLAR);
  if (start === -1) return 'none';
  const star = line.indexOf(STAR, start);
  if (star === -1) return 'malformed';
  const said = line.toString('latin1', star + 1).trimEnd();
  if (!/^[0-9A-F]{2}$/i.test(said)) return 'malformed';
  let sum = 0;
  for (let i = start + 1; i < star; i++) sum ^= line[i] ?? 0;
  if (sum !== Number.parseInt(said, 16)) return 'crc';
  const [address = '', ...fields] = line.toString('latin1', start + 1, star).split(',');
  const match = /^(P|[A-OQ-Z][A-Z])([A-Z0-9]{1,8})$/.exec(address);
  if (match === null) return 'malformed';
  return { talker: match[1] ?? '', type: match[2] ?? '', fields };
}
