import type { Classification } from '../../../model/observation.ts';
import type { DetectionReport } from '../../wire/sapient/message.ts';
import { single, visible, within } from './units.ts';

type Named = NonNullable<DetectionReport['classification']>[number];
type Sub = NonNullable<Named['sub_class']>[number];
type Found = { type: Classification['type']; confidence: number | undefined; level: number; path: readonly string[] };

const MOST_CLASSES = 16;
const MOST_PATH = 120;
/** Confidence of a class for which neither it nor its report has one. */
const UNSAID = 0.5;

/** Words of classes, the telling ones first: a vertical take-off aircraft has a fixed wing too. */
const words: readonly (readonly [Classification['type'], RegExp])[] = [
  ['vtol', /^vtol$/],
  ['multirotor', /^(?:rotary|multirotor|quad.*)$/],
  ['fixed_wing', /^fixed$/],
  ['helicopter', /^helicopter$/],
  ['bird', /^(?:birds?|avian)$/],
  ['person', /^(?:humans?|persons?)$/],
];
const crewed = /^(?:manned|crewed|airliner)$/;
const drone = /^(?:uav|uas|drone|rpas)s?$/;
const vehicle = /^vehicles?$/;
const onLand = /^(?:land|ground)$/;

/** Classes of an object. The types of SAPIENT are free text in a tree: the deepest one counts that a word matches. */
export function classesOf({ classification = [], detection_confidence }: DetectionReport): Classification[] {
  const byType = new Map<Classification['type'], Classification>();
  for (const top of classification) {
    const found = deepest(top, []);
    if (found === null) continue;
    const confidence = within(found.confidence ?? detection_confidence ?? UNSAID, 0, 1) ?? UNSAID;
    const one = { type: found.type, confidence: single(confidence), ...modelOf(found) };
    if (confidence >= (byType.get(found.type)?.confidence ?? 0)) byType.set(found.type, one);
  }
  return [...byType.values()].slice(0, MOST_CLASSES);
}

/** The path is kept where our types have no name for it. */
function modelOf({ type, path }: Found): { model?: string } {
  return type === 'other' ? { model: visible(path.join(' / '), MOST_PATH) } : {};
}

function deepest(node: Named | Sub, above: readonly string[]): Found | null {
  const path = [...above, node.type];
  const type = typeOf(path);
  let best: Found | null = type === null ? null : { type, confidence: node.confidence, level: path.length, path };
  for (const sub of node.sub_class ?? []) {
    const found = deepest(sub, path);
    if (found !== null && (best === null || isBetter(found, best))) best = found;
  }
  return best;
}

function isBetter(one: Found, other: Found): boolean {
  if (one.level !== other.level) return one.level > other.level;
  return (one.confidence ?? 0) > (other.confidence ?? 0);
}

/** Class that the last text of a path names. The texts above it decide on crews and on land. */
function typeOf(path: readonly string[]): Classification['type'] | null {
  const own = tokens(path.at(-1) ?? '');
  const all = path.flatMap(tokens);
  const has = (list: readonly string[], form: RegExp): boolean => list.some((word) => form.test(word));
  const named = words.find(([, form]) => has(own, form))?.[0] ?? null;
  // A helicopter with a crew has a rotary wing too.
  if (has(own, crewed) || (has(all, crewed) && named !== null && named !== 'bird' && named !== 'person'))
    return 'crewed_aircraft';
  if (named !== null) return named;
  if (has(own, drone)) return 'other';
  if (!has(own, vehicle)) return null;
  return has(all, onLand) ? 'vehicle' : has(own, /^air$/) ? 'other' : null;
}

/** Lower-case words; `un-manned` and `non crewed` are one word each. */
function tokens(text: string): string[] {
  const joined = text
    .slice(0, MOST_PATH)
    .toLowerCase()
    .replace(/\b(un|non)[\s_-]+(?=manned|crewed)/g, '$1');
  return joined.split(/[^a-z0-9]+/).filter((word) => word !== '');
}
