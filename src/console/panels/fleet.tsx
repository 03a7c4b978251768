import { useEffect, useRef, useState } from 'preact/hooks';
import type { Command } from '../../model/command.ts';
import type { FleetRow, VerbState } from '../../model/fleet.ts';
import type { CommandParams } from '../../model/verb.ts';
import { calls } from '../api/calls.ts';
import { clock, forbidden, store } from '../console.ts';
import { centre } from '../map/view.ts';
import { ActButton, Fact, Facts, Reason } from '../parts/field.tsx';
import { attempt } from '../state/attempt.ts';
import { vehicleShown } from '../state/select.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';
import { clockText, durationText, heightFact, speedFact } from '../words/units.ts';
import { VerbForm } from './verb_form.tsx';

const safer: ReadonlySet<string> = new Set(['hold', 'return_home']);

/** Own vehicles, with the commands that each can execute now, or the reasons why not. */
export function FleetPanel() {
  const rows = store.fleet.list();
  return (
    <section aria-label={words.fleet}>
      {rows.length === 0 ? <p class="empty">{words.noVehicles}</p> : null}
      {rows.map((row) => (
        <VehicleCard key={row.key} row={row} />
      ))}
    </section>
  );
}

function VehicleCard({ row }: { row: FleetRow }) {
  const units = settings.value;
  const { position, velocity, energy_pct: energy } = row;
  const card = useRef<HTMLElement>(null);
  const isAsked = vehicleShown.value === row.key;
  useEffect(() => {
    if (!isAsked) return;
    vehicleShown.value = null;
    // After the panel has scrolled to its top, as it does whenever another tab is opened (`right.tsx`).
    setTimeout(() => {
      card.current?.scrollIntoView({ block: 'start' });
      card.current?.focus();
    });
  }, [isAsked]);
  const commands = [...store.commands.list()].filter(({ asset_id }) => asset_id === row.asset_id).reverse();
  return (
    <article class="card vehicle" ref={card} tabIndex={-1} aria-label={row.name}>
      <h3>
        <bdi>{row.name}</bdi>{' '}
        <span class="quiet">
          {row.connection} {words.age(clock.ageS(row.last_seen_at))}
        </span>
      </h3>
      <p>
        {row.readiness} · <span title={words.modeHint(row.mode)}>{row.mode ?? words.modeUnknown}</span> ·{' '}
        {row.landed.replace('_', ' ')} · {row.armed ? words.armed : words.disarmed}
      </p>
      {row.control.owner === 'pilot' || row.control.owner === 'other_gcs' ? (
        <p class="flag">{words.owner(row.control.owner)}</p>
      ) : null}
      <Facts>
        <Fact name={words.energy}>
          <meter min={0} max={100} low={25} value={energy ?? 0} />{' '}
          {energy === null ? words.unknown : `${Math.round(energy)} %`}{' '}
          {row.endurance_s === null ? '' : durationText(row.endurance_s)}
        </Fact>
        <Fact name={words.heightTakeoff}>{heightFact(position?.height_takeoff_m, units)}</Fact>
        <Fact name={words.speed}>{speedFact(velocity?.speed_mps, units)}</Fact>
      </Facts>
      {row.health.map(({ text, severity }) => (
        <p key={text} class={`flag ${severity}`}>
          {words.spoken(text)}
        </p>
      ))}
      {position ? (
        <button type="button" onClick={() => centre(position)}>
          {words.show}
        </button>
      ) : null}
      {row.asset_id === null ? <p class="reason">{words.notAdopted}</p> : <Verbs row={row} assetId={row.asset_id} />}
      {commands.slice(0, 3).map((command) => (
        <Outcome key={command.command_id} command={command} />
      ))}
    </article>
  );
}

function Outcome({ command }: { command: Command }) {
  return (
    <p class="outcome" role="status">
      {clockText(command.updated_at)} {words.verb(command.verb)}
      {command.by.type === 'system' ? ` ${words.ofPlan}` : ''}: {words.outcome(command.state, command.reason)}
    </p>
  );
}

function Verbs({ row, assetId }: { row: FleetRow; assetId: string }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const form = row.verbs.find(({ verb }) => verb === chosen);
  const order = async (verb: VerbState['verb'], params: CommandParams): Promise<void> => {
    const taken = await attempt(() => calls.command(assetId, { verb, params, reason: words.orderedHere }));
    // If the command is refused, or no answer comes, the form stays open with its content.
    if (taken !== null) setChosen((now) => (now === verb ? null : now));
  };
  return (
    <div>
      <div class="acts">
        {row.verbs.map(({ verb, available, text }) => {
          const isSafer = safer.has(verb);
          const why = (available || text === null ? null : words.spoken(text)) ?? forbidden(isSafer ? 'safer' : 'move');
          const press = (): void =>
            isSafer ? void order(verb, { kind: 'none' }) : setChosen(chosen === verb ? null : verb);
          return (
            <ActButton key={verb} whyNot={why} onPress={press}>
              {words.verb(verb)}
            </ActButton>
          );
        })}
      </div>
      <Reason>{forbidden('move')}</Reason>
      {form ? (
        <VerbForm key={form.verb} state={form} row={row} onOrder={(verb, params) => void order(verb, params)} />
      ) : null}
    </div>
  );
}
