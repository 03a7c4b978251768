import { useState } from 'preact/hooks';
import { calls } from '../api/calls.ts';
import { Dialog } from '../parts/dialog.tsx';
import { signedIn } from '../state/session.ts';
import { words } from '../words/en.ts';
import { asSentence } from '../words/units.ts';

/**
 * Sign-in over the dimmed picture. The form keeps its content if the daemon refuses it. `onClose` is null where a
 * credential is needed.
 */
export function SignIn({ onClose }: { onClose: (() => void) | null }) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [sentence, setSentence] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (username.trim() === '' || password === '') {
      setSentence(words.signInMissing);
      return;
    }
    setBusy(true);
    try {
      signedIn(await calls.signIn(username, password));
      onClose?.();
    } catch (thrown) {
      setSentence(thrown instanceof Error ? thrown.message : String(thrown));
    }
    setBusy(false);
  };
  return (
    <Dialog title={words.signIn} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <label>
          {words.userName}
          <input autocomplete="username" value={username} onInput={(event) => setUsername(event.currentTarget.value)} />
        </label>
        <label>
          {words.password}
          <input
            type="password"
            autocomplete="current-password"
            value={password}
            onInput={(event) => setPassword(event.currentTarget.value)}
          />
        </label>
        {/* Always there: the fields must not move when the daemon refuses. */}
        <p class="fault" role="alert">
          {sentence === null ? '' : asSentence(sentence)}
        </p>
        <button type="submit" disabled={isBusy}>
          {words.signIn}
        </button>
      </form>
    </Dialog>
  );
}
