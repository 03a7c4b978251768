import { computed, effect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { clock, store } from '../console.ts';
import { FindButton } from '../parts/find_button.tsx';
import { addPoint, draft, dragPoint } from '../state/draft.ts';
import { type Place as MeasuredPlace, measure, measurement, toggleMeasurement } from '../state/measure.ts';
import { givePlace, picking } from '../state/pick_place.ts';
import { isSmall } from '../state/screen.ts';
import { selection, selectTrack } from '../state/select.ts';
import { settings } from '../state/settings.ts';
import { words } from '../words/en.ts';
import { isCovered } from './area_names.ts';
import { drawAreas } from './areas.ts';
import { siteCentre } from './base_map.ts';
import { boxesOver, buttonsOver } from './boxes_over.ts';
import { type Camera, type Place, panned, project, type Spot, unproject, zoomed } from './camera.ts';
import { edgesOf, paddingBeside, wayOut } from './clear.ts';
import { coloursOf } from './colours.ts';
import { fitSite, sitePlaces } from './fit_site.ts';
import { credit, ground, startGround } from './ground.ts';
import type { Box } from './labels.ts';
import { Measure } from './measure.tsx';
import { drawOutline, hasOutline } from './outline.ts';
import { nextPicked, picked } from './pick.ts';
import { pickables } from './pickables.ts';
import { ringsOf } from './shapes.ts';
import { areasView, tracksView, trails } from './shown_rows.ts';
import { loadSymbols } from './symbols.ts';
import { startPointing, Tip } from './tip.tsx';
import { type Drawn, drawTracks } from './tracks.ts';
import { camera, keepClear, show } from './view.ts';

/** Minimum interval between two drawings of changed data, ms; a moving camera is drawn with each frame. */
const DRAW_EVERY_MS = 250;
/** Largest share of time for drawing changed data, so that a slow machine still answers the operator. */
const DRAW_SHARE = 0.25;
/** Areas are drawn once in so many drawings of tracks if only a sensor changed, or a symbol covers a name. */
const TRACKS_PER_AREAS = 4;
const WHEEL_PER_ZOOM = 400;
const STEP_PX = 80;

/**
 * Centre of the first protected zone, else the place of the first sensor that has one; null for neither. It is for
 * range rings and the choice of a base map.
 */
function centreOfSite(): Place | null {
  const zone = store.zones.list().find(({ kind }) => kind === 'protected');
  const ring = zone === undefined ? undefined : ringsOf(zone.geometry)[0];
  if (!ring) return store.sensors.list().find(({ placement }) => placement !== null)?.placement ?? null;
  const mean = (of: (place: Place) => number): number => ring.reduce((sum, place) => sum + of(place), 0) / ring.length;
  return { lat: mean(({ lat }) => lat), lon: mean(({ lon }) => lon) };
}

/**
 * Epoch of the world to which the view was fitted. Another world fits the view again, unless a person moved the map and
 * one of the new world's places is in view.
 */
let fittedEpoch: string | null = null;
let isMoved = false;

/** Epoch of the picture. Subscribers do not run for each batch, which changes only number and time of the picture. */
const epoch = computed(() => store.situation.value?.epoch);

/** Fits the view to the site of a world, once the world has places. */
function fitWorld(shown: string | undefined): void {
  const places = sitePlaces();
  if (shown === undefined || shown === fittedEpoch || camera.peek() === null || places.length === 0) return;
  const isFirst = fittedEpoch === null;
  fittedEpoch = shown;
  if (isFirst || !isMoved || !isInView(places)) show(places);
  isMoved = false;
}

/** Whether any of the places is on the map now. */
function isInView(places: readonly Place[]): boolean {
  const now = camera.peek();
  return places.some((place) => {
    if (now === null) return false;
    const [x, y] = project(now, place);
    return x >= 0 && y >= 0 && x <= now.widthPx && y <= now.heightPx;
  });
}

/** Sets the size of a canvas in device pixels, and returns its context scaled to CSS pixels. */
function contextOf(canvas: HTMLCanvasElement, { widthPx, heightPx }: Camera): CanvasRenderingContext2D | null {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(widthPx * ratio), Math.round(heightPx * ratio)];
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext('2d');
  context?.setTransform(ratio, 0, 0, ratio, 0, 0);
  context?.clearRect(0, 0, widthPx, heightPx);
  return context;
}

/** Pixels of the symbols of tracks, as the camera shows them now. */
const spotsOf = (drawn: readonly Drawn[], now: Camera): Spot[] =>
  drawn.flatMap(({ track: { position } }) => (position ? [project(now, position)] : []));

/** Draws the two canvases after changes. Returns a function that ends this. */
function startDrawing(
  areas: HTMLCanvasElement,
  tracks: HTMLCanvasElement,
  takeDrawn: (drawn: Drawn[], covered: readonly Box[]) => void,
): () => void {
  let frame = 0;
  let [nextTracksMs, nextAreasMs] = [0, 0];
  let names: readonly Box[] = [];
  let drawn: readonly Drawn[] = [];
  const dirty = { areas: true, sensors: false, tracks: true, camera: true };
  const paintAreas = (now: Camera, over: readonly Box[]): void => {
    const [context, colours] = [contextOf(areas, now), coloursOf(settings.peek().theme)];
    if (!context) return;
    if (ground.peek() === 'outline') drawOutline(context, now, colours);
    const around = { symbols: spotsOf(drawn, now), over };
    dirty.sensors = false;
    names = drawAreas(context, now, areasView(), settings.peek(), colours, around);
  };
  const paintTracks = (nowMs: number, now: Camera, over: readonly Box[]): void => {
    const context = contextOf(tracks, now);
    if (!context) return;
    const [shown, startMs] = [settings.peek(), performance.now()];
    const view = tracksView(names, [...over, ...edgesOf(now)]);
    const all = drawTracks(context, now, view, shown, coloursOf(shown.theme));
    drawn = all;
    takeDrawn(all, over);
    const pauseMs = Math.max(DRAW_EVERY_MS, (performance.now() - startMs) / DRAW_SHARE);
    nextTracksMs = nowMs + pauseMs;
    if (nowMs < nextAreasMs || !(dirty.sensors || isCovered(names, spotsOf(all, now)))) return;
    dirty.areas = true;
    nextAreasMs = nowMs + TRACKS_PER_AREAS * pauseMs;
  };
  const draw = (nowMs: number): void => {
    frame = requestAnimationFrame(draw);
    const now = camera.peek();
    const areTracksDue = dirty.camera || (dirty.tracks && nowMs >= nextTracksMs);
    if (!now || !(areTracksDue || dirty.areas)) return;
    const over = boxesOver(tracks);
    if (dirty.areas || dirty.camera) paintAreas(now, over);
    dirty.areas = dirty.camera = false;
    if (!areTracksDue) return;
    dirty.tracks = false;
    paintTracks(nowMs, now, over);
  };
  const stops = [
    effect(() => {
      void [camera.value, settings.value, ground.value, ground.value === 'outline' && hasOutline()];
      dirty.camera = true;
    }),
    effect(() => {
      void [store.zones.revision.value, store.regions.revision.value, draft.value];
      dirty.areas = true;
    }),
    effect(() => {
      void [store.zones.revision.value, store.regions.revision.value, store.sensors.revision.value];
      siteCentre.value = centreOfSite();
      fitWorld(epoch.value);
      dirty.sensors = dirty.tracks = true;
    }),
    effect(() => {
      void [store.engagements.revision.value, store.fleet.revision.value];
      void [store.alerts.revision.value];
      void [store.tracks.revision.value, store.threats.revision.value, selection.value, clock.second.value];
      trails.take(store.tracks.byId, settings.peek().trailS);
      dirty.tracks = true;
    }),
  ];
  void loadSymbols(() => {
    dirty.tracks = true;
  });
  frame = requestAnimationFrame(draw);
  return () => {
    cancelAnimationFrame(frame);
    for (const stop of stops) stop();
  };
}

/**
 * The map: areas and tracks on two canvases over a base map or the outline of the land. The keyboard reaches tracks by
 * their table.
 */
export function MapView() {
  const box = useRef<HTMLDivElement>(null);
  const base = useRef<HTMLDivElement>(null);
  const areas = useRef<HTMLCanvasElement>(null);
  const tracks = useRef<HTMLCanvasElement>(null);
  const drawn = useRef<Drawn[]>([]);
  useEffect(() => {
    const [element, baseElement] = [box.current, base.current];
    const [areasCanvas, tracksCanvas] = [areas.current, tracks.current];
    if (!element || !baseElement || !areasCanvas || !tracksCanvas) return;
    const sizes = new ResizeObserver(() => resize(element));
    sizes.observe(element);
    resize(element);
    const stopGround = startGround(baseElement);
    const found = (spot: Spot): string[] => picked(pickables(drawn.current, camera.peek()), spot);
    const pointing = startPointing(element, (spot) => (draft.peek() === null ? found(spot) : []));
    const stopDrawing = startDrawing(areasCanvas, tracksCanvas, (all, over) => {
      drawn.current = all;
      pointing.again();
      if (!pointing.isHeld()) uncover(all, over);
    });
    const stopMoving = startMoving(element, vertexAt, (spot) => {
      const now = camera.peek();
      if (now && (givePlace(unproject(now, spot)) || measure(placeAt(drawn.current, now, spot)))) return;
      if (draft.peek() !== null && now) {
        const { lat, lon } = unproject(now, spot);
        addPoint([round(lon), round(lat)]);
        return;
      }
      const id = nextPicked(found(spot), selection.peek()?.id ?? null);
      if (id !== null) selectTrack(id);
    });
    return () => {
      sizes.disconnect();
      stopDrawing();
      stopGround();
      stopMoving();
      pointing.stop();
    };
  }, []);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the arrow keys itself (WAI-ARIA 1.2).
    <div class="map" ref={box} role="application" aria-label={words.map} tabIndex={0}>
      <div class="map-base" ref={base} />
      <canvas ref={areas} />
      <canvas ref={tracks} />
      <Measure />
      <Tip />
      <p class="map-credit">{credit.value}</p>
      <div class="map-tools">
        <button type="button" onClick={fitSite}>
          {words.fit}
        </button>
        <button type="button" aria-label={words.zoomIn} onClick={() => zoomBy(1)}>
          +
        </button>
        <button type="button" aria-label={words.zoomOut} onClick={() => zoomBy(-1)}>
          −
        </button>
        {isSmall.value ? null : <FindButton />}
        <button type="button" aria-pressed={measurement.value !== null} onClick={toggleMeasurement}>
          {words.measure}
        </button>
      </div>
    </div>
  );
}

/** Time after the selection of a track during which the map may move for it, ms. Later the map would follow the track. */
const UNCOVERS_MS = 5_000;
let uncovered = { id: '', sinceMs: 0 };

/**
 * Moves the map so that no button or notice covers a track that was just selected, unless a person draws, measures or
 * picks.
 */
function uncover(drawn: readonly Drawn[], over: readonly Box[]): void {
  const [now, selected] = [camera.peek(), drawn.find(({ isSelected }) => isSelected)];
  const isUsed = draft.peek() !== null || measurement.peek() !== null || picking.peek() !== null;
  const id = selected?.track.id ?? '';
  if (uncovered.id !== id) uncovered = { id, sinceMs: performance.now() };
  if (now === null || selected === undefined || isUsed) return;
  if (performance.now() - uncovered.sinceMs > UNCOVERS_MS) return;
  const way = wayOut(selected.spot, over, now);
  if (way !== null) camera.value = panned(now, ...way);
}

/** Place of a click for a measurement. A click on a track's symbol gives the position of the track. */
function placeAt(drawn: readonly Drawn[], now: Camera, spot: Spot): MeasuredPlace {
  const found = picked(
    drawn.map(({ track: { id }, spot: at }) => ({ id, spot: at })),
    spot,
  )[0];
  const track = drawn.find((one) => one.track.id === found)?.track;
  if (!track?.position) return { ...unproject(now, spot), name: null };
  return { lat: track.position.lat, lon: track.position.lon, name: track.number };
}

/** Coordinates of a click, rounded to 1e-6 degrees, 0.1 m. */
const round = (deg: number): number => Math.round(deg * 1e6) / 1e6;

function resize(element: HTMLElement): void {
  const [widthPx, heightPx] = [element.clientWidth, element.clientHeight];
  const now = camera.peek();
  if (widthPx === 0 || heightPx === 0) return;
  camera.value = { ...(now ?? { lat: 20, lon: 0, zoom: 2 }), widthPx, heightPx };
  keepClear(paddingBeside(buttonsOver(element), { widthPx, heightPx }));
  if (now === null) fitWorld(epoch.peek());
}

/** Moves the map after a person's action. */
function moveTo(next: Camera): void {
  isMoved = true;
  camera.value = next;
}

const middleOf = ({ widthPx, heightPx }: Camera): Spot => [widthPx / 2, heightPx / 2];

function zoomBy(steps: number): void {
  const now = camera.peek();
  if (now) moveTo(zoomed(now, now.zoom + steps, middleOf(now)));
}

const keyPans: Record<string, readonly [number, number]> = {
  ArrowLeft: [STEP_PX, 0],
  ArrowRight: [-STEP_PX, 0],
  ArrowUp: [0, STEP_PX],
  ArrowDown: [0, -STEP_PX],
};

/** Distance at which a finger or a pointer takes a vertex, px. */
const VERTEX_PX = 14;

/** Function that moves the vertex of the drawn area at a spot; null where no vertex is there. */
function vertexAt(spot: Spot): ((to: Spot) => void) | null {
  const [now, drawn] = [camera.peek(), draft.peek()];
  if (now === null || drawn === null) return null;
  const apart = drawn.points.map(([lon, lat]) => {
    const [x, y] = project(now, { lat, lon });
    return Math.hypot(x - spot[0], y - spot[1]);
  });
  const nearest = apart.indexOf(Math.min(...apart));
  if (nearest < 0 || (apart[nearest] ?? VERTEX_PX) >= VERTEX_PX) return null;
  const drag = dragPoint(nearest);
  return (to) => {
    const { lat, lon } = unproject(now, to);
    drag([round(lon), round(lat)]);
  };
}

type Grab = (spot: Spot) => ((to: Spot) => void) | null;

/**
 * Follows dragging, wheel, pinch and keys. A press that moves less than 4 px is a click. What `grab` finds below the
 * first pointer is dragged instead of the map. Returns a function that ends this.
 */
function startMoving(element: HTMLElement, grab: Grab, click: (spot: Spot) => void): () => void {
  const pointers = new Map<number, Spot>();
  let grabbed: ((to: Spot) => void) | null = null;
  let movedPx = 0;
  const spotOf = (event: MouseEvent): Spot => {
    const { left, top } = element.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || (event.target as Element).closest('button')) return;
    pointers.set(event.pointerId, spotOf(event));
    if (pointers.size === 1) movedPx = 0;
    grabbed = pointers.size === 1 ? grab(spotOf(event)) : null;
    element.setPointerCapture(event.pointerId);
  };
  const move = (event: PointerEvent): void => {
    const before = pointers.get(event.pointerId);
    const now = camera.peek();
    if (!before || !now) return;
    const at = spotOf(event);
    const [dx, dy] = [at[0] - before[0], at[1] - before[1]];
    movedPx += Math.hypot(dx, dy);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, at);
    if (grabbed) {
      if (movedPx >= 4) grabbed(at);
    } else if (other) {
      const apart = (spot: Spot): number => Math.max(1, Math.hypot(spot[0] - other[0], spot[1] - other[1]));
      moveTo(zoomed(now, now.zoom + Math.log2(apart(at) / apart(before)), other));
    } else moveTo(panned(now, dx, dy));
  };
  const up = (event: PointerEvent): void => {
    const isClick = pointers.delete(event.pointerId) && movedPx < 4 && event.type === 'pointerup';
    if (isClick && grabbed === null) click(spotOf(event));
    if (pointers.size === 0) grabbed = null;
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const now = camera.peek();
    if (now) moveTo(zoomed(now, now.zoom - event.deltaY / WHEEL_PER_ZOOM, spotOf(event)));
  };
  const key = (event: KeyboardEvent): void => {
    const pan = keyPans[event.key];
    const now = camera.peek();
    if (!now || event.target !== element) return;
    if (pan) moveTo(panned(now, ...pan));
    else if (event.key === '+' || event.key === '=') zoomBy(1);
    else if (event.key === '-') zoomBy(-1);
    else return;
    event.preventDefault();
  };
  const ending = new AbortController();
  const { signal } = ending;
  element.addEventListener('pointerdown', down, { signal });
  element.addEventListener('pointermove', move, { signal });
  element.addEventListener('pointerup', up, { signal });
  element.addEventListener('pointercancel', up, { signal });
  element.addEventListener('wheel', wheel, { signal, passive: false });
  element.addEventListener('keydown', key, { signal });
  return () => ending.abort();
}
