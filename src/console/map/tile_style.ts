import { type Flavor, layers, namedFlavor } from '@protomaps/basemaps';
import type { BaseMap } from '../../model/base_map.ts';
import type { Settings } from '../state/setting_values.ts';

const SOURCE = 'base';
/** Font of the browser for texts, since glyph files would take 11 MB. */
const FONT = ['system-ui'];
/** Maximum brightness of raster tiles in each theme, 0 to 1. */
const brightness: Record<Settings['theme'], number> = { day: 1, dusk: 0.55, night: 0.18 };

type Layer = ReturnType<typeof layers>[number];
type Style = { version: 8; sources: Record<string, object>; layers: readonly object[] };

/** The style of a base map in a theme (MapLibre style specification 8). `mount` is `/api`, or `/v1` with a session. */
export function styleOf(map: BaseMap, theme: Settings['theme'], mount: string): Style {
  const tiles = [`${location.origin}${mount}/maps/${encodeURIComponent(map.id)}/{z}/{x}/{y}?v=${map.version}`];
  const zooms = { minzoom: map.min_zoom ?? 0, maxzoom: map.max_zoom ?? 14 };
  const bounds = map.bounds === null ? {} : { bounds: map.bounds };
  if (map.kind === 'raster') {
    const paint = { 'raster-brightness-max': brightness[theme], 'raster-fade-duration': 0 };
    return {
      version: 8,
      sources: { [SOURCE]: { type: 'raster', tiles, tileSize: 256, ...zooms, ...bounds } },
      layers: [{ id: 'raster', type: 'raster', source: SOURCE, paint }],
    };
  }
  return {
    version: 8,
    sources: { [SOURCE]: { type: 'vector', tiles, ...zooms, ...bounds } },
    layers: layers(SOURCE, flavorOf(theme), { lang: 'en' }).flatMap(withoutSprites),
  };
}

function withoutSprites(layer: Layer): object[] {
  if (layer.type !== 'symbol') return [layer];
  const { layout = {} } = layer;
  if (!('text-field' in layout) || layer.id === 'pois') return [];
  const kept = Object.entries(layout).filter(([name]) => !name.startsWith('icon-'));
  return [{ ...layer, layout: { ...Object.fromEntries(kept), 'text-font': FONT } }];
}

function flavorOf(theme: Settings['theme']): Flavor {
  if (theme === 'day') return namedFlavor('light');
  const dark = namedFlavor('dark');
  return theme === 'dusk' ? dark : dimmed(dark);
}

/** Colours for eyes adapted to the dark: about a third of the brightness, with red dimmed the least. */
function dimmed(flavor: Flavor): Flavor {
  const text = JSON.stringify(flavor).replaceAll(/#([0-9a-f]{6})\b/gi, (_, hex: string) => {
    const part = (at: number, share: number): string =>
      Math.round(Number.parseInt(hex.slice(at, at + 2), 16) * share)
        .toString(16)
        .padStart(2, '0');
    return `#${part(0, 0.5)}${part(2, 0.3)}${part(4, 0.28)}`;
  });
  return JSON.parse(text) as Flavor;
}
