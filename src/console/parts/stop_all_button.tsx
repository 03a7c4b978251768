import { forbidden } from '../console.ts';
import { stopAll } from '../state/stop_all.ts';
import { words } from '../words/en.ts';
import { HoldButton } from './hold_button.tsx';

/**
 * STOP ALL, in the top bar and in each dialog, since a dialog disables the page behind it. `hasKey`: Shift+X holds this
 * button; true for one button at a time.
 */
export function StopAllButton({ hasKey }: { hasKey: boolean }) {
  return (
    <HoldButton
      class="stop"
      {...(hasKey ? { holdKey: 'X' } : {})}
      holdMs={1_000}
      tooShort={words.notStopped}
      whyNot={forbidden('safer')}
      onConfirmed={() => void stopAll()}
    >
      {words.stopAll}
    </HoldButton>
  );
}
