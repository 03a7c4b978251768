import { type FileHandle, open } from 'node:fs/promises';
import { invalidInput, notFound, sentenceOf } from '../../model/fault.ts';
import { type CaptureFormat, detectFormat } from './detect.ts';
import { hexLineFrames } from './hex_lines.ts';
import { captureFrames, h4Frames } from './packet_frames.ts';
import { radioFrames } from './radio_frames.ts';
import { rawMavlinkFrames } from './raw_mavlink.ts';
import { recordingFrames } from './recording_frames.ts';
import { textLineFrames } from './text_lines.ts';
import { tlogFrames } from './tlog.ts';

/**
 * A piece of a capture. Each piece is sent as a whole. `atMs` is its time in the capture; null if the capture has no
 * times.
 */
export type CaptureFrame = { atMs: number | null; bytes: Uint8Array };

/** Protocols in which the packets of a packet capture can be played. */
export const packetForms = ['mavlink', 'capture', 'hci_h4'] as const;
export type PacketForm = (typeof packetForms)[number];

export type CaptureOptions = {
  /** Format of the file; if absent, it is detected from the first 64 KiB. */
  format?: CaptureFormat | undefined;
  /** Protocol of the link that takes the packets of a packet capture; MAVLink if absent. */
  as?: PacketForm | undefined;
  /** For a recording: name or id of the link whose bytes are played. */
  link?: string | undefined;
  /** Called with a sentence for each part of the file that cannot be used. */
  onProblem?: (sentence: string) => void;
};

type Capture = AsyncIterable<CaptureFrame> & {
  /** Returns the share of the file that has been read, from 0 to 1. */
  progress(): number;
  /** Rate for frames without times, Hz. */
  readonly untimedHz: number;
};

/** Rates of captures without times, Hz: MAVLink frames of a telemetry radio, lines of a serial sensor. */
const untimedHz = { frames: 50, lines: 10 };

/**
 * Reads a capture file as timed frames, in small pieces. The file is opened when the first frame is requested. The
 * iteration then throws a Fault if the file cannot be read, is empty or has no known format.
 */
export function openCapture(path: string, options: CaptureOptions = {}): Capture {
  const file = new CaptureFile(path);
  const capture = {
    untimedHz: untimedHz.lines,
    progress: () => file.progress(),
    async *[Symbol.asyncIterator](): AsyncGenerator<CaptureFrame> {
      const head = await file.open();
      try {
        if (head.length === 0) throw invalidInput(`${path} is empty`);
        const format = options.format ?? detectFormat(head);
        if (format === null) {
          const known =
            'recording, MAVLink or packet capture, and no line is hex, NMEA, BaseStation or JSON with "hex", "mac" or "sensor_id"';
          throw invalidInput(
            `${path} contains no frame in a known format: it is no ${known}. If you know its format, name it with --format`,
          );
        }
        capture.untimedHz = format === 'mavlink' ? untimedHz.frames : untimedHz.lines;
        if (options.link !== undefined && format !== 'recording')
          throw invalidInput(`${path} is not a recording, so --link cannot be used: leave it out`);
        yield* framesOf(format, file, options, (sentence) => options.onProblem?.(`${path}: ${sentence}`));
      } finally {
        await file.close();
      }
    },
  };
  return capture;
}

function framesOf(
  format: CaptureFormat,
  file: CaptureFile,
  { link, as = 'mavlink' }: CaptureOptions,
  problem: (sentence: string) => void,
): AsyncGenerator<CaptureFrame> {
  switch (format) {
    case 'recording':
      return recordingFrames(file.chunks(), link, problem);
    case 'hex':
      return hexLineFrames(file.chunks(), problem);
    case 'tlog':
      return tlogFrames(file.chunks(), problem);
    case 'mavlink':
      return rawMavlinkFrames(file.chunks());
    case 'pcap':
      return packetReaders[as](file.chunks(), problem);
    default:
      return textLineFrames(format, file.chunks(), problem);
  }
}

const packetReaders = { mavlink: radioFrames, capture: captureFrames, hci_h4: h4Frames } satisfies Record<
  PacketForm,
  unknown
>;

/** Number of first bytes of a file, from which its format is detected. */
const HEAD_BYTES = 65_536;
/** Number of bytes that are read at once. It is small, because the bytes read so far are shown as progress. */
const CHUNK_BYTES = 8_192;

/** A file that is read from its beginning in pieces. */
class CaptureFile {
  readonly #path: string;
  #handle: FileHandle | null = null;
  #sizeBytes = 0;
  #readBytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Opens the file, and returns its first 64 KiB. `chunks` returns these bytes again. */
  async open(): Promise<Buffer> {
    try {
      this.#handle = await open(this.#path, 'r');
      const stat = await this.#handle.stat();
      if (stat.isDirectory()) throw new Error('it is a folder');
      this.#sizeBytes = stat.size;
      this.#readBytes = 0;
      return await this.#read(0, HEAD_BYTES);
    } catch (thrown) {
      await this.close();
      const isMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
      const sentence = isMissing
        ? `there is no file ${this.#path}`
        : `cannot read ${this.#path}: ${sentenceOf(thrown)}`;
      throw notFound(sentence, { cause: thrown });
    }
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  progress(): number {
    return this.#sizeBytes === 0 ? 0 : Math.min(1, this.#readBytes / this.#sizeBytes);
  }

  async *chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = await this.#read(this.#readBytes, CHUNK_BYTES);
      if (chunk.length === 0) return;
      this.#readBytes += chunk.length;
      yield chunk;
    }
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.alloc(length);
    const { bytesRead } = (await this.#handle?.read(buffer, 0, length, position)) ?? { bytesRead: 0 };
    return buffer.subarray(0, bytesRead);
  }
}
