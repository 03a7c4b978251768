import type { z } from 'zod';
import type { Actor } from '../../model/actor.ts';
import { type SimState, simStateSchema } from '../../model/picture.ts';
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
import { sampleInject, sampleMode, sampleStart } from '../openapi/simulator_samples.ts';
import { route } from '../route.ts';
import type { Simulator } from '../simulator.ts';

const answer = { text: 'the state', data: simStateSchema, example: sampleSimState };

const state = (path: string) =>
  route({
    method: 'GET',
    path,
    summary: 'Which world is shown, and what the simulator does',
    tag: 'simulator',
    answer,
    role: 'viewer',
    write: false,
    handler: (_call, { simulator }) => simulator.state(),
  });

type Words = { summary: string; description: string };

/** Something that is done to what is played, and answered with the state that follows. */
const act = (name: string, words: Words, work: (simulator: Simulator, by: Actor) => Promise<SimState>) =>
  route({
    method: 'POST',
    path: `/sim/${name}`,
    ...words,
    ...{ tag: 'simulator', answer, role: 'operator', write: true },
    errors: ['conflict', 'unavailable'],
    handler: ({ by }, { simulator }) => work(simulator, by.actor),
  });

type Said<B> = Words & { schema: z.ZodType<B>; example: unknown };

const tell = <B>(
  name: string,
  { schema, example, ...words }: Said<B>,
  work: (simulator: Simulator, body: B, by: Actor) => Promise<SimState>,
) =>
  route({
    method: 'POST',
    path: `/sim/${name}`,
    ...words,
    ...{ tag: 'simulator', answer, role: 'operator', write: true },
    body: { schema, example },
    errors: ['conflict', 'not_found', 'unavailable'],
    // A recording is played unseen up to the place that was asked for.
    handler: ({ body, by, ctx }, { simulator }) => whileAwaited(ctx, () => work(simulator, body, by.actor)),
  });

export const simulatorRoutes = [
  state('/sim'),
  state('/sim/state'),
  tell(
    'start',
    {
      summary: 'Play a scenario',
      description:
        'Shows the simulated world and lets its time pass at `rate`. The live world goes on unseen; its alerts come as `live_alert`, and a ' +
        'critical one shows it again. A conflict while another scenario is played, a live task is flown or a live alert is critical.',
      schema: simStartSchema,
      example: sampleStart,
    },
    (simulator, body, by) => simulator.start(body, by),
  ),
  act(
    'pause',
    { summary: 'Let time stand still', description: 'In the world that is played; never in the live one.' },
    (simulator, by) => simulator.pause(by),
  ),
  act('resume', { summary: 'Let time pass again', description: 'At the rate it had.' }, (simulator, by) =>
    simulator.resume(by),
  ),
  tell(
    'step',
    {
      summary: 'Let a little time pass',
      description: 'In a world that is paused, as fast as the box can.',
      schema: simStepSchema,
      example: { step_s: 1 },
    },
    (simulator, { step_s }, by) => simulator.step(step_s, by),
  ),
  act(
    'stop',
    {
      summary: 'End the run',
      description: 'Its metrics are of what was played. The world stays as it is until another is shown.',
    },
    (simulator, by) => simulator.stop(by),
  ),
  tell(
    'rate',
    {
      summary: 'How fast time passes',
      description: 'A box that cannot keep up lets it pass slower.',
      schema: simRateSchema,
      example: { rate: 4 },
    },
    (simulator, { rate }, by) => simulator.setRate(rate, by),
  ),
  tell(
    'seek',
    {
      summary: 'Go to another place of a recording',
      description:
        'In mode replay: the world is made anew as of then, and shown once it is there; until then `run` is `loading`. The stream begins anew.',
      schema: simSeekSchema,
      example: { to_s: 90 },
    },
    (simulator, { to_s }, by) => simulator.seek(to_s, by),
  ),
  tell(
    'inject',
    {
      summary: 'Put somebody into the scenario',
      description: 'From now on, or from `appears_s` on. Its id must be of nobody else.',
      schema: simInjectSchema,
      example: sampleInject,
    },
    (simulator, { actor }, by) => simulator.inject(actor, by),
  ),
  tell(
    'mode',
    {
      summary: 'Which world is shown',
      description:
        '`live`, `sim` as it was left, or `replay` of a recording. The stream begins anew with a `snapshot`, then `sim_state`. ' +
        'While a replay is shown, what is shown cannot be changed: that is a conflict.',
      schema: simModeSchema,
      example: sampleMode,
    },
    (simulator, body, by) => simulator.show(body, by),
  ),
];
