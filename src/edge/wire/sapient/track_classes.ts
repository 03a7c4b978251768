import type { Track } from '../../../model/track.ts';
import type { DetectionReport } from './message.ts';

type Classes = NonNullable<DetectionReport['classification']>;
type Type = Track['classification'][number]['type'];

/** SAPIENT types by our classes: the type of the first level, and the type of the second level if there is one. */
const pathOf: Readonly<Record<Type, readonly [string, string?]>> = {
  multirotor: ['Air Vehicle', 'UAV Rotary Wing'],
  helicopter: ['Air Vehicle', 'UAV Rotary Wing'],
  fixed_wing: ['Air Vehicle', 'UAV Fixed Wing'],
  glider: ['Air Vehicle', 'UAV Fixed Wing'],
  vtol: ['Air Vehicle', 'UAV VTOL'],
  airship: ['Air Vehicle', 'Lighter Than Air'],
  balloon: ['Air Vehicle', 'Lighter Than Air'],
  crewed_aircraft: ['Air Vehicle', 'Manned Aircraft'],
  bird: ['Animal', 'Bird'],
  person: ['Human'],
  vehicle: ['Land Vehicle'],
  other: ['Unknown'],
};

/**
 * Converts the classes of a track to the tree of SAPIENT. The confidence of a type is the sum of the confidences
 * below it, at most 1.
 */
export function trackClasses({ classification }: Pick<Track, 'classification'>): Classes {
  const tops = new Map<string, { confidence: number; subs: Map<string, number> }>();
  for (const { type, confidence } of classification) {
    const [name, sub] = pathOf[type];
    const top = tops.get(name) ?? { confidence: 0, subs: new Map() };
    tops.set(name, top);
    top.confidence += confidence;
    if (sub !== undefined) top.subs.set(sub, (top.subs.get(sub) ?? 0) + confidence);
  }
  if (tops.size === 0) return [{ type: 'Unknown' }];
  return Array.from(tops, ([type, { confidence, subs }]) => ({
    ...{ type, confidence: Math.min(1, confidence) },
    ...(subs.size > 0 && { sub_class: subClasses(subs) }),
  }));
}

function subClasses(subs: ReadonlyMap<string, number>): NonNullable<Classes[number]['sub_class']> {
  return Array.from(subs, ([type, confidence]) => ({ type, confidence: Math.min(1, confidence), level: 1 }));
}
