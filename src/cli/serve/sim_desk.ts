import type { Simulator } from '../../http/simulator.ts';
import { type Actor, actorLabel } from '../../model/actor.ts';
import type { DecisionPolicy } from '../../model/decision_config.ts';
import { Fault, sentenceOf } from '../../model/fault.ts';
import type { SimState } from '../../model/picture.ts';
import type { Run } from '../../model/run.ts';
import { type Scenario, type ScenarioActor, type ScenarioSpec, scenarioSpecSchema } from '../../model/scenario.ts';
import type { SimMode, SimStart } from '../../model/simulator.ts';
import { formatTime } from '../../model/time.ts';
import type { WhatIf } from '../../model/what_if.ts';
import type { Registry } from '../../registry/registry.ts';
import { hurry } from '../../worlds/driven/hurry.ts';
import { LiveWatch } from './live_watch.ts';
import type { Play, PlayEvents } from './play.ts';
import { playOfRecording } from './play_recording.ts';
import { playOfScenario } from './play_scenario.ts';
import { RunRecord } from './run_record.ts';
import type { Stage } from './stage.ts';
import { type WhatIfParts, whatIf } from './what_if.ts';

export type SimDeskParts = {
  stage: Stage;
  /** The live one of the workspace. */
  registry: Registry;
  build: string;
  /** Throws `not_found`. */
  scenario(id: string): Scenario;
  realMs(): number;
} & WhatIfParts;

/** While something is played, those who watch are told how far it is so often. */
const TELL_MS = 1_000;

/** The simulated world in which nobody flies. */
const empty: ScenarioSpec = scenarioSpecSchema.parse({
  ...{ name: 'empty', duration_s: 1, origin: { lat: 0, lon: 0 }, actors: [], sensors: [] },
});

/** Where people decide which world is shown, and play others beside the live one. One thing is done after the other. */
export class SimDesk implements Simulator {
  readonly #parts: SimDeskParts;
  readonly #watch: LiveWatch;
  readonly #record: RunRecord;
  #play: Play | null = null;
  #word: SimState['run'] = 'idle';
  #last: Promise<unknown> = Promise.resolve();
  #teller: NodeJS.Timeout | null = null;
  #unwatch: () => void = () => {};
  #isEnding = false;
  /** So many wait to stop what is played, or to show the live world. */
  #pressing = 0;
  #playNumber = 0;
  /** Told of each run that came to its end by itself. */
  onPlayed: (run: Run) => void = () => {};

  constructor(parts: SimDeskParts) {
    this.#parts = parts;
    this.#watch = new LiveWatch(parts.stage);
    this.#record = new RunRecord(parts.registry.runs, (sentence) => this.#warn(sentence));
    this.#watch.onCritical = ({ text }) => this.#backToLive(text);
  }

  begin(): void {
    const { registry, stage } = this.#parts;
    this.#unwatch = this.#watch.start();
    registry.runs.onChange = (run) => {
      for (const { world } of stage.all) world.shown.announce('run_update', run);
    };
  }

  /** Whatever is played ends with the service. */
  async end(): Promise<void> {
    this.#unwatch();
    this.#isEnding = true;
    await this.#inTurn(() => this.#stopPlay('the service stopped'));
    this.#record.stop();
  }

  state(): SimState {
    const play = this.#play;
    return {
      mode: this.#parts.stage.mode,
      simulator: 'ready',
      run: this.#word,
      scenario_id: play?.run?.scenario_id ?? null,
      run_id: play?.run?.id ?? null,
      sim_at: play ? formatTime(play.utcMs()) : null,
      rate: this.#isGoing ? (play?.pacer.rate ?? null) : null,
    };
  }

  start({ scenario_id, seed, rate = 1 }: SimStart, by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      if (this.#isGoing) throw new Fault('conflict', `${this.#playing()} is played: stop it first`);
      const scenario = this.#parts.scenario(scenario_id);
      this.#requireCalm();
      await this.#stopPlay('another scenario was started');
      await this.#begin(scenario, seed ?? scenario.seed, rate, by);
    });
  }

  pause(by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      const play = this.#require('running');
      await play.pacer.stop();
      // It may have come to its end while it was waited for.
      if (this.#word === 'running') this.#turn('paused');
      this.#note('sim.paused', `${actorLabel(by)} paused ${this.#playing()}`, by);
    });
  }

  resume(by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      this.#require('paused').pacer.start();
      this.#turn('running');
      this.#note('sim.resumed', `${actorLabel(by)} let ${this.#playing()} go on`, by);
    });
  }

  step(seconds: number, by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      const play = this.#require('paused');
      const { steps } = play;
      await hurry(steps, steps.nowMs + seconds * 1_000, () => this.#goesOn && !play.isOver(), this.#parts.realMs);
      if (play.isOver()) this.#finish(null, null);
      this.#note('sim.stepped', `${actorLabel(by)} let ${seconds} s pass in ${this.#playing()}`, by);
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
      this.#note('sim.rate', `${actorLabel(by)} lets time pass ${rate} times as fast in ${this.#playing()}`, by);
    });
  }

  seek(toS: number, by: Actor): Promise<SimState> {
    return this.#inTurn(async () => {
      const play = this.#play;
      if (!play?.recording)
        throw new Fault('conflict', 'only a recording has other places to go to: mode replay plays one');
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

  show(ask: SimMode, by: Actor): Promise<SimState> {
    const { stage } = this.#parts;
    // Nobody waits for the live world, whatever else is being done.
    if (ask.mode === 'live') stage.showLive();
    const inTurn = ask.mode === 'live' ? this.#atOnce.bind(this) : this.#inTurn.bind(this);
    return inTurn(async () => {
      if (ask.mode === 'live') await this.#showLive();
      else if (ask.mode === 'replay') await this.#showReplay(ask.recording_id ?? '', ask.rate ?? 1);
      else if (stage.mode === ask.mode) return;
      else await this.#showSimulated();
      this.#note('mode.changed', `${actorLabel(by)} shows the ${ask.mode} world`, by);
    });
  }

  whatIf(recordingId: string, asked: DecisionPolicy, goesOn: () => boolean): Promise<WhatIf> {
    return whatIf(this.#parts, recordingId, asked, () => goesOn() && !this.#isEnding);
  }

  async #showSimulated(): Promise<void> {
    const { stage } = this.#parts;
    this.#requireCalm();
    if (stage.act?.mode !== 'sim') {
      await this.#stopPlay('the simulated world was shown');
      await this.#put(empty, empty.seed, 1, null);
      this.#turn('idle');
    }
    stage.showAct();
  }

  /** What goes on goes on unseen; what is over is cleared away. */
  async #showLive(): Promise<void> {
    this.#parts.stage.showLive();
    if (!this.#isGoing) await this.#stopPlay(null);
  }

  #backToLive(text: string): void {
    const { stage } = this.#parts;
    stage.showLive();
    stage.live.world.note('mode.live', 'warning', `the live world is shown again: ${text}`);
    this.#announce();
  }

  async #begin(scenario: Scenario, seed: number, rate: number, by: Actor): Promise<void> {
    const { registry, build, stage } = this.#parts;
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
    stage.showAct();
    this.#play?.pacer.start();
    registry.runs.update(run.id, { state: 'running' });
    this.#turn('running');
  }

  /** A scenario takes the place of whatever was beside the live world; nothing of it moves yet. */
  async #put(scenario: ScenarioSpec, seed: number, rate: number, run: Run | null): Promise<void> {
    const { players, realMs, stage } = this.#parts;
    const rim = { players, realMs, record: this.#record };
    const play = await playOfScenario({ scenario, seed, rate, run }, rim, this.#events());
    try {
      // While it was made something may have come up.
      this.#requireCalm();
    } catch (thrown) {
      await play.stop();
      throw thrown;
    }
    this.#play = play;
    stage.play(this.#play);
  }

  async #showReplay(recordingId: string, rate: number): Promise<void> {
    if (this.#isGoing && this.#play?.mode === 'sim')
      throw new Fault('conflict', `${this.#playing()} is played: stop it first`);
    this.#requireCalm();
    await this.#replay(recordingId, 0, rate, false);
  }

  /** Another place of a recording takes the place of whatever was beside the live world, which is shown until it is there. */
  async #replay(recordingId: string, toS: number, rate: number, isPaused: boolean): Promise<void> {
    const { stage, players, realMs, recording } = this.#parts;
    const [was, word, mode, number] = [this.#play, this.#word, stage.mode, this.#playNumber];
    const held = recording(recordingId);
    await was?.pacer.stop();
    this.#turn('loading');
    let play: Play;
    try {
      const rim = { players, realMs, goesOn: () => this.#goesOn };
      play = await playOfRecording({ ...held, toS, rate }, rim, this.#events());
    } catch (thrown) {
      held.letGo();
      this.#playNumber = number;
      if (word === 'running') was?.pacer.start();
      this.#turn(word);
      throw thrown;
    }
    // A critical alert may have called back to the live world meanwhile.
    const isShown = mode === 'live' ? this.#isCalm() : stage.mode !== 'live';
    this.#play = { ...play, stop: () => play.stop().finally(held.letGo) };
    stage.play(this.#play, isShown);
    await was?.stop();
    if (!isPaused) this.#play.pacer.start();
    this.#turn(isPaused ? 'paused' : 'running');
  }

  /** What a play tells counts for as long as it is the one that is played. */
  #events(): PlayEvents {
    const number = ++this.#playNumber;
    return {
      ended: (failure) =>
        void this.#inTurn(async () => {
          if (number === this.#playNumber) this.#finish(failure, null);
        }),
    };
  }

  /** The run is over: by itself, because it failed, or for a reason somebody gave. What it came to is kept. */
  #finish(failure: string | null, reason: string | null): void {
    const play = this.#play;
    if (!play || !this.#isGoing) return;
    const state = failure === null ? 'completed' : 'failed';
    play.keep(state, failure ?? reason);
    this.#turn(state);
    if (play.run && failure === null && reason === null) this.onPlayed(play.run);
  }

  /** Clears away what is beside the live world. */
  async #stopPlay(reason: string | null): Promise<void> {
    const play = this.#play;
    if (!play) return;
    await play.pacer.stop();
    this.#finish(reason, null);
    this.#play = null;
    this.#parts.stage.play(null);
    await play.stop();
    this.#turn('idle');
  }

  /** What is played on at full speed is not played on any longer. */
  get #goesOn(): boolean {
    return !this.#isEnding && this.#pressing === 0;
  }

  get #isGoing(): boolean {
    return ['loading', 'running', 'paused', 'stopping'].includes(this.#word);
  }

  #playing(): string {
    return this.#play?.name ?? 'what is played';
  }

  #require(...words: SimState['run'][]): Play {
    if (this.#play && words.includes(this.#word)) return this.#play;
    const needed = words.join(' or ');
    throw new Fault('conflict', `nothing is ${needed}: the simulator is ${this.#word}`);
  }

  #requireCalm(): void {
    if (this.#parts.stage.mode === 'live') this.#watch.requireCalm();
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
    this.#teller = word === 'running' ? setInterval(() => this.#announce(), TELL_MS) : null;
    this.#announce();
  }

  #announce(): void {
    const state = this.state();
    for (const { world } of this.#parts.stage.all) world.shown.announce('sim_state', state);
  }

  #note(kind: string, text: string, by: Actor): void {
    const { ledger, workspaceId } = this.#parts.registry.rim;
    const run = this.#play?.run;
    const subject = run ? { type: 'run', id: run.id, label: run.scenario_name } : null;
    try {
      ledger.note({ kind, text, by, workspaceId, subject });
    } catch (thrown) {
      // It was done: a full disk keeps nobody in a world, nor out of one.
      this.#warn(`that ${text} is not written: ${sentenceOf(thrown)}`);
    }
  }

  #warn(sentence: string): void {
    this.#parts.stage.live.world.note('sim.not_written', 'warning', sentence);
  }

  /** As below, and what is played on at full speed before it ends where it is. */
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
