import { capturedPacket, captureHeader } from '../../edge/wire/capture/write.ts';
import { isRadio, linkTypes } from '../../edge/wire/radio/radio_frames.ts';
import { invalidInput } from '../../model/fault.ts';
import type { CaptureFrame } from './capture.ts';
import { packetsOf } from './packet_file.ts';

type Problem = (sentence: string) => void;

/**
 * Reads the packets of a radio capture for a link with protocol `capture`. Each packet is written as a complete capture
 * with a header, so that a link that connects later, or again, understands the next packet.
 */
export async function* captureFrames(chunks: AsyncIterable<Buffer>, problem: Problem): AsyncGenerator<CaptureFrame> {
  let strange = 0;
  let frames = 0;
  for await (const { atMs, linkType, bytes } of packetsOf(chunks, problem)) {
    if (isRadio(linkType)) {
      frames++;
      yield { atMs, bytes: Buffer.concat([captureHeader(linkType), capturedPacket(atMs ?? 0, bytes)]) };
    } else strange++;
  }
  if (strange > 0) problem(`${strange} packets were left out, because their link types are not those of radios`);
  if (frames === 0) throw invalidInput('the capture contains no packet of a Wi-Fi or Bluetooth radio');
}

/** Number of bytes before each packet that contain its direction. */
const DIRECTION = 4;

/** Reads the packets of a Bluetooth capture (link types 187 and 201) as a controller sends them over a serial port. */
export async function* h4Frames(chunks: AsyncIterable<Buffer>, problem: Problem): AsyncGenerator<CaptureFrame> {
  let frames = 0;
  for await (const { atMs, linkType, bytes } of packetsOf(chunks, problem)) {
    const skip = linkType === linkTypes.hci ? 0 : linkType === linkTypes.hciWithDirection ? DIRECTION : null;
    if (skip === null || bytes.length <= skip) continue;
    frames++;
    yield { atMs, bytes: bytes.subarray(skip) };
  }
  if (frames === 0)
    throw invalidInput('the capture contains no packet of a Bluetooth controller (link type 187 or 201)');
}
