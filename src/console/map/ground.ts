import { computed, effect, type Signal, signal } from '@preact/signals';
import type { BaseMap } from '../../model/base_map.ts';
import { readHeaders } from '../api/client.ts';
import { session } from '../state/session.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';
import { baseMaps, shownMap, startBaseMaps } from './base_map.ts';
import type { Tiles } from './tiles.ts';
import { camera } from './view.ts';

/** Kind of background below the canvases: a base map, the outline of the land, or nothing while neither is loaded. */
export const ground: Signal<'base_map' | 'outline' | 'nothing'> = signal('nothing');
/** Attribution of the background, which its licence requires. If the base map failed, its fault is shown instead. */
export const credit: Signal<string> = signal('');

/**
 * Key that changes when the base map must be created again; null until the map has a size and the list of base maps is
 * known.
 */
const drawnKey = computed(() => {
  if (!hasCamera.value || baseMaps.value === null) return null;
  const { theme, economyMap } = settings.value;
  return [shownMap.value?.id, shownMap.value?.version, theme, economyMap, session.value.token].join(' ');
});
const hasCamera = computed(() => camera.value !== null);

const canDrawTiles = (): boolean => document.createElement('canvas').getContext('webgl2') !== null;

/** Draws the chosen base map into `element` and follows the camera. Returns a function that ends this. */
export function startGround(element: HTMLElement): () => void {
  let tiles: Tiles | null = null;
  let turn = 0;
  const clear = (): void => {
    tiles?.remove();
    tiles = null;
  };
  const open = async (map: BaseMap): Promise<void> => {
    const mine = ++turn;
    const { Tiles: Drawn } = await import('./tiles.ts');
    const now = camera.peek();
    if (mine !== turn || now === null) return;
    clear();
    const { theme, economyMap } = settings.peek();
    const mount = session.peek().token === null ? '/api' : '/v1';
    const failed = (sentence: string): void => {
      credit.value = words.baseMapFault(map.name, sentence);
    };
    tiles = new Drawn(element, { map, theme, economy: economyMap, camera: now, mount, headers: readHeaders, failed });
    ground.value = 'base_map';
    credit.value = map.attribution ?? '';
  };
  const stops = [
    startBaseMaps(),
    effect(() => {
      if (drawnKey.value === null) return;
      const map = shownMap.peek();
      if (map !== null && canDrawTiles()) {
        void open(map);
        return;
      }
      turn++;
      clear();
      ground.value = 'outline';
      credit.value = map === null ? words.noBaseMap : words.noWebGl;
    }),
    effect(() => {
      const now = camera.value;
      if (now !== null) tiles?.follow(now);
    }),
  ];
  const sizes = new ResizeObserver(() => tiles?.resize());
  sizes.observe(element);
  return () => {
    turn++;
    sizes.disconnect();
    for (const stop of stops) stop();
    clear();
  };
}
