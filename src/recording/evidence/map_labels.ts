import { escaped, visible } from './shown_text.ts';

/**
 * Approximate width and height of letters, pixels (Arial at 12 pixels). Exact widths are not known without the font.
 */
const LETTER_PX = 6.2;
const HIGH_PX = 13;
const MOST_LETTERS = 48;

type Xy = readonly [x: number, y: number];
type Box = { left: number; right: number; top: number; bottom: number };

/**
 * Places the labels of a map. Each label gets the first of its possible places where it covers no mark and no earlier
 * label. If it covers something at every place, it gets the first place. The caller labels marks before zones.
 */
export class MapLabels {
  readonly #taken: Box[] = [];
  readonly #texts: string[] = [];
  readonly #width: number;
  readonly #height: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  /** Keeps labels away from a mark. */
  keepOff([x, y]: Xy, px: number): void {
    this.#taken.push({ left: x - px, right: x + px, top: y - px, bottom: y + px });
  }

  /** Places a label. `placesOf` returns possible places, best first, each the centre of the text's lower edge. */
  put(text: string, placesOf: (halfPx: number) => readonly Xy[]): void {
    const shown = visible(text);
    const cut = [...shown].length > MOST_LETTERS ? `${[...shown].slice(0, MOST_LETTERS).join('')}…` : shown;
    const half = ([...cut].length * LETTER_PX) / 2;
    const boxes = placesOf(half).map(([x, y]) => this.#inside({ x, y }, half));
    const box = boxes.find((one) => this.#taken.every((other) => !overlap(one, other))) ?? boxes[0];
    if (!box) return;
    this.#taken.push(box);
    const [x, y] = [(box.left + box.right) / 2, box.bottom - 3];
    this.#texts.push(
      `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="middle" stroke="#fff" stroke-width="3" paint-order="stroke" stroke-linejoin="round">${escaped(cut)}</text>`,
    );
  }

  text(): string {
    return this.#texts.join('\n');
  }

  #inside({ x, y }: { x: number; y: number }, half: number): Box {
    const middle = Math.min(this.#width - half - 4, Math.max(half + 4, x));
    const bottom = Math.min(this.#height - 4, Math.max(HIGH_PX + 4, y));
    return { left: middle - half, right: middle + half, top: bottom - HIGH_PX, bottom };
  }
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
