import { Fault, sentenceOf } from '../../model/fault.ts';
import type { Recording } from '../../model/recording.ts';
import { hurry } from '../../worlds/driven/hurry.ts';
import { Pacer } from '../../worlds/driven/pacer.ts';
import type { RecordingReader } from '../../worlds/replay/reader.ts';
import type { Play, PlayEvents } from './play.ts';
import { type Players, unplayable } from './players.ts';

/** Up to there a place of a recording is reached from its beginning, so that it is what it was when it was played through. */
const THROUGH_MS = 600_000;
/** Beyond, the world runs unseen for so long at least before it is shown, and is made of what was shown when that began. */
const UNSEEN_MS = 120_000;

export type RecordingAsk = { recording: Recording; reader: RecordingReader; toS: number; rate: number };

/** A recording that is ready to be played on from a place in it. `goesOn` says whether anybody still waits for it. */
export async function playOfRecording(
  { recording, reader, toS, rate }: RecordingAsk,
  { players, realMs, goesOn }: { players: Players; realMs(): number; goesOn(): boolean },
  { ended }: PlayEvents,
): Promise<Play> {
  const { fromMs: beginMs, toMs: endMs } = reader.span;
  const toMs = beginMs + toS * 1_000;
  if (toMs > endMs) throw tooFar(recording, toS, (endMs - beginMs) / 1_000);
  const fromMs = beginOf(reader, toMs);
  const replay = await players.replay(reader, fromMs, ended);
  const { run } = replay;
  try {
    await hurry(run, toMs, () => goesOn() && !run.isOver, realMs);
    if (!goesOn()) throw new Fault('unavailable', 'the service stops');
  } catch (thrown) {
    await replay.stop();
    throw unplayable(thrown);
  }
  const isOver = (): boolean => run.isOver;
  const over = (fault: unknown): void => ended(fault === null ? null : sentenceOf(fault));
  return {
    ...{ mode: 'replay', name: `the recording ${recording.name}`, theatre: replay.theatre, steps: run, isOver },
    ...{ run: null, recording: { id: recording.id, lengthS: (endMs - beginMs) / 1_000 } },
    utcMs: () => run.utcMs,
    pacer: new Pacer({ drive: run, rate, realMs, isOver, ended: over }),
    stop: () => replay.stop(),
    keep() {},
    inject() {
      throw new Fault('conflict', 'nobody can be put into what was recorded');
    },
  };
}

/** The same for a place each time, wherever it is asked for from. */
function beginOf(reader: RecordingReader, toMs: number): number {
  const { fromMs } = reader.span;
  return toMs - fromMs <= THROUGH_MS ? fromMs : reader.seek(toMs - UNSEEN_MS).fromMs;
}

function tooFar({ name }: Recording, toS: number, lengthS: number): Fault {
  return new Fault('conflict', `the recording ${name} is ${lengthS.toFixed(1)} s long: it has no ${toS} s`);
}
