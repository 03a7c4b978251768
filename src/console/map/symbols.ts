/** Address of the symbols' file; the build writes its hashed name here. */
declare const SYMBOLS: string;

type Finished = { svg: string; anchorX: number; anchorY: number; width: number; height: number };
/** Image of a symbol; the anchor is the pixel that lies on the place. */
export type Symbol = { image: HTMLImageElement; anchorX: number; anchorY: number; width: number; height: number };

const symbols = new Map<string, Symbol>();

/** Loads the symbols that the build drew. Calls `ready` once they can be drawn. */
export async function loadSymbols(ready: () => void): Promise<void> {
  const answer = await fetch(SYMBOLS);
  const finished = (await answer.json()) as Record<string, Finished>;
  await Promise.all(
    Object.entries(finished).map(async ([sidc, { svg, ...size }]) => {
      const image = new Image();
      image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
      await image.decode();
      symbols.set(sidc, { image, ...size });
    }),
  );
  ready();
}

/** The symbol of a code; undefined until the symbols are loaded. */
export function symbolOf(sidc: string): Symbol | undefined {
  return symbols.get(sidc);
}
