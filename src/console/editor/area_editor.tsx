import type { Draft } from '../state/draft.ts';
import { RegionEditor } from './region_editor.tsx';
import { ZoneEditor } from './zone_editor.tsx';

/** Editor of a drawn area. It is a separate chunk, so that a console that draws nothing does not load it. */
export function AreaEditor({ draft: now }: { draft: Draft }) {
  return now.of === 'zone' ? <ZoneEditor now={now} /> : <RegionEditor now={now} />;
}
