import { parentPort, workerData } from 'node:worker_threads';
import { Core } from './core.ts';
import type { CoreBeginning, FromCore, MergeOutcome, PersonsChange, ToCore } from './messages.ts';

/** Runs one core in a thread of its own; see remote.ts for the other side. */
function run(): void {
  const port = parentPort;
  if (!port) throw new Error('core/worker runs as a worker thread only');
  const beginning = workerData as CoreBeginning;
  const core = new Core(beginning.settings, beginning.seed, beginning.lastNumber);
  core.setSensors(beginning.sensors);
  const { policy, site, words, rules, sensors } = beginning.assess;
  core.assessor.setPolicy(policy);
  core.assessor.setSite(site);
  core.assessor.hearWords(words);
  core.assessor.rules.setRules(rules);
  core.assessor.rules.setSensors(sensors);
  core.restore(beginning.restored);
  const tell = (message: FromCore, transfer: ArrayBuffer[]): void => port.postMessage(message, transfer);
  port.on('message', (message: ToCore) => {
    if (message.kind === 'sensors') core.setSensors(message.sensors);
    else if (message.kind === 'life') core.setLife(message.life);
    else if (message.kind === 'policy') core.assessor.setPolicy(message.policy);
    else if (message.kind === 'site') core.assessor.setSite(message.site);
    else if (message.kind === 'rules') core.assessor.rules.setRules(message.rules);
    else if (message.kind === 'sensor_states') core.assessor.rules.setSensors(message.sensors);
    else if (message.kind === 'words') core.assessor.hearWords(message.words);
    else if (message.kind === 'preview') {
      const threats = core.preview(message.policy, message.numbers, message.nowMs);
      tell({ kind: 'previewed', id: message.id, threats }, []);
    } else if (message.kind === 'change') {
      const outcome = applyChange(core, message.change);
      const output = core.step({ rows: new Float64Array(0), dossiers: [] }, message.nowMs);
      tell({ kind: 'changed', id: message.id, outcome, output }, []);
    } else if (message.kind === 'end') port.close();
    else {
      const begunMs = performance.now();
      const output = core.step(message.batch, message.nowMs);
      const tookMs = performance.now() - begunMs;
      const { rows, heard, assigned } = output;
      tell(
        { kind: 'output', output, tookMs },
        [rows, heard, assigned].map(({ buffer }) => buffer as ArrayBuffer),
      );
    }
  });
  tell({ kind: 'ready' }, []);
}

function applyChange(core: Core, change: PersonsChange): MergeOutcome {
  if (change.what === 'merge') return core.merge(change.number, change.into);
  return core.drop(change.number) ? 'done' : 'not_there';
}

run();
