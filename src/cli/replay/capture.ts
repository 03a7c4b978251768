import { Fault } from '../../model/fault.ts';
import { CaptureFile } from './capture_file.ts';
import { type CaptureFormat, detectFormat } from './detect.ts';
import { hexLineFrames } from './hex_lines.ts';
import { rawMavlinkFrames } from './raw_mavlink.ts';
import { recordingFrames } from './recording_frames.ts';
import { textLineFrames } from './text_lines.ts';
import { tlogFrames } from './tlog.ts';

/** One piece of a capture, to be sent at once. `atMs` is on the capture's own time line; null where it has none. */
export type CaptureFrame = { atMs: number | null; bytes: Uint8Array };

export type CaptureOptions = {
  /** The form of the file; found out from its first 64 KiB where absent. */
  format?: CaptureFormat | undefined;
  /** Of a recording: the name or id of the link whose bytes are wanted. */
  link?: string | undefined;
  /** Hears one sentence for each part of the file that could not be used. */
  onProblem?: (sentence: string) => void;
};

export type Capture = AsyncIterable<CaptureFrame> & {
  /** How much of the file has been read, 0 to 1. */
  progress(): number;
  /** Pace for frames without times. */
  readonly untimedHz: number;
};

/** A telemetry radio carries about so many MAVLink frames, a serial sensor so many lines. */
const untimedHz = { frames: 50, lines: 10 };

/**
 * Reads a capture file as timed frames, a piece at a time. Nothing is opened before the first frame is asked for; then a
 * file that cannot be read, is empty or has no known form is a Fault.
 */
export function openCapture(path: string, options: CaptureOptions = {}): Capture {
  const file = new CaptureFile(path);
  const capture = {
    untimedHz: untimedHz.lines,
    progress: () => file.progress(),
    async *[Symbol.asyncIterator](): AsyncGenerator<CaptureFrame> {
      const head = await file.open();
      try {
        if (head.length === 0) throw new Fault('invalid_input', `${path} is empty`);
        const format = options.format ?? detectFormat(head);
        if (format === null) {
          throw new Fault(
            'invalid_input',
            `${path} is in no form that can be told from its content: name it with --format`,
          );
        }
        capture.untimedHz = format === 'mavlink' ? untimedHz.frames : untimedHz.lines;
        if (options.link !== undefined && format !== 'recording')
          throw new Fault('invalid_input', `${path} is no recording, and has no links to choose from`);
        yield* framesOf(format, file, options.link, (sentence) => options.onProblem?.(`${path}: ${sentence}`));
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
  link: string | undefined,
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
    default:
      return textLineFrames(format, file.chunks(), problem);
  }
}
