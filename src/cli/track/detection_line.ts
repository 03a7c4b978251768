import { z } from 'zod';
import { invalidInput } from '../../model/fault.ts';
import { sentenceOfIssues } from '../../model/issue.ts';
import { altHaeM, between, count, lat, lon, notNegative, sigmaM, textUpTo } from '../../model/scalar.ts';

const sd = z.number().positive();
const azimuth = between(-360, 360);
const elevation = between(-90, 90);
const range = between(0, 1_000_000);
const whole = count;

/** Common fields: `i` number of the line; `t` time of measurement, s; `tr` time of arrival, s; `s` id of the sensor. */
const common = { i: whole.nullish(), t: z.number(), tr: z.number(), s: z.string() };
const plot = { ...common, sc: whole.nullish() };

const lineSchema = z.discriminatedUnion('k', [
  z.object({ k: z.literal('scan'), ...common, sc: whole, n: whole }),
  z.object({ k: z.literal('polar3d'), ...plot, az: azimuth, el: elevation, r: range, sd: z.tuple([sd, sd, sd]) }),
  z.object({ k: z.literal('polar2d'), ...plot, az: azimuth, r: range, sd: z.tuple([sd, sd]) }),
  z.object({ k: z.literal('azel'), ...plot, az: azimuth, el: elevation, sd: z.tuple([sd, sd]) }),
  z.object({ k: z.literal('bearing'), ...plot, az: azimuth, em: z.string().nullish(), sd: z.tuple([sd]) }),
  z.object({
    k: z.literal('pos'),
    ...common,
    id: textUpTo(120),
    lat,
    lon,
    alt: altHaeM,
    vh: notNegative.nullish(),
    trk: azimuth.nullish(),
    vv: z.number().nullish(),
    sd: z.tuple([sigmaM, sigmaM, sigmaM]),
    vsd: z.tuple([sd, sd, sd]).nullish(),
  }),
]);

/** One line of a scenario's detections, with the names of the file. Angles are in deg, lengths in m, speeds in m/s. */
export type DetectionLine = z.infer<typeof lineSchema>;
export type LineOf<K extends DetectionLine['k']> = Extract<DetectionLine, { k: K }>;

/** Reads one line. Throws a Fault that says what is wrong with the line. */
export function readDetection(text: string): DetectionLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    throw invalidInput('is not JSON', { cause: thrown });
  }
  const { success, data, error } = lineSchema.safeParse(value);
  if (!success) throw invalidInput(sentenceOfIssues(error.issues, 'the line', value));
  return data;
}
