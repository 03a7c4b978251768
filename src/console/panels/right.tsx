import { useEffect, useRef } from 'preact/hooks';
import { store } from '../console.ts';
import { isWaiting } from '../state/approvable.ts';
import { selection, type Tab, tab } from '../state/select.ts';
import { words } from '../words/en.ts';
import { ApprovalsPanel } from './approvals.tsx';
import { FleetPanel } from './fleet.tsx';
import { HealthPanel } from './health.tsx';
import { Log } from './log.tsx';
import { Strip } from './timeline.tsx';
import { TrackPanel } from './track.tsx';
import { ZonesPanel } from './zones.tsx';

/** The right panel: track, approvals, fleet and health as tabs. */
export function RightPanel() {
  const waiting = store.engagements
    .list()
    .filter((one) => isWaiting(one) && one.candidates.some(({ feasible }) => feasible)).length;
  const dead = store.sensors.list().filter(({ state }) => state === 'silent' || state === 'fault').length;
  const ways = [...store.links.list(), ...store.outlets.list()];
  const failed = ways.filter(({ state }) => ['failed', 'backoff', 'refused'].includes(state)).length;
  const tabs: readonly { id: Tab; name: string; count: number }[] = [
    { id: 'track', name: words.track, count: 0 },
    { id: 'approvals', name: words.approvals, count: waiting },
    { id: 'fleet', name: words.fleet, count: 0 },
    { id: 'zones', name: words.zones, count: 0 },
    { id: 'health', name: words.health, count: dead + failed },
    // Shown on a phone alone, which has no room for the strip at the bottom.
    { id: 'log', name: words.log, count: 0 },
  ];
  const open = tab.value;
  const panel = useRef<HTMLElement>(null);
  const shown = `${open} ${selection.value?.id ?? ''}`;
  // Each content begins at its top, and not where the one before was scrolled to.
  useEffect(() => panel.current?.scrollTo(0, 0), [shown]);
  return (
    <aside class="right" ref={panel} aria-label={words.details}>
      <div class="tabs" role="tablist">
        {tabs.map(({ id, name, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            class={id === 'log' ? 'phone-only' : ''}
            aria-selected={id === open}
            aria-controls="right-panel"
            onClick={() => {
              tab.value = id;
            }}
          >
            {name} {count > 0 ? <span class="count">{count}</span> : null}
          </button>
        ))}
      </div>
      <div id="right-panel" role="tabpanel" aria-labelledby={`tab-${open}`}>
        <Content />
      </div>
    </aside>
  );
}

function Content() {
  switch (tab.value) {
    case 'approvals':
      return <ApprovalsPanel />;
    case 'fleet':
      return <FleetPanel />;
    case 'zones':
      return <ZonesPanel />;
    case 'health':
      return <HealthPanel />;
    case 'log':
      return (
        <section aria-label={words.log}>
          <Strip />
          <Log />
        </section>
      );
    case 'track': {
      const selected = selection.value;
      return selected === null ? (
        <p class="empty">{words.nothingSelected}</p>
      ) : (
        <TrackPanel key={selected.id} id={selected.id} />
      );
    }
  }
}
