import { forbidden } from '../console.ts';
import { settings } from '../state/settings.ts';
import { stopAll } from '../state/stop_all.ts';
import { words } from '../words/en.ts';
import { HoldButton } from './hold_button.tsx';

const HOLD_MS = 1_000;

/**
 * STOP ALL, in the top bar and in each dialog, since a dialog disables the page behind it. `hasKey`: Shift+X holds this
 * button; true for one button at a time.
 */
export function StopAllButton({ hasKey }: { hasKey: boolean }) {
  return (
    <HoldButton
      class="stop"
      {...(hasKey ? { holdKey: 'X' } : {})}
      holdMs={HOLD_MS}
      tooShort={words.notStopped}
      whyNot={forbidden('safer')}
      onConfirmed={() => void stopAll()}
    >
      {words.stopAll}
      {/* The title names it for screen readers. */}
      <small aria-hidden="true">
        {settings.value.confirmBy === 'press_twice' ? words.pressTwice : words.holdShort(HOLD_MS / 1_000)}
      </small>
    </HoldButton>
  );
}
