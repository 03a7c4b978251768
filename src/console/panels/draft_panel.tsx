import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { closeDraft, type Draft } from '../state/draft.ts';
import { words } from '../words/en.ts';

/** The editor's chunk; null until it is loaded. */
const loaded = signal<typeof import('../editor/area_editor.tsx') | null>(null);
const sentence = signal<string | null>(null);

async function load(): Promise<void> {
  if (loaded.peek() !== null) return;
  sentence.value = null;
  try {
    loaded.value = await import('../editor/area_editor.tsx');
  } catch {
    sentence.value = words.editorMissing;
  }
}

/** The editor of a drawn area. Its chunk is loaded when the first area is drawn. */
export function DraftPanel({ draft }: { draft: Draft }) {
  useEffect(() => void load(), []);
  if (loaded.value !== null) return <loaded.value.AreaEditor draft={draft} />;
  if (sentence.value === null) return <p class="empty">{words.editorStarts}</p>;
  return (
    <section>
      <p class="reason">{sentence.value}</p>
      <div class="acts">
        <button type="button" onClick={() => void load()}>
          {words.tryAgain}
        </button>
        <button type="button" onClick={closeDraft}>
          {words.discard}
        </button>
      </div>
    </section>
  );
}
