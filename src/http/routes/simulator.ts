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
 * Common fields of such routes with a body. They may take minutes, for example while a recording is played without
 * display up to the requested position.
 */
const changeNamed = { ...change, errors: ['conflict', 'not_found', 'unavailable'] } as const;

export const simulatorRoutes = [
  state('/sim'),
  state('/sim/state'),
  route('POST /sim/start', {
    ...changeNamed,
    summary: 'Play scenario',
    description:
      'Shows the simulated world and lets its time pass at `rate`. The live world goes on unseen; its alerts come as `live_alert`, and a ' +
      'critical one shows it again. A conflict while another scenario is played, a live task is flown or a live alert is critical.',
    body: { schema: simStartSchema, example: sampleStart },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.start(body, by.actor)),
  }),
  route('POST /sim/pause', {
    ...change,
    summary: 'Pause the run',
    description: 'In the world that is played; never in the live one.',
    handler: ({ by }, { workspace: { playback } }) => playback.pause(by.actor),
  }),
  route('POST /sim/resume', {
    ...change,
    summary: 'Resume the run',
    description: 'At the rate it had.',
    handler: ({ by }, { workspace: { playback } }) => playback.resume(by.actor),
  }),
  route('POST /sim/step', {
    ...changeNamed,
    summary: 'Step a paused run',
    description: 'In a world that is paused, as fast as the box can.',
    body: { schema: simStepSchema, example: { step_s: 1 } },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.step(body.step_s, by.actor)),
  }),
  route('POST /sim/stop', {
    ...change,
    summary: 'End the run',
    description: 'Its metrics are of what was played. The world stays as it is until another is shown.',
    handler: ({ by }, { workspace: { playback } }) => playback.stop(by.actor),
  }),
  route('POST /sim/rate', {
    ...changeNamed,
    summary: 'Set rate of the run',
    description: 'A box that cannot keep up lets it pass slower.',
    body: { schema: simRateSchema, example: { rate: 4 } },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.setRate(body.rate, by.actor)),
  }),
  route('POST /sim/seek', {
    ...changeNamed,
    summary: 'Seek in a recording',
    description:
      'In mode replay: the world is made anew as of then, and shown once it is there; until then `run` is `loading`. The stream begins anew.',
    body: { schema: simSeekSchema, example: { to_s: 90 } },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.seek(body.to_s, by.actor)),
  }),
  route('POST /sim/inject', {
    ...changeNamed,
    summary: 'Inject actor into the scenario',
    description: 'Present from now on, or from `appears_s` on. Its id must be unused.',
    body: { schema: simInjectSchema, example: sampleInject },
    handler: ({ body, by, ctx }, { workspace: { playback } }) =>
      whileAwaited(ctx, () => playback.inject(body.actor, by.actor)),
  }),
  route('POST /sim/mode', {
    ...changeNamed,
    summary: 'Choose the shown world',
    description:
      '`live`, `sim` as it was left, or `replay` of a recording. The stream begins anew with a `snapshot`, then `sim_state`. ' +
      'While a replay is shown, what is shown cannot be changed: that is a conflict.',
    body: { schema: simModeSchema, example: sampleMode },
    handler: ({ body, by, ctx }, { workspace: { playback } }) => whileAwaited(ctx, () => playback.show(body, by.actor)),
  }),
];
