import { conflict, type Fault, sentenceOf, unavailable } from '../../model/fault.ts';
import type { Recording } from '../../model/recording.ts';
import type { Run } from '../../model/run.ts';
import type { ScenarioSpec } from '../../model/scenario.ts';
import type { RecordingReader } from '../../recording/reader.ts';
import { Pacer } from '../../world/driven/pacer.ts';
import { runUntil } from '../../world/driven/run_until.ts';
import type { Playback, PlaybackEvents } from './playback.ts';
import { type Players, unplayable } from './players.ts';
import type { RunRecord } from './run_record.ts';

type ScenarioAsk = { scenario: ScenarioSpec; seed: number; rate: number; run: Run | null };

/** Loads a scenario for playing. Its time does not pass before the pacer is started. */
export async function playOfScenario(
  { scenario, seed, rate, run }: ScenarioAsk,
  { players, record, realMs }: { players: Players; record: RunRecord; realMs(): number },
  { ended }: PlaybackEvents,
): Promise<Playback> {
  const simulation = await players.simulate(scenario, seed, ended);
  const { drive } = simulation.run;
  const isOver = (): boolean => simulation.run.isOver;
  const play: Playback = {
    ...{
      mode: 'sim',
      name: run?.scenario_name ?? 'the simulated world',
      worldServices: simulation.worldServices,
      steps: drive,
      isOver,
    },
    ...{ run, recording: null },
    utcMs: () => simulation.run.clock.nowMs(),
    pacer: new Pacer({ drive, rate, realMs, isOver, ended: endedBy(ended) }),
    stop: () => simulation.stop(),
    inject: (actor) => simulation.inject(actor),
    keep(state, reason) {
      if (!play.run) return;
      const { metrics, expect, refused, logHash: log_hash, simulatedS: simulated_s } = simulation.run.result();
      const came = { metrics, expect, refused, log_hash, simulated_s };
      play.run = record.ended(play.run, { ...came, state, reason });
    },
  };
  return play;
}

/** Greatest position, ms, up to which a seek plays the recording from its beginning, so that the picture is exact. */
const THROUGH_MS = 600_000;
/**
 * For a seek beyond `THROUGH_MS`: time that is played before the target position, ms, to fill the picture with tracks.
 */
const UNSEEN_MS = 120_000;

type RecordingAsk = { recording: Recording; reader: RecordingReader; toS: number; rate: number };

/**
 * Loads a recording for playing from the position `toS`, s after the beginning of the recording. Throws `unavailable`
 * if `goesOn` returns false before the load has ended.
 */
export async function playOfRecording(
  { recording, reader, toS, rate }: RecordingAsk,
  { players, realMs, goesOn }: { players: Players; realMs(): number; goesOn(): boolean },
  { ended }: PlaybackEvents,
): Promise<Playback> {
  const { fromMs: beginMs, toMs: endMs } = reader.span;
  const toMs = beginMs + toS * 1_000;
  if (toMs > endMs) throw tooFar(recording, toS, (endMs - beginMs) / 1_000);
  const fromMs = beginOf(reader, toMs);
  const replay = await players.replay(reader, fromMs, ended);
  const { run } = replay;
  try {
    await runUntil(run, toMs, () => goesOn() && !run.isOver, realMs);
    if (!goesOn())
      throw unavailable(
        'the recording was not loaded: the live world was requested, the playback was stopped, or the service is stopping',
      );
  } catch (thrown) {
    await replay.stop();
    throw unplayable(thrown);
  }
  const isOver = (): boolean => run.isOver;
  return {
    ...{
      mode: 'replay',
      name: `the recording ${recording.name}`,
      worldServices: replay.worldServices,
      steps: run,
      isOver,
    },
    ...{ run: null, recording: { id: recording.id, lengthS: (endMs - beginMs) / 1_000 } },
    utcMs: () => run.utcMs,
    pacer: new Pacer({ drive: run, rate, realMs, isOver, ended: endedBy(ended) }),
    stop: () => replay.stop(),
    keep() {},
    inject() {
      throw conflict('no actor can be added to a recording');
    },
  };
}

/**
 * Returns the world time from which the recording must be played to reach the position `toMs`. The position at which
 * the replay was before has no influence, so equal seeks give the same picture.
 */
function beginOf(reader: RecordingReader, toMs: number): number {
  const { fromMs } = reader.span;
  return toMs - fromMs <= THROUGH_MS ? fromMs : reader.seek(toMs - UNSEEN_MS);
}

function tooFar({ name }: Recording, toS: number, lengthS: number): Fault {
  return conflict(
    `the position ${toS} s is after the end of the recording ${name}, which is ${lengthS.toFixed(1)} s long`,
  );
}

function endedBy(ended: PlaybackEvents['ended']): (fault: unknown) => void {
  return (fault) => ended(fault === null ? null : sentenceOf(fault));
}
