import { Map as MapLibre, type RequestParameters, type StyleSpecification, setWorkerUrl } from 'maplibre-gl';
import type { BaseMap } from '../../model/base_map.ts';
import type { Settings } from '../state/setting_values.ts';
import type { Camera } from './camera.ts';
import { styleOf } from './tile_style.ts';

declare const TILE_WORKER: string;

/**
 * Names of renderers without a graphics processor. They draw tiles at half the resolution, in a quarter of the time.
 */
const softwareRenderer = /swiftshader|llvmpipe|software|basic render/i;
const ECONOMY_RATIO = 0.5;

export type TilesOptions = {
  map: BaseMap;
  theme: Settings['theme'];
  economy: Settings['economyMap'];
  camera: Camera;
  mount: '/api' | '/v1';
  headers: () => Record<string, string>;
  /** Receives a sentence about the first error of the base map, such as a tile that could not be drawn. */
  failed: (sentence: string) => void;
};

/** A base map below the canvases, drawn by MapLibre. It has no input handlers; it follows the console's camera. */
export class Tiles {
  readonly #map: MapLibre;

  constructor(container: HTMLElement, { map, theme, economy, camera, mount, headers, failed }: TilesOptions) {
    setWorkerUrl(TILE_WORKER);
    this.#map = new MapLibre({
      ...{
        container,
        style: styleOf(map, theme, mount) as StyleSpecification,
        interactive: false,
        attributionControl: false,
      },
      ...{ fadeDuration: 0, pitchWithRotate: false, validateStyle: false, trackResize: false },
      ...{ center: [camera.lon, camera.lat], zoom: camera.zoom, pixelRatio: ratioOf(economy) },
      transformRequest: (url): RequestParameters => ({ url, headers: headers() }),
    });
    this.#map.once('error', ({ error }) => failed(error.message));
  }

  follow({ lat, lon, zoom }: Camera): void {
    this.#map.jumpTo({ center: [lon, lat], zoom });
  }

  resize(): void {
    this.#map.resize();
  }

  remove(): void {
    this.#map.remove();
  }
}

/** Device pixels for one pixel of the map. */
function ratioOf(economy: Settings['economyMap']): number {
  const isEconomy = economy === 'on' || (economy === 'auto' && softwareRenderer.test(rendererName()));
  return isEconomy ? ECONOMY_RATIO : window.devicePixelRatio || 1;
}

function rendererName(): string {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  return String(info ? context?.getParameter(info.UNMASKED_RENDERER_WEBGL) : '');
}
