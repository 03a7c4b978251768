import type { AssessPolicy } from './assess/briefed.ts';
import { Core } from './core.ts';
import type { CoreBeginning, FromCore, MergeOutcome, PersonsChange, ToCore } from './messages.ts';
import type { Spoken } from './speaker.ts';

type Tell = (message: FromCore, transfer: ArrayBuffer[]) => void;

/** One core and what it is told, message by message, in whatever thread. */
export class CoreHost {
  readonly #core: Core;
  readonly #tell: Tell;

  constructor({ settings, seed, lastNumber, sensors, restored, assess }: CoreBeginning, tell: Tell) {
    const core = new Core(settings, seed, lastNumber);
    this.#core = core;
    this.#tell = tell;
    core.setSensors(sensors);
    setPolicy(core, assess.policy);
    core.assessor.setSite(assess.site);
    core.assessor.hearWords(assess.words);
    core.assessor.rules.setRules(assess.rules);
    core.assessor.rules.setSensors(assess.sensors);
    core.restore(restored);
  }

  /** Whatever there is to answer is told before it returns. */
  take(message: Spoken): void {
    const core = this.#core;
    if (message.kind === 'sensors') core.setSensors(message.sensors);
    else if (message.kind === 'life') core.setLife(message.life);
    else if (message.kind === 'policy') setPolicy(core, message.policy);
    else if (message.kind === 'site') core.assessor.setSite(message.site);
    else if (message.kind === 'rules') core.assessor.rules.setRules(message.rules);
    else if (message.kind === 'sensor_states') core.assessor.rules.setSensors(message.sensors);
    else if (message.kind === 'words') core.assessor.hearWords(message.words);
    else if (message.kind === 'preview') {
      const threats = core.preview(message.policy, message.numbers, message.nowMs);
      this.#tell({ kind: 'previewed', id: message.id, threats }, []);
    } else if (message.kind === 'change') {
      const outcome = applyChange(core, message.change);
      const output = core.step({ rows: new Float64Array(0), dossiers: [] }, message.nowMs);
      this.#tell({ kind: 'changed', id: message.id, outcome, output }, []);
    } else this.#step(message);
  }

  #step({ batch, nowMs }: Extract<ToCore, { kind: 'step' }>): void {
    const begunMs = performance.now();
    const output = this.#core.step(batch, nowMs);
    const tookMs = performance.now() - begunMs;
    const { rows, heard, assigned } = output;
    const transfer = [rows, heard, assigned].map(({ buffer }) => buffer as ArrayBuffer);
    this.#tell({ kind: 'output', output, tookMs }, transfer);
  }
}

function setPolicy(core: Core, policy: AssessPolicy): void {
  core.assessor.setPolicy(policy);
  core.setIdentityPolicy(policy.policy.identity);
}

function applyChange(core: Core, change: PersonsChange): MergeOutcome {
  if (change.what === 'merge') return core.merge(change.number, change.into);
  return core.drop(change.number) ? 'done' : 'not_there';
}
