import type { ComponentChildren } from 'preact';
import { forbidden } from '../console.ts';
import { ActButton, Reason } from '../parts/field.tsx';
import { announce, attempt, refusal } from '../state/attempt.ts';
import { changeDraft, closeDraft, type Draft, geometryOf, leastPoints, markCrossing, undo } from '../state/draft.ts';
import { words } from '../words/en.ts';

type Props = {
  title: string;
  now: Draft;
  /** Reason why the fields of this form cannot be saved yet; null where they can. */
  fault: string | null;
  /** Sends the draft to the daemon. */
  write: () => Promise<unknown>;
  children: ComponentChildren;
};

/** Reason why a zone or region cannot be saved yet, from the fields that both have; null where it can. */
function whyNotSaved(now: Draft): string | null {
  if (now.name.trim() === '') return now.of === 'zone' ? words.nameMissing : words.regionNameMissing;
  return geometryOf(now) === null ? words.pointsMissing(leastPoints[now.shape]) : null;
}

async function save(name: string, write: () => Promise<unknown>): Promise<void> {
  const saved = await attempt(write);
  // After a refusal the drawing stays open.
  if (saved !== null) {
    announce(words.areaSaved(name));
    closeDraft();
  } else markCrossing(refusal.peek() ?? '');
}

/** Form of a drawn area: its name, the fields of its kind, and the buttons that end the drawing. */
export function AreaForm({ title, now, fault, write, children }: Props) {
  const why = forbidden('write') ?? whyNotSaved(now) ?? fault;
  return (
    <form class="act-form" aria-label={title} onSubmit={(event) => event.preventDefault()}>
      <label>
        {words.name}
        <input maxLength={120} value={now.name} onInput={(event) => changeDraft({ name: event.currentTarget.value })} />
      </label>
      {children}
      <div class="acts">
        <ActButton whyNot={why} onPress={() => void save(now.name, write)}>
          {words.save}
        </ActButton>
        <button type="button" onClick={undo}>
          {words.undo}
        </button>
        <button type="button" onClick={closeDraft}>
          {words.discard}
        </button>
      </div>
      <Reason>{why}</Reason>
    </form>
  );
}
