/** URL of the symbols file; the build inserts its hashed name here. */
declare const SYMBOLS: string;

type Size = { anchorX: number; anchorY: number; width: number; height: number };
type Finished = Size & { svg: string };
/** Image of a symbol, with its size in CSS pixels. The anchor is the pixel at the track's position. */
export type TrackSymbol = Size & { image: HTMLCanvasElement };

const drawings = new Map<string, Size & { svg: HTMLImageElement }>();
/** Symbols rasterised at the current screen resolution, since a vector image would be rasterised with each drawing. */
const rasters = new Map<string, TrackSymbol>();
let rasterRatio = 0;

/** Loads the symbols that the build drew. Calls `ready` once they are usable. */
export async function loadSymbols(ready: () => void): Promise<void> {
  const answer = await fetch(SYMBOLS);
  const finished = (await answer.json()) as Record<string, Finished>;
  await Promise.all(
    Object.entries(finished).map(async ([sidc, { svg: text, ...size }]) => {
      const svg = new Image();
      svg.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
      await svg.decode();
      drawings.set(sidc, { svg, ...size });
    }),
  );
  ready();
}

/** The symbol of a code; undefined until the symbols are loaded. */
export function symbolOf(sidc: string): TrackSymbol | undefined {
  const ratio = window.devicePixelRatio || 1;
  if (ratio !== rasterRatio) rasters.clear();
  rasterRatio = ratio;
  const [known, drawing] = [rasters.get(sidc), drawings.get(sidc)];
  if (known || !drawing) return known;
  const symbol = rasterOf(drawing, ratio);
  rasters.set(sidc, symbol);
  return symbol;
}

function rasterOf({ svg, ...size }: Size & { svg: HTMLImageElement }, ratio: number): TrackSymbol {
  const image = document.createElement('canvas');
  [image.width, image.height] = [Math.ceil(size.width * ratio), Math.ceil(size.height * ratio)];
  const context = image.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.drawImage(svg, 0, 0, size.width, size.height);
  return { ...size, image, width: image.width / ratio, height: image.height / ratio };
}
