import type { Classification } from '../../../model/observation.ts';
import type { DetectionReport } from '../../wire/sapient/message.ts';
import { visible } from '../../wire/sapient/visible.ts';
import { single, within } from './units.ts';

type Named = NonNullable<DetectionReport['classification']>[number];
type Sub = NonNullable<Named['sub_class']>[number];
type Found = { type: Classification['type']; confidence: number | undefined; level: number; path: readonly string[] };

/** Class names from the root of the tree to a class, and whether one of them means a crew or a land vehicle. */
type Above = { path: readonly string[]; isCrewed: boolean; isOnLand: boolean };
const atTop: Above = { path: [], isCrewed: false, isOnLand: false };

const MOST_CLASSES = 16;
/** Greatest number of classes of a report that are read, on all levels. Real reports have about ten. */
const MOST_READ = 256;
const MOST_PATH = 120;
/** Confidence of a class if neither the class nor its report states one. */
const UNSAID = 0.5;

/** Words in class names, most specific first: a vertical take-off aircraft may also be called fixed-wing. */
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

/**
 * Returns the classes of an object. SAPIENT types are free text in trees; the deepest type with a known word counts in
 * each tree.
 */
export function classesOf({ classification = [], detection_confidence }: DetectionReport): Classification[] {
  const byType = new Map<Classification['type'], Classification>();
  const left = { classes: MOST_READ };
  for (const top of classification) {
    const found = deepest(top, atTop, left);
    if (found === null) continue;
    const confidence = within(found.confidence ?? detection_confidence ?? UNSAID, 0, 1) ?? UNSAID;
    const one = { type: found.type, confidence: single(confidence), ...modelOf(found) };
    if (confidence >= (byType.get(found.type)?.confidence ?? 0)) byType.set(found.type, one);
  }
  return [...byType.values()].slice(0, MOST_CLASSES);
}

/** Returns the class names down to a class of type `other` as `model`; an empty object for every other type. */
function modelOf({ type, path }: Found): { model?: string } {
  return type === 'other' ? { model: visible(path.join(' / '), MOST_PATH) } : {};
}

/**
 * Finds the deepest known class at or below a node. Of several at the same depth, the most confident is returned; null
 * for none. All classes of a report share the budget `left`, so that the work for a wide tree is limited.
 */
function deepest(node: Named | Sub, above: Above, left: { classes: number }): Found | null {
  if (--left.classes < 0) return null;
  const own = tokens(node.type);
  const at = {
    path: [...above.path, node.type.slice(0, MOST_PATH)],
    isCrewed: above.isCrewed || has(own, crewed),
    isOnLand: above.isOnLand || has(own, onLand),
  };
  const { path } = at;
  const type = typeOf(own, at);
  let best: Found | null = type === null ? null : { type, confidence: node.confidence, level: path.length, path };
  for (const sub of node.sub_class ?? []) {
    if (left.classes <= 0) break;
    const found = deepest(sub, at, left);
    if (found !== null && (best === null || isBetter(found, best))) best = found;
  }
  return best;
}

function isBetter(one: Found, other: Found): boolean {
  if (one.level !== other.level) return one.level > other.level;
  return (one.confidence ?? 0) > (other.confidence ?? 0);
}

/**
 * Returns the class that the words `own` of a class name mean; null for none. `isCrewed` and `isOnLand` state whether
 * this name or one above it in the tree means a crew or a land vehicle.
 */
function typeOf(own: readonly string[], { isCrewed, isOnLand }: Above): Classification['type'] | null {
  const named = words.find(([, form]) => has(own, form))?.[0] ?? null;
  // Crew is tested first, because a crewed helicopter has a rotary wing too.
  if (has(own, crewed) || (isCrewed && named !== null && named !== 'bird' && named !== 'person'))
    return 'crewed_aircraft';
  if (named !== null) return named;
  if (has(own, drone)) return 'other';
  if (!has(own, vehicle)) return null;
  return isOnLand ? 'vehicle' : has(own, /^air$/) ? 'other' : null;
}

const has = (list: readonly string[], form: RegExp): boolean => list.some((word) => form.test(word));

/** Splits a text into lower-case words; `un-manned` and `non crewed` become one word each. */
function tokens(text: string): string[] {
  const joined = text
    .slice(0, MOST_PATH)
    .toLowerCase()
    .replace(/\b(un|non)[\s_-]+(?=manned|crewed)/g, '$1');
  return joined.split(/[^a-z0-9]+/).filter((word) => word !== '');
}
