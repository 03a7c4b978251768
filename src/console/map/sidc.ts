import type { Track } from '../../model/track.ts';

/** Symbol identification codes of MIL-STD-2525D / APP-6(D), air domain: `100 A 01 S 000 EEEEEE 0000`. */

const affiliationDigits: Record<Track['affiliation'], string> = {
  unknown: '1',
  friend: '3',
  neutral: '4',
  hostile: '6',
};

/** Symbol entities by classification; other classifications are shown as an air track without an icon. */
const entities: Record<string, string> = {
  multirotor: '120300',
  fixed_wing: '110300',
  vtol: '110400',
  helicopter: '120200',
  crewed_aircraft: '120100',
  balloon: '120400',
  airship: '120500',
};
const PLAIN = '000000';

/** Whether the frame is dashed: the track is tentative, or has no current observation. */
const isAnticipated = (state: Track['state']): boolean => state !== 'confirmed';

export function sidcOf({
  affiliation,
  state,
  classification,
}: Pick<Track, 'affiliation' | 'state' | 'classification'>): string {
  const [best] = classification;
  const entity = entities[best?.type ?? ''] ?? PLAIN;
  return `100${affiliationDigits[affiliation]}01${isAnticipated(state) ? '1' : '0'}000${entity}0000`;
}

/** Every code that `sidcOf` can return; the build draws a symbol for each. */
export function allSidcs(): string[] {
  const kinds = [...Object.values(entities), PLAIN];
  return Object.values(affiliationDigits).flatMap((affiliation) =>
    ['0', '1'].flatMap((status) => kinds.map((entity) => `100${affiliation}01${status}000${entity}0000`)),
  );
}
