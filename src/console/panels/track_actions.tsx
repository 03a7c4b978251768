import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Threat } from '../../model/threat.ts';
import type { Track } from '../../model/track.ts';
import { calls } from '../api/calls.ts';
import { saveFile } from '../api/save_file.ts';
import { clock, forbidden } from '../console.ts';
import { ActButton, Choice, Reason, SubmitButton } from '../parts/field.tsx';
import { announce, attempt } from '../state/attempt.ts';
import { openTrackForm, type TrackForm, takeNewForm, trackForm } from '../state/select.ts';
import { words } from '../words/en.ts';

const dismissals = ['bird', 'clutter', 'known flight', 'own aircraft'] as const;
/** Time limits of a dismissal, min; null for none. */
const periods = { '15 min': 15, '30 min': 30, '1 h': 60, 'until cleared': null } as const;
type Period = keyof typeof periods;
const periodNames = Object.keys(periods) as Period[];
const affiliations = ['friend', 'neutral', 'unknown', 'hostile'] as const;

/** World time `minutes` from now as text; null for no end. */
function endOf(minutes: number | null): string | null {
  const now = clock.nowMs();
  return minutes === null || now === null ? null : new Date(now + minutes * 60_000).toISOString();
}

/** Actions of a person about a track. A form keeps its content if the daemon refuses it. */
export function TrackActions({ track, threat }: { track: Track; threat: Threat | undefined }) {
  const form = trackForm.value;
  const why = forbidden('write');
  const toggle = (name: TrackForm): void => openTrackForm(form === name ? null : name);
  const close = (): void => openTrackForm(null);
  return (
    <section class="actions" data-form={form !== null}>
      <h3>{words.actions}</h3>
      <div class="acts">
        <ActButton whyNot={why} onPress={() => void propose(track)}>
          {words.investigate}
        </ActButton>
        {threat && threat.dismissed === null ? (
          <ActButton whyNot={why} onPress={() => toggle('dismiss')}>
            {words.dismiss}
          </ActButton>
        ) : null}
        {threat?.dismissed ? (
          <ActButton whyNot={why} onPress={() => void takeBack(track)}>
            {words.takeBack}
          </ActButton>
        ) : null}
        <ActButton whyNot={why} onPress={() => toggle('drop')}>
          {words.drop}
        </ActButton>
        <ActButton whyNot={why} onPress={() => toggle('affiliation')}>
          {words.setAffiliation}
        </ActButton>
        <ActButton whyNot={forbidden('see')} onPress={() => void attempt(() => saveFile(`evidence/${track.id}`))}>
          {words.evidence}
        </ActButton>
      </div>
      <Reason>{why}</Reason>
      {form === 'dismiss' ? <DismissForm track={track} onDone={close} /> : null}
      {form === 'affiliation' ? <AffiliationForm track={track} onDone={close} /> : null}
      {form === 'drop' ? <DropForm track={track} onDone={close} /> : null}
    </section>
  );
}

/** Requests plans, and announces where they are: they are on another tab, and may have been there before. */
async function propose({ id, number }: Track): Promise<void> {
  const made = await attempt(() => calls.propose(id));
  if (made !== null) announce(words.plansProposed(number, made.candidates.filter(({ feasible }) => feasible).length));
}

async function takeBack({ id, number }: Track): Promise<void> {
  if ((await attempt(() => calls.takeBack(id))) !== null) announce(words.dismissalTakenBack(number));
}

/** Sentence for a form without a reason; null where there is one. */
const missingReason = (reason: string): string | null => (reason.trim() === '' ? words.reasonMissing : null);

type FormProps = { track: Track; onDone: () => void };

/** Sends a form, and announces what was done, because the form disappears. */
async function send(act: () => Promise<unknown>, said: string, onDone: () => void): Promise<void> {
  if ((await attempt(act)) === null) return;
  announce(said);
  onDone();
}

/** Brings a form that was opened into view, and gives its first field the focus. */
function useOpened(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!takeNewForm()) return;
    form.current?.scrollIntoView({ block: 'nearest' });
    form.current?.querySelector('input')?.focus({ preventScroll: true });
  }, []);
  return form;
}

function DismissForm({ track, onDone }: FormProps) {
  const form = useOpened();
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const [period, setPeriod] = useState<Period>('30 min');
  const reason = chosen ?? typed;
  const missing = missingReason(reason);
  return (
    <form
      ref={form}
      class="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null) {
          const said = words.trackDismissed(track.number, reason);
          void send(() => calls.dismissThreat(track.id, reason, endOf(periods[period])), said, onDone);
        }
      }}
    >
      <h4>{words.dismissTrack(track.number)}</h4>
      <Choice name="why" legend={words.reason} options={dismissals} chosen={chosen} onChosen={setChosen}>
        <label>
          {words.otherReason}
          <input
            maxLength={200}
            value={typed}
            onInput={(event) => {
              setTyped(event.currentTarget.value);
              setChosen(null);
            }}
          />
        </label>
      </Choice>
      <Choice name="period" legend={words.howLong} options={periodNames} chosen={period} onChosen={setPeriod} />
      <p class="quiet">{words.dismissalEnds}</p>
      <SubmitButton missing={missing}>{words.dismissFor(period)}</SubmitButton>
    </form>
  );
}

function AffiliationForm({ track, onDone }: FormProps) {
  const form = useOpened();
  const [affiliation, setAffiliation] = useState<Track['affiliation']>(track.affiliation);
  const [reason, setReason] = useState('');
  const [minutes, setMinutes] = useState<number | null>(60);
  const missing = missingReason(reason);
  return (
    <form
      ref={form}
      class="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null)
          void send(
            () => calls.setAffiliation(track.id, affiliation, reason, endOf(minutes)),
            words.affiliationSet(track.number, affiliation),
            onDone,
          );
      }}
    >
      <Choice
        name="affiliation"
        legend={words.setAffiliation}
        options={affiliations}
        chosen={affiliation}
        onChosen={setAffiliation}
      />
      <label>
        {words.reason}
        <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <label>
        {words.minutes}
        <input
          type="number"
          min={1}
          value={minutes ?? ''}
          onInput={({ currentTarget: { value } }) => setMinutes(value === '' ? null : Number(value))}
        />
      </label>
      <SubmitButton missing={missing}>{words.setAffiliation}</SubmitButton>
    </form>
  );
}

function DropForm({ track, onDone }: FormProps) {
  const form = useOpened();
  const [reason, setReason] = useState('');
  const missing = missingReason(reason);
  return (
    <form
      ref={form}
      class="act-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (missing === null) void send(() => calls.drop(track.id, reason), words.trackDropped(track.number), onDone);
      }}
    >
      <label>
        {words.reason}
        <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      </label>
      <SubmitButton missing={missing}>{words.drop}</SubmitButton>
    </form>
  );
}
