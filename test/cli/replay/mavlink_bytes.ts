/** A MAVLink 2 frame in shape only; all of it but its length is `fill`, without more said the first byte of frames. */
export function v2Frame(payloadBytes: number, options: { signed?: boolean; fill?: number } = {}): Buffer {
  const frame = Buffer.alloc(12 + payloadBytes + (options.signed ? 13 : 0), options.fill ?? 0xfd);
  frame[0] = 0xfd;
  frame[1] = payloadBytes;
  frame[2] = options.signed ? 1 : 0;
  return frame;
}

/** The same in version 1. */
export function v1Frame(payloadBytes: number, options: { fill?: number } = {}): Buffer {
  const frame = Buffer.alloc(8 + payloadBytes, options.fill ?? 0xfe);
  frame[0] = 0xfe;
  frame[1] = payloadBytes;
  return frame;
}

/** A record of a tlog. */
export function tlogRecord(us: bigint, frame: Buffer): Buffer {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(us);
  return Buffer.concat([stamp, frame]);
}
