import { type Actor, actorLabel } from '../../model/actor.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { conflict, sentenceOf } from '../../model/fault.ts';
import { Listeners } from '../../model/listeners.ts';
import type { LogKind } from '../../model/log_kind.ts';
import type { SimState } from '../../model/picture.ts';
import type { Run } from '../../model/run.ts';
import { type Scenario, type ScenarioActor, type ScenarioSpec, scenarioSpecSchema } from '../../model/scenario.ts';
import type { SimMode, SimStart } from '../../model/simulator.ts';
import { formatTime } from '../../model/time.ts';
import type { WhatIf } from '../../model/what_if.ts';
import type { Registry } from '../../registry/registry.ts';
import { runUntil } from '../../world/driven/run_until.ts';
import type { ShownWorld } from '../shown_world.ts';
import { LiveWatch } from './live_watch.ts';
import type { Playback, PlaybackEvents } from './playback.ts';
import { playOfRecording, playOfScenario } from './plays.ts';
import { RunRecord } from './run_record.ts';
import { type WhatIfDeps, whatIf } from './what_if.ts';

type PlaybackDeps = {
  shownWorld: ShownWorld;
  /** Registry of the live world. */
  registry: Registry;
  build: string;
  /** Returns a scenario. Throws `not_found`. */
  scenario(id: string): Scenario;
  realMs(): number;
} & WhatIfDeps;

/** Interval at which the progress of a playback is published, ms. */
const PUBLISH_MS = 1_000;

/** Returns a scenario without aircraft, for the empty simulated world. */
const emptyScenario = (): ScenarioSpec =>
  scenarioSpecSchema.parse({ name: 'empty', duration_s: 1, origin: { lat: 0, lon: 0 }, actors: [], sensors: [] });

/**
 * Decides which world is shown, and plays another world beside the live world. Operations run one after the other. An
 * operation returns the new state, or throws a Fault with the reason.
 */
export class PlaybackService {
  readonly #deps: PlaybackDeps;
  readonly #watch: LiveWatch;
  readonly #record: RunRecord;
  #play: Playback | null = null;
  #word: SimState['run'] = 'idle';
  #last: Promise<unknown> = Promise.resolve();
  #teller: NodeJS.Timeout | null = null;
  #unwatch: () => void = () => {};
  #isEnding = false;
  /** Number of waiting calls that stop the playback or show the live world. They abort a seek or step. */
  #pressing = 0;
  #playNumber = 0;
  /** Emits a run that completed by itself: no failure or person ended it. */
  readonly played = new Listeners<[Run]>();

  constructor(deps: PlaybackDeps) {
    this.#deps = deps;
    this.#watch = new LiveWatch(deps.shownWorld, ({ text }) => this.#backToLive(text));
    this.#record = new RunRecord(deps.registry.runs, (sentence) => this.#warn(sentence));
  }

  begin(): void {
    const { registry, shownWorld } = this.#deps;
    this.#unwatch = this.#watch.start();
    registry.runs.changed.add((run) => {
      for (const { world } of shownWorld.all) world.announce('run_update', run);
    });
  }

  /** Ends the playback when the service stops. */
  async end(): Promise<void> {
    this.#unwatch();
    this.#isEnding = true;
    await this.#inTurn(() => this.#stopPlay('the service stopped'));
    this.#record.stop();
  }

  state(): SimState {
    const play = this.#play;
    return {
      mode: this.#deps.shownWorld.mode,
      simulator: 'ready',
      run: this.#word,
      scenario_id: play?.run?.scenario_id ?? null,
      run_id: play?.run?.id ?? null,
      sim_at: play ? formatTime(play.utcMs()) : null,
      rate: this.#isGoing ? (play?.pacer.rate ?? null) : null,
    };
  }

  /** Starts a scenario and shows its world. Throws `not_found` if the scenario is unknown. */
  start({ scenario_id, seed, rate = 1 }: SimStart, by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      if (this.#isGoing) throw conflict(`${this.#playing()} is being played: stop it first`);
      const scenario = this.#deps.scenario(scenario_id);
      this.#requireCalm();
      await this.#stopPlay('another scenario was started');
      await this.#begin(scenario, seed ?? scenario.seed, rate, by);
    });
  }

  pause(by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      const play = this.#require('running');
      await play.pacer.stop();
      // The playback may have ended while this operation waited.
      if (this.#word === 'running') this.#turn('paused');
      this.#note('sim.paused', `${actorLabel(by)} paused ${this.#playing()}`, by);
    });
  }

  resume(by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      this.#require('paused').pacer.start();
      this.#turn('running');
      this.#note('sim.resumed', `${actorLabel(by)} resumed ${this.#playing()}`, by);
    });
  }

  /** Advances a paused world by `seconds` at full speed. */
  step(seconds: number, by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      const play = this.#require('paused');
      const { steps } = play;
      await runUntil(steps, steps.nowMs + seconds * 1_000, () => this.#goesOn && !play.isOver(), this.#deps.realMs);
      if (play.isOver()) this.#finish(null, null);
      this.#note('sim.stepped', `${actorLabel(by)} advanced ${this.#playing()} by ${seconds} s`, by);
    });
  }

  stop(by: Actor): Promise<SimState> {
    return this.#atOnce(async () => {
      const play = this.#require('running', 'paused');
      this.#turn('stopping');
      await play.pacer.stop();
      this.#finish(null, `${actorLabel(by)} stopped it`);
      this.#note('sim.stopped', `${actorLabel(by)} stopped ${this.#playing()}`, by);
    });
  }

  setRate(rate: number, by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      this.#require('running', 'paused').pacer.setRate(rate);
      this.#note('sim.rate', `${actorLabel(by)} set the speed of ${this.#playing()} to ${rate} times real time`, by);
    });
  }

  /** Moves a replay to the position `toS`, s after the beginning of the recording. */
  seek(toS: number, by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      const play = this.#play;
      if (!play?.recording)
        throw conflict('only a replay can go to another position: show a recording with mode replay');
      const isPaused = this.#word === 'paused';
      await this.#replay(play.recording.id, toS, play.pacer.rate, isPaused);
      this.#note('sim.sought', `${actorLabel(by)} went to ${toS} s of ${this.#playing()}`, by);
    });
  }

  inject(actor: ScenarioActor, by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      this.#require('running', 'paused').inject(actor);
      this.#note('sim.injected', `${actorLabel(by)} put ${actor.id} into ${this.#playing()}`, by);
    });
  }

  /** Shows a world: live, simulated or a recording. Throws `not_found` if the recording is unknown. */
  show(ask: SimMode, by: Actor): Promise<SimState> {
    const { shownWorld } = this.#deps;
    // The live world is shown at once, without waiting for operations that still run.
    if (ask.mode === 'live') shownWorld.showLive();
    const inTurn = ask.mode === 'live' ? this.#atOnce.bind(this) : this.#inTurn.bind(this);
    return inTurn(async () => {
      if (ask.mode === 'live') await this.#showLive();
      else if (ask.mode === 'replay') await this.#showReplay(ask.recording_id ?? '', ask.rate ?? 1);
      else if (shownWorld.mode === ask.mode) return;
      else await this.#showSimulated();
      this.#note('mode.changed', `${actorLabel(by)} shows the ${ask.mode} world`, by);
    });
  }

  /** Compares a recording under its own policy and under `asked`, while `goesOn` returns true. Throws `not_found`. */
  whatIf(recordingId: string, asked: DecisionPolicy, goesOn: () => boolean): Promise<WhatIf> {
    return whatIf(this.#deps, recordingId, asked, () => goesOn() && !this.#isEnding);
  }

  async #showSimulated(): Promise<void> {
    const { shownWorld } = this.#deps;
    this.#requireCalm();
    if (shownWorld.played?.mode !== 'sim') {
      await this.#stopPlay('the simulated world was shown');
      const empty = emptyScenario();
      await this.#put(empty, empty.seed, 1, null);
      this.#turn('idle');
    }
    shownWorld.showPlayback();
  }

  /** Shows the live world. An unfinished playback stays in the background; a finished one is removed. */
  async #showLive(): Promise<void> {
    this.#deps.shownWorld.showLive();
    if (!this.#isGoing) await this.#stopPlay(null);
  }

  #backToLive(text: string): void {
    const { shownWorld } = this.#deps;
    shownWorld.showLive();
    shownWorld.live.world.note('mode.live', 'warning', `the live world is shown again: ${text}`);
    this.#announce();
  }

  async #begin(scenario: Scenario, seed: number, rate: number, by: Actor): Promise<void> {
    const { registry, build, shownWorld } = this.#deps;
    const policy_version = registry.decision.get().version;
    const begun = { scenario_id: scenario.id, scenario_name: scenario.name, seed, build, policy_version };
    const run = registry.runs.add(begun, by);
    this.#turn('loading');
    try {
      const { id: _id, builtin: _builtin, version: _version, created_at: _at, updated_at: _now, ...spec } = scenario;
      await this.#put(spec, seed, rate, run);
    } catch (thrown) {
      this.#record.ended(run, { state: 'failed', reason: sentenceOf(thrown) });
      this.#turn('failed');
      throw thrown;
    }
    shownWorld.showPlayback();
    this.#play?.pacer.start();
    registry.runs.update(run.id, { state: 'running' });
    this.#turn('running');
  }

  /** Loads a scenario in place of the previous playback. The clock of the scenario does not run yet. */
  async #put(scenario: ScenarioSpec, seed: number, rate: number, run: Run | null): Promise<void> {
    const { players, realMs, shownWorld } = this.#deps;
    const deps = { players, realMs, record: this.#record };
    const play = await playOfScenario({ scenario, seed, rate, run }, deps, this.#events());
    try {
      // A critical alert or a task may have begun while the world was loaded.
      this.#requireCalm();
    } catch (thrown) {
      await play.stop();
      throw thrown;
    }
    this.#play = play;
    shownWorld.play(this.#play);
  }

  async #showReplay(recordingId: string, rate: number): Promise<void> {
    if (this.#isGoing && this.#play?.mode === 'sim')
      throw conflict(`${this.#playing()} is being played: stop it first`);
    this.#requireCalm();
    await this.#replay(recordingId, 0, rate, false);
  }

  /**
   * Loads a recording at a position, then replaces the previous playback by it. Until then, the shown world does not
   * change.
   */
  async #replay(recordingId: string, toS: number, rate: number, isPaused: boolean): Promise<void> {
    const { shownWorld, players, realMs, recording } = this.#deps;
    const [was, word, mode, number] = [this.#play, this.#word, shownWorld.mode, this.#playNumber];
    const held = recording(recordingId);
    await was?.pacer.stop();
    this.#turn('loading');
    let play: Playback;
    try {
      const deps = { players, realMs, goesOn: () => this.#goesOn };
      play = await playOfRecording({ ...held, toS, rate }, deps, this.#events());
    } catch (thrown) {
      held.release();
      this.#playNumber = number;
      if (word === 'running') was?.pacer.start();
      this.#turn(word);
      throw thrown;
    }
    // During the loading, a critical alert may have switched back to the live world, which then stays shown.
    const isShown = mode === 'live' ? this.#isCalm() : shownWorld.mode !== 'live';
    this.#play = { ...play, stop: () => play.stop().finally(held.release) };
    shownWorld.play(this.#play, isShown);
    await was?.stop();
    if (!isPaused) this.#play.pacer.start();
    this.#turn(isPaused ? 'paused' : 'running');
  }

  /** Returns the callbacks of a new playback. They have no effect after a later playback has been created. */
  #events(): PlaybackEvents {
    const number = ++this.#playNumber;
    return {
      ended: (failure) =>
        void this.#inTurn(async () => {
          if (number === this.#playNumber) this.#finish(failure, null);
        }),
    };
  }

  /**
   * Ends the playback and stores its result. `failure` is a sentence if a failure ended it or its world was removed;
   * `reason` is a sentence if a person stopped it. Both are null if the playback ended by itself.
   */
  #finish(failure: string | null, reason: string | null): void {
    const play = this.#play;
    if (!play || !this.#isGoing) return;
    const state = failure === null ? 'completed' : 'failed';
    play.keep(state, failure ?? reason);
    this.#turn(state);
    if (play.run && failure === null && reason === null) this.played.emit(play.run);
  }

  /** Removes the played world. An unfinished run fails with the sentence `reason`; null completes it. */
  async #stopPlay(reason: string | null): Promise<void> {
    const play = this.#play;
    if (!play) return;
    await play.pacer.stop();
    this.#finish(reason, null);
    this.#play = null;
    this.#deps.shownWorld.play(null);
    await play.stop();
    this.#turn('idle');
  }

  /** True while an operation that plays at full speed may continue. */
  get #goesOn(): boolean {
    return !this.#isEnding && this.#pressing === 0;
  }

  get #isGoing(): boolean {
    return ['loading', 'running', 'paused', 'stopping'].includes(this.#word);
  }

  #playing(): string {
    return this.#play?.name ?? 'a scenario or recording';
  }

  #require(...words: SimState['run'][]): Playback {
    if (this.#play && words.includes(this.#word)) return this.#play;
    const needed = words.join(' or ');
    throw conflict(`the playback must be ${needed}, but it is ${this.#word}`);
  }

  #requireCalm(): void {
    if (this.#deps.shownWorld.mode === 'live') this.#watch.requireCalm();
  }

  #isCalm(): boolean {
    try {
      this.#watch.requireCalm();
      return true;
    } catch {
      return false;
    }
  }

  #turn(word: SimState['run']): void {
    this.#word = word;
    if (this.#teller) clearInterval(this.#teller);
    this.#teller = word === 'running' ? setInterval(() => this.#announce(), PUBLISH_MS) : null;
    this.#announce();
  }

  #announce(): void {
    const state = this.state();
    for (const { world } of this.#deps.shownWorld.all) world.announce('sim_state', state);
  }

  #note(kind: LogKind, text: string, by: Actor): void {
    const { ledger, workspaceId } = this.#deps.registry.deps;
    const run = this.#play?.run;
    const subject = run ? { type: 'run', id: run.id, label: run.scenario_name } : null;
    try {
      ledger.note({ kind, text, by, workspaceId, subject });
    } catch (thrown) {
      // The change applies even if its audit row is not written: a full disk must not decide which world is shown.
      this.#warn(`the log row "${text}" is not written: ${sentenceOf(thrown)}`);
    }
  }

  #warn(sentence: string): void {
    this.#deps.shownWorld.live.world.note('sim.not_written', 'warning', sentence);
  }

  /** Runs `work` like `#inTurn`, but first aborts a running operation that plays at full speed. */
  async #atOnce(work: () => Promise<void>): Promise<SimState> {
    this.#pressing++;
    return this.#inTurn(async () => {
      this.#pressing--;
      await work();
    });
  }

  async #inTurn(work: () => Promise<void>): Promise<SimState> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    await turn;
    this.#announce();
    return this.state();
  }
}
