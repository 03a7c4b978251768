/** One block of a PEM text (RFC 7468): its label, its body, and the whole block. */
export type Block = { label: string; body: string; text: string };

const BEGIN = '-----BEGIN ';
const DASHES = '-----';
/** Greatest number of characters of a label. */
const LONGEST_LABEL = 60;

/** Returns the PEM blocks of a text, and skips other text between them. Stops at the first block without an end. */
export function blocksOf(pem: string): Block[] {
  const blocks: Block[] = [];
  for (let at = pem.indexOf(BEGIN); at >= 0; at = pem.indexOf(BEGIN, at)) {
    const labelAt = at + BEGIN.length;
    const bodyAt = pem.indexOf(DASHES, labelAt);
    const label = pem.slice(labelAt, bodyAt);
    const tail = `-----END ${label}-----`;
    const end = bodyAt < 0 || label.length > LONGEST_LABEL ? -1 : pem.indexOf(tail, bodyAt);
    if (end < 0) break;
    const text = `${pem.slice(at, end)}${tail}\n`;
    blocks.push({ label, body: pem.slice(bodyAt + DASHES.length, end), text });
    at = end + tail.length;
  }
  return blocks;
}
