import type { Zone } from '../../model/zone.ts';
import { store } from '../console.ts';
import { changeDraft, geometryOf, type ZoneDraft } from '../state/draft.ts';
import { words } from '../words/en.ts';
import { Checks, ClockTime, clockTime, Quantity } from './inputs.tsx';
import { middleOf, regionsOver } from './over.ts';

const transitions: readonly Zone['alarm']['on'][number][] = ['approach', 'enter', 'dwell', 'exit'];
const affiliations: readonly Zone['applies_to']['affiliations'][number][] = ['unknown', 'hostile', 'neutral', 'friend'];
type Day = NonNullable<Zone['schedule']>['days'][number];
const days: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
/** Hours that a schedule begins with. */
const FIRST_HOURS = { from: '08:00', to: '18:00' };

const change = changeDraft<ZoneDraft>;

/** Transitions that the zone reports, and the affiliations that it applies to. */
export function ZoneRules({ now }: { now: ZoneDraft }) {
  const { on, dwell_s: dwellS, eta_s: etaS } = now.alarm;
  const alarm = (part: Partial<Zone['alarm']>): void => change({ alarm: { ...now.alarm, ...part } });
  return (
    <>
      <Checks
        name={words.alarmOn}
        options={transitions}
        chosen={on}
        wordOf={words.transitions}
        onChange={(chosen) => alarm({ on: chosen })}
      />
      {on.includes('dwell') ? (
        <Quantity name={words.dwell} value={dwellS} onChange={(value) => alarm({ dwell_s: value ?? dwellS })} />
      ) : null}
      {on.includes('approach') ? (
        <Quantity name={words.approach} value={etaS} onChange={(value) => alarm({ eta_s: value ?? etaS })} />
      ) : null}
      <Checks
        name={words.appliesTo}
        options={affiliations}
        chosen={now.appliesTo.affiliations}
        onChange={(chosen) => change({ appliesTo: { ...now.appliesTo, affiliations: chosen } })}
      />
      <Hours now={now} />
    </>
  );
}

/** Hours of the zone; without them it is active at all times. */
function Hours({ now }: { now: ZoneDraft }) {
  const { schedule } = now;
  const first = () => ({ ...FIRST_HOURS, days: [...days], tz: timeZoneOf(now) });
  const toggle = (isOn: boolean): void => change({ schedule: isOn ? first() : null });
  return (
    <fieldset>
      <legend>{words.hours}</legend>
      <label class="check">
        <input type="checkbox" checked={schedule !== null} onChange={(event) => toggle(event.currentTarget.checked)} />
        {words.onlyAtHours}
      </label>
      {schedule === null ? null : <Schedule schedule={schedule} />}
    </fieldset>
  );
}

/** Time zone of the region that a zone is in; of the browser, which may be far away, if it is in none. */
function timeZoneOf(now: ZoneDraft): string {
  const geometry = geometryOf(now);
  const [region] = geometry === null ? [] : regionsOver(middleOf(geometry), store.regions.list());
  return region?.tz ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function Schedule({ schedule }: { schedule: NonNullable<Zone['schedule']> }) {
  const set = (part: Partial<NonNullable<Zone['schedule']>>): void => change({ schedule: { ...schedule, ...part } });
  return (
    <>
      <ClockTime name={words.hoursFrom} value={schedule.from} onChange={(from) => set({ from })} />
      <ClockTime name={words.hoursTo} value={schedule.to} onChange={(to) => set({ to })} />
      <Checks name={words.days} options={days} chosen={schedule.days} onChange={(chosen) => set({ days: chosen })} />
      <label>
        {words.timeZone}
        <input value={schedule.tz} onInput={(event) => set({ tz: event.currentTarget.value })} />
      </label>
    </>
  );
}

/** Reason why the alarm or the hours of a zone cannot be saved; null where they can. */
export function faultOfRules({ alarm, schedule }: ZoneDraft): string | null {
  if (alarm.on.length === 0) return words.transitionMissing;
  if (schedule === null) return null;
  if (!clockTime.test(schedule.from) || !clockTime.test(schedule.to)) return words.hoursMissing;
  if (schedule.from === schedule.to) return words.hoursEqual;
  return schedule.days.length === 0 ? words.dayMissing : null;
}
