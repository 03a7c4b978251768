import { useEffect, useRef, useState } from 'preact/hooks';
import { store } from '../console.ts';
import { isWaiting } from '../state/approvable.ts';
import { draft } from '../state/draft.ts';
import { isSmall } from '../state/screen.ts';
import { selection, type Tab, tab } from '../state/select.ts';
import { words } from '../words/en.ts';
import { AlertsPanel } from './alerts.tsx';
import { ApprovalsPanel } from './approvals.tsx';
import { FleetPanel } from './fleet.tsx';
import { HealthPanel } from './health.tsx';
import { Log } from './log.tsx';
import { SheetHandle } from './sheet_handle.tsx';
import { ThreatsPanel } from './threats.tsx';
import { Strip } from './timeline.tsx';
import { TrackPanel } from './track.tsx';
import { ZonesPanel } from './zones.tsx';

const names: Record<Tab, string> = {
  threats: words.threats,
  alerts: words.alerts,
  track: words.track,
  approvals: words.approvals,
  fleet: words.fleet,
  zones: words.zones,
  health: words.health,
  log: words.log,
};

const tabsBesideMap: readonly Tab[] = ['track', 'approvals', 'fleet', 'zones', 'health'];
const tabsOfSheet: readonly Tab[] = ['threats', 'alerts', 'track', 'approvals'];
/** Tabs of a small screen behind "More". */
const moreTabs: readonly Tab[] = ['fleet', 'zones', 'health', 'log'];

/** Tabs with a count. Each keeps the room of its count, so that no tab moves under the pointer when one appears. */
const countedTabs: readonly Tab[] = ['threats', 'alerts', 'approvals', 'health'];
const MOST_COUNTED = 99;

/** Number of things in a tab that wait for a person; 0 for a tab that has no such things. */
function waitingIn(tab: Tab): number {
  switch (tab) {
    case 'threats':
      return store.threats.list().filter(({ level }) => level !== 'none').length;
    case 'alerts':
      return store.alerts.list().filter(({ state, acknowledged }) => state === 'active' && acknowledged === null)
        .length;
    case 'approvals':
      return store.engagements.list().filter((one) => isWaiting(one) && one.candidates.some((of) => of.feasible))
        .length;
    case 'health': {
      const dead = store.sensors.list().filter(({ state }) => state === 'silent' || state === 'fault');
      // A failed link with a dead sensor is one fault, not two.
      const counted = new Set(dead.map(({ link_id }) => link_id));
      const ways = [...store.links.list(), ...store.outlets.list()].filter(({ id }) => !counted.has(id));
      return dead.length + ways.filter(({ state }) => ['failed', 'backoff', 'refused'].includes(state)).length;
    }
    default:
      return 0;
  }
}

/** Whether a list has a critical row that waits: on a small screen only its tab is in view. */
function isCriticalIn(tab: Tab): boolean {
  if (tab === 'threats')
    return store.threats.list().some(({ level, dismissed }) => level === 'critical' && dismissed === null);
  if (tab !== 'alerts') return false;
  return store.alerts
    .list()
    .some(
      ({ state, acknowledged, severity }) => state === 'active' && acknowledged === null && severity === 'critical',
    );
}

/** The panel with tabs, right of the map. On a small screen it is below the map, and also has threats and alerts. */
export function RightPanel() {
  const isSheet = isSmall.value;
  const [isMore, setMore] = useState(false);
  const here = isSheet ? [...tabsOfSheet, ...moreTabs] : tabsBesideMap;
  const open = here.includes(tab.value) ? tab.value : 'track';
  const panel = useRef<HTMLDivElement>(null);
  const shown = `${open} ${selection.value?.id ?? ''}`;
  // Each tab and each track begins at its top, and not where the previous content was scrolled to.
  useEffect(() => panel.current?.scrollTo(0, 0), [shown]);
  const hasMore = isMore || moreTabs.includes(open);
  const more = moreTabs.reduce((sum, id) => sum + waitingIn(id), 0);
  return (
    <aside class="right" aria-label={words.details}>
      {isSheet ? <SheetHandle /> : null}
      <div class="tabs">
        <TabList tabs={isSheet ? tabsOfSheet : tabsBesideMap} open={open} />
        {isSheet ? (
          <button type="button" class="more-tabs" aria-expanded={hasMore} onClick={() => setMore(!hasMore)}>
            {words.moreTabs} {hasMore || more === 0 ? null : <span class="count">{more}</span>}
          </button>
        ) : null}
        {isSheet && hasMore ? <TabList tabs={moreTabs} open={open} /> : null}
      </div>
      <div id="right-panel" class="tab-panel" ref={panel} role="tabpanel" aria-labelledby={`tab-${open}`}>
        <Content tab={open} />
      </div>
    </aside>
  );
}

function TabList({ tabs, open }: { tabs: readonly Tab[]; open: Tab }) {
  return (
    <div class="tab-list" role="tablist" onKeyDown={(event) => moveTab(event, tabs)}>
      {tabs.map((id) => (
        <TabButton key={id} id={id} isOpen={id === open} />
      ))}
    </div>
  );
}

/** Opens the next or previous tab at an arrow key, and gives it the focus (WAI-ARIA, tabs pattern). */
function moveTab(event: KeyboardEvent, tabs: readonly Tab[]): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const at = tabs.findIndex((id) => event.target instanceof Element && event.target.id === `tab-${id}`);
  const next = tabs[(at + by + tabs.length) % tabs.length];
  if (by === 0 || at < 0 || next === undefined) return;
  event.preventDefault();
  tab.value = next;
  document.getElementById(`tab-${next}`)?.focus();
}

/** One tab. It is a component of its own, so that a change of its count does not draw the other tabs again. */
function TabButton({ id, isOpen }: { id: Tab; isOpen: boolean }) {
  const waiting = waitingIn(id);
  return (
    <button
      type="button"
      role="tab"
      id={`tab-${id}`}
      aria-selected={isOpen}
      aria-controls="right-panel"
      onClick={() => {
        tab.value = id;
      }}
    >
      {names[id]}
      {id === 'zones' && draft.value !== null ? <span title={words.draftOpen}> ✎</span> : null}{' '}
      {countedTabs.includes(id) ? (
        <span class="count" data-none={waiting === 0} data-critical={isCriticalIn(id)}>
          {waiting > MOST_COUNTED ? `${MOST_COUNTED}+` : waiting}
        </span>
      ) : null}
    </button>
  );
}

function Content({ tab }: { tab: Tab }) {
  switch (tab) {
    case 'threats':
      return <ThreatsPanel />;
    case 'alerts':
      return <AlertsPanel />;
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
