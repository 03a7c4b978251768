import type { PlaybackService } from '../app/playback/playback_service.ts';
import type { Log } from '../host/journal.ts';
import { systemActor } from '../model/actor.ts';
import { sentenceOf } from '../model/fault.ts';
import { builtinScenario } from '../sim/scenarios/builtins.ts';

/**
 * Plays the demonstration, and plays it again each time it ends while the simulated world is shown, so that a newcomer
 * always sees activity.
 */
export function playDemo(service: PlaybackService, log: Log): void {
  const scenario_id = builtinScenario('demo')?.id;
  if (scenario_id === undefined) {
    log.warn({}, 'the demonstration cannot be played: config/scenarios/demo.yaml is missing or cannot be read');
    return;
  }
  const play = (): void => {
    service.start({ scenario_id }, systemActor).catch((thrown: unknown) => {
      log.warn({}, `the demonstration was not started: ${sentenceOf(thrown)}`);
    });
  };
  service.played.add((run) => {
    if (run.scenario_id === scenario_id && service.state().mode === 'sim') play();
  });
  play();
}
