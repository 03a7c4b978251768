import { useRef } from 'preact/hooks';

/** Distance from its start at which a press is called off, px: about the width of a button. */
const SLID_OFF_PX = 48;

type Pressed = { currentTarget: EventTarget; pointerId: number; clientX: number; clientY: number };
type Place = { clientX: number; clientY: number };

/**
 * Keeps a press on its button although the page moves meanwhile: a line that comes or goes above a button would else take
 * the button away from under the finger, and the press would be lost. To slide off still calls a press off.
 */
export function usePress() {
  const began = useRef<Place | null>(null);
  return {
    begin({ currentTarget, pointerId, clientX, clientY }: Pressed): void {
      try {
        (currentTarget as Element).setPointerCapture(pointerId);
      } catch {
        // The pointer of a program that helps a person is simulated, and cannot be captured.
      }
      began.current = { clientX, clientY };
    },
    isSlidOff({ clientX, clientY }: Place): boolean {
      const from = began.current;
      return from !== null && Math.hypot(clientX - from.clientX, clientY - from.clientY) > SLID_OFF_PX;
    },
    end(): void {
      began.current = null;
    },
  };
}
