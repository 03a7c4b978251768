import type { Draft } from '../state/draft.ts';
import { RegionEditor } from './region_editor.tsx';
import { ZoneEditor } from './zone_editor.tsx';

/** Editor of the area that is drawn. A chunk of its own: a watch that draws nothing does not load it. */
export function AreaEditor({ draft: now }: { draft: Draft }) {
  return now.of === 'zone' ? <ZoneEditor now={now} /> : <RegionEditor now={now} />;
}
