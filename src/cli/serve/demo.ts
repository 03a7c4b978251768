import type { Log } from '../../host/journal.ts';
import { systemActor } from '../../model/actor.ts';
import { sentenceOf } from '../../model/fault.ts';
import { builtinScenario } from '../../worlds/sim/scenarios/builtins.ts';
import type { SimDesk } from './sim_desk.ts';

/** Plays the demonstration, over and over for as long as it is shown, so that a newcomer always finds something to see. */
export function playDemo(desk: SimDesk, log: Log): void {
  const scenario_id = builtinScenario('demo')?.id;
  if (scenario_id === undefined) {
    log.warn({}, 'the demonstration is not there: config/scenarios/demo.yaml is missing or cannot be read');
    return;
  }
  const play = (): void => {
    desk.start({ scenario_id }, systemActor).catch((thrown: unknown) => {
      log.warn({}, `the demonstration was not started: ${sentenceOf(thrown)}`);
    });
  };
  desk.onPlayed = (run) => {
    if (run.scenario_id === scenario_id && desk.state().mode === 'sim') play();
  };
  play();
}
