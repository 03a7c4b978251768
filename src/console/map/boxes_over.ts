import type { Box } from './labels.ts';

const buttons = '.map-tools button, .switch';

/** Boxes of the elements over the map, in the map's pixels: buttons, notices, and the attribution of the base map. */
export const boxesOver = (map: Element): Box[] => boxesOf(map, `${buttons}, .map-credit, .notices > *`);
export const buttonsOver = (map: Element): Box[] => boxesOf(map, buttons);

function boxesOf(map: Element, selector: string): Box[] {
  const { left: x, top: y } = map.getBoundingClientRect();
  return [...map.ownerDocument.querySelectorAll(selector)].flatMap((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const isShown = right > left && bottom > top;
    return isShown ? [{ left: left - x, top: top - y, right: right - x, bottom: bottom - y }] : [];
  });
}
