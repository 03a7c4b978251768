import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { invalidInput, notFound, sentenceOf } from '../../model/fault.ts';
import { sentenceOfIssues } from '../../model/issue.ts';
import { altHaeM, between, lat, lon, notNegative, textUpTo, unitInterval } from '../../model/scalar.ts';

const DAY_S = 86_400;

const interval = z.tuple([z.number(), z.number()]);
const azimuth = between(-360, 720);
const elevation = between(-90, 90);

const placed = z.object({
  kind: z.enum(['polar3d', 'polar2d', 'azel', 'bearing']),
  type: z.string(),
  lat,
  lon,
  alt: altHaeM,
  period: z.number().positive(),
  pd: unitInterval,
  clutter_per_scan: notNegative,
  range_max: z.number().positive(),
  az_fov: z.tuple([azimuth, azimuth]).nullish(),
  el_fov: z.tuple([elevation, elevation]).nullish(),
  clutter_range: interval.nullish(),
  clutter_el: interval.nullish(),
  rotating: z.boolean().nullish(),
});

/** A receiver of positions that aircraft transmit. Its own position does not matter. */
const receiver = z.object({ kind: z.literal('pos'), type: z.string() });

const siteSchema = z.object({
  name: z.string().max(120).nullish(),
  duration_s: between(0, DAY_S).nullish(),
  origin: z.object({ lat, lon, alt_hae: altHaeM }),
  sensors: z.record(textUpTo(120), z.discriminatedUnion('kind', [placed, receiver])),
});

/** The site of a tracking scenario: origin of its axes, and sensors. Names and units are those of the file. */
export type Site = z.infer<typeof siteSchema>;
export type SiteSensor = Site['sensors'][string];

/** Reads a site file. Throws a Fault that names the file and the first wrong field. */
export async function readSite(path: string): Promise<Site> {
  const value = await readJson(path);
  const { success, data, error } = siteSchema.safeParse(value);
  if (!success) throw invalidInput(`${path}: ${sentenceOfIssues(error.issues, 'the site', value)}`);
  return data;
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((thrown) => {
    throw notFound(`cannot read ${path}: ${sentenceOf(thrown)}`, { cause: thrown });
  });
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw invalidInput(`${path} is not JSON: ${sentenceOf(thrown)}`, { cause: thrown });
  }
}
