import { z } from 'zod';
import { modes } from './picture.ts';
import { between, namedObject, uuid, wholeBetween } from './scalar.ts';
import { scenarioActorSchema } from './scenario.ts';

/** Limits of the rate: seconds of a played world per real second. */
export const LEAST_RATE = 0.25;
export const MOST_RATE = 20;

const rate = between(LEAST_RATE, MOST_RATE).describe('simulated seconds per second of the box');

export const simStartSchema = namedObject('SimStart', {
  scenario_id: uuid,
  seed: wholeBetween(0, 4_294_967_295).optional().describe('default: the seed of the scenario'),
  rate: rate.optional().describe('default 1'),
});
export type SimStart = z.infer<typeof simStartSchema>;

export const simRateSchema = namedObject('SimRate', { rate });

export const simStepSchema = namedObject('SimStep', {
  step_s: between(0.1, 60).default(1).describe('simulated seconds that a paused world advances'),
});

export const simSeekSchema = namedObject('SimSeek', {
  to_s: between(0, 31_536_000).describe('seconds from the begin of the recording'),
});

export const simInjectSchema = namedObject('SimInject', { actor: scenarioActorSchema });

export const simModeSchema = z
  .strictObject({
    mode: z.enum(modes),
    recording_id: uuid.optional().describe('recording to play, for mode replay'),
    rate: rate.optional().describe('rate for mode replay; default 1'),
  })
  .refine(({ mode, recording_id }) => (mode === 'replay') === (recording_id !== undefined), {
    error: 'must have a recording_id for the mode replay, and none for the other modes',
  })
  .meta({ id: 'SimMode' });
export type SimMode = z.infer<typeof simModeSchema>;
