import { crcOf } from '../../../src/edge/wire/gdl90/frame.ts';

/** A message of GDL 90 as a strict receiver reads it; `Error` where the frame is damaged. */
export type Gdl90Message =
  | { message: 0; status: number; utcOk: boolean; second: number }
  | {
      message: 20;
      addressType: number;
      address: string;
      lat: number;
      lon: number;
      altFt: number | null;
      misc: number;
      nic: number;
      nacp: number;
      speedKt: number | null;
      climbFpm: number | null;
      courseDeg: number;
      category: number;
      callsign: string;
    };

/** Removes flags and escapes, and checks the check sum (GDL 90 Data Interface Specification, section 2.2). */
function unframed(frame: Uint8Array): Uint8Array {
  if (frame.length < 5 || frame[0] !== 0x7e || frame.at(-1) !== 0x7e) throw new Error('no flags');
  const bytes: number[] = [];
  const inner = frame.subarray(1, -1);
  for (let at = 0; at < inner.length; at++) {
    const byte = inner[at] ?? 0;
    if (byte === 0x7e) throw new Error('a flag inside');
    if (byte !== 0x7d) bytes.push(byte);
    else if (at + 1 < inner.length) bytes.push((inner[++at] ?? 0) ^ 0x20);
    else throw new Error('an escape at the end');
  }
  const message = Uint8Array.from(bytes.slice(0, -2));
  const [low = 0, high = 0] = bytes.slice(-2);
  if (bytes.length < 3 || crcOf(message) !== low + high * 256) throw new Error('check sum');
  return message;
}

const signed = (value: number, bits: number): number => (value >= 2 ** (bits - 1) ? value - 2 ** bits : value);

export function readGdl90(frame: Uint8Array): Gdl90Message {
  const bytes = Buffer.from(unframed(frame));
  if (bytes[0] === 0) {
    if (bytes.length !== 7) throw new Error('length');
    const second = bytes.readUInt16LE(3) + ((bytes.readUInt8(2) >> 7) << 16);
    return { message: 0, status: bytes.readUInt8(1), utcOk: (bytes.readUInt8(2) & 1) === 1, second };
  }
  if (bytes[0] !== 20 || bytes.length !== 28) throw new Error(`message ${bytes[0]} of ${bytes.length} bytes`);
  const [place, speeds] = [bytes.readUIntBE(11, 2), bytes.readUIntBE(14, 3)];
  const [altitude, speed, climb] = [place >> 4, speeds >> 12, speeds & 0xfff];
  return {
    message: 20,
    addressType: bytes.readUInt8(1) & 0xf,
    address: bytes.subarray(2, 5).toString('hex').toUpperCase(),
    lat: (signed(bytes.readUIntBE(5, 3), 24) * 180) / 2 ** 23,
    lon: (signed(bytes.readUIntBE(8, 3), 24) * 180) / 2 ** 23,
    altFt: altitude === 0xfff ? null : altitude * 25 - 1_000,
    misc: place & 0xf,
    nic: bytes.readUInt8(13) >> 4,
    nacp: bytes.readUInt8(13) & 0xf,
    speedKt: speed === 0xfff ? null : speed,
    climbFpm: climb === 0x800 ? null : signed(climb, 12) * 64,
    courseDeg: (bytes.readUInt8(17) * 360) / 256,
    category: bytes.readUInt8(18),
    callsign: bytes.subarray(19, 27).toString('latin1').trimEnd(),
  };
}
