import { simStateSchema } from '../../model/picture.ts';
import {
  simInjectSchema,
  simModeSchema,
  simRateSchema,
  simSeekSchema,
  simStartSchema,
  simStepSchema,
} from '../../model/simulator.ts';
import { whileAwaited } from '../awaited.ts';
import { sampleSimState } from '../openapi/samples.ts';
import { sampleInject, sampleMode, sampleStart } from '../openapi/scenario_samples.ts';
import { audience, route } from '../route.ts';

const { viewers, operators } = audience('simulator');
const answer = { text: 'the state', data: simStateSchema, example: sampleSimState };

const state = (path: '/sim' | '/sim/state') =>
  route(`GET ${path}`, {
    ...viewers,
    summary: 'Get the shown world and the state of the simulator',
    answer,
    handler: (_call, { workspace: { playback } }) => playback.state(),
  });

/** Common fields of routes that change the playback; all answer with the new state. */
const change = { ...operators, answer };
/**
 * Common fields of routes that change the playback and have a body. Such a request may take minutes, for example while
 * a recording is played without display up to the requested position.
 */
const changeNamed = { ...change, errors: ['conflict', 'not_found', 'unavailable'] } as const;

export const simulatorRoutes = [
  state('/sim'),
  state('/sim/state'),
  route('POST /sim/start', {
    ...changeNamed,
    summary: 'Play scenario',
    description:
      'Shows the simulated world and advances its time at `rate`. The live world continues unseen: its alerts ' +
      'arrive as `live_alert`, and a critical alert shows the live world again. A start is a conflict while another ' +
      'scenario is played, a live task is running, or a live alert is critical.',
    body: { schema: simStartSchema, example: sampleStart },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.start(body, by.actor)),
  }),
  route('POST /sim/pause', {
    ...change,
    summary: 'Pause the run',
    description: 'Acts on the played world, never on the live one.',
    handler: ({ by }, { workspace: { playback } }) => playback.pause(by.actor),
  }),
  route('POST /sim/resume', {
    ...change,
    summary: 'Resume the run',
    description: 'Continues at the earlier rate.',
    handler: ({ by }, { workspace: { playback } }) => playback.resume(by.actor),
  }),
  route('POST /sim/step', {
    ...changeNamed,
    summary: 'Step a paused run',
    description: 'Advances a paused world as fast as the box can.',
    body: { schema: simStepSchema, example: { step_s: 1 } },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.step(body.step_s, by.actor)),
  }),
  route('POST /sim/stop', {
    ...change,
    summary: 'End the run',
    description: 'The metrics cover the played part. The world remains until another world is shown.',
    handler: ({ by }, { workspace: { playback } }) => playback.stop(by.actor),
  }),
  route('POST /sim/rate', {
    ...changeNamed,
    summary: 'Set rate of the run',
    description: 'If the box cannot keep up, simulated time passes more slowly.',
    body: { schema: simRateSchema, example: { rate: 4 } },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.setRate(body.rate, by.actor)),
  }),
  route('POST /sim/seek', {
    ...changeNamed,
    summary: 'Seek in a recording',
    description:
      'Only in mode replay. The world of that time is rebuilt, and shown when it is ready; until then `run` is ' +
      '`loading`. The stream begins again with a snapshot.',
    body: { schema: simSeekSchema, example: { to_s: 90 } },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.seek(body.to_s, by.actor)),
  }),
  route('POST /sim/inject', {
    ...changeNamed,
    summary: 'Inject actor into the scenario',
    description: 'The actor is present from now on, or from `appears_s`. Its id must be unused.',
    body: { schema: simInjectSchema, example: sampleInject },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.inject(body.actor, by.actor)),
  }),
  route('POST /sim/mode', {
    ...changeNamed,
    summary: 'Choose the shown world',
    description:
      '`live`, the existing world `sim`, or `replay` of a recording. The stream begins again with a `snapshot`, ' +
      'then `sim_state`. While a replay is shown, the shown world cannot be changed; an attempt is a conflict.',
    body: { schema: simModeSchema, example: sampleMode },
    handler: ({ body, by, ctx }, { workspace: { playback } }) => whileAwaited(ctx, () => playback.show(body, by.actor)),
  }),
];
