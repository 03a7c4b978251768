import type { Zone } from '../../model/zone.ts';

/** Texts of zones, regions and their editor. */
export const areaWords = {
  zones: 'Zones',
  newZone: 'New zone',
  noZones: 'No zone is drawn: the box does not know what to protect.',
  regions: 'Regions',
  newRegion: 'New region',
  noRegions: 'No region is drawn: heights above ground are known only where a source reports them.',
  regionFacts: (groundM: number | null, tz: string, posture: string | null) =>
    [
      groundM === null ? 'ground not known' : `ground ${groundM} m above the ellipsoid (HAE)`,
      tz,
      ...(posture === null ? [] : [posture]),
    ].join(' · '),
  deleteRegion: 'Delete region',
  groundIsLost: 'Tracks over this region lose the height above ground that comes from it.',
  regionNameMissing: 'The region needs a name.',
  ground: 'Ground, m above the ellipsoid (empty: not known)',
  timeZone: 'Time zone',
  timeZoneMissing: 'The region needs a time zone.',
  posture: 'Posture',
  postureOfWorkspace: 'that of the workspace',
  firstView: 'What a map shows first',
  wholeRegion: 'The whole region.',
  viewOf: ({ lat, lon, zoom }: { lat: number; lon: number; zoom: number }) => `${lat}, ${lon}, zoom ${zoom}.`,
  takeView: 'Take the map as it stands',
  showWholeRegion: 'Whole region',
  editorStarts: 'The editor is loaded …',
  editorMissing: 'The editor could not be loaded from the box. A newer console may be installed: reload the page.',
  tryAgain: 'Try again',
  edit: 'Edit',
  delete: 'Delete …',
  deleteForGood: 'Delete zone',
  off: 'off',
  nowInactive: 'not active now',
  heights: (floor: number | null, ceiling: number | null, datum: Zone['datum']) =>
    floor === null && ceiling === null ? '' : `${floor ?? 'ground'}–${ceiling ?? 'open'} m ${datum.toUpperCase()}`,
  hoursOf: ({ from, to, tz }: { from: string; to: string; tz: string }) => `${from}–${to} ${tz}`,
  save: 'Save',
  undo: 'Undo',
  discard: 'Discard',
  name: 'Name',
  kind: 'Kind',
  choose: 'Choose …',
  kindMissing: 'The zone needs a kind.',
  kindHints: {
    protected: 'The place to protect: aircraft near it or in it score highest.',
    alert: 'Outer area: aircraft in it score 0.6 of those in a protected zone.',
    warning: 'Outermost area: aircraft in it score 0.3 of those in a protected zone.',
    keep_out: 'Own vehicles stay out of it. It says nothing about other aircraft.',
    keep_in: 'Own vehicles stay in it. It says nothing about other aircraft.',
    ignore: 'Nothing in it is alarmed, such as a road or a neighbour’s field.',
  } satisfies Record<Zone['kind'], string>,
  shape: 'Shape',
  radius: 'Radius, m',
  width: 'Width, m',
  floor: 'Floor, m (empty: ground)',
  ceiling: 'Ceiling, m (empty: open)',
  datum: 'Heights above',
  datums: { agl: 'ground (AGL)', msl: 'sea level (MSL)', hae: 'ellipsoid (HAE)' },
  heightLine: (of: 'floor' | 'ceiling' | 'ground', m: number | null, datum: Zone['datum'], openM: number | null) => {
    if (m === null && of === 'ground') return 'Ground: not known';
    if (m === null) return openM === null ? 'Ceiling: open' : `Open: ${openM} m AGL`;
    if (of === 'ground' && datum === 'agl') return 'Ground';
    return `${of === 'floor' ? 'Floor' : of === 'ceiling' ? 'Ceiling' : 'Ground'} ${Math.round(m)} m ${datum.toUpperCase()}`;
  },
  /** Text of a zone's side view, for people who cannot see it. */
  profile: (of: { floorM: number | null; ceilingM: number | null; datum: Zone['datum']; groundM: number | null }) => {
    const from = of.floorM === null ? 'from the ground' : `from ${of.floorM} m`;
    const to = of.ceilingM === null ? 'upwards, open above' : `to ${of.ceilingM} m`;
    const ground = of.groundM === null ? 'not known' : `at ${Math.round(of.groundM)} m`;
    const bounds = of.datum === 'agl' ? '' : ` The ground is ${ground}.`;
    return `Side view: the zone reaches ${from} ${to}. Heights are above ${areaWords.datums[of.datum]}.${bounds}`;
  },
  nothingDrawn: 'Tracks are shown once the outline is drawn.',
  tracksOver: (count: number, inside: number): string =>
    count === 0
      ? 'No track is over this outline.'
      : `${count === 1 ? '1 track is' : `${count} tracks are`} over this outline, ${inside} within its heights:`,
  heightOf: (number: string, m: number | null, side: string, datum: Zone['datum']): string =>
    m === null
      ? `${number}: no height, counts as inside`
      : `${number}: ${Math.round(m)} m ${datum.toUpperCase()}, ${side}`,
  alarmLevel: 'Alarm',
  alarmOn: 'An alert is raised when a track',
  transitions: { approach: 'approaches', enter: 'enters', dwell: 'stays inside', exit: 'leaves (log only)' },
  transitionMissing: 'Choose at least one event of the alarm.',
  dwell: 'Time inside, s',
  approach: 'Predicted time until entry, s',
  appliesTo: 'Applies to (none checked: to all)',
  hours: 'Hours',
  onlyAtHours: 'Active only at these hours',
  hoursFrom: 'From',
  hoursTo: 'To (earlier than From: the next day)',
  days: 'Days on which the hours begin',
  hoursMissing: 'The hours need a begin and an end, as HH:MM of 24 hours.',
  hoursEqual: 'The hours must not begin and end at the same time.',
  dayMissing: 'The hours need at least one day.',
  pasteGeojson: 'Paste GeoJSON',
  takeOutline: 'Take this outline',
  pasteFaults: {
    noJson: () => 'The text is no JSON.',
    noGeojson: () => 'The text is no GeoJSON.',
    oneFeature: () => 'A collection must have exactly one feature.',
    types: () => 'The GeoJSON must be a Polygon, a Point or a LineString.',
    oneRing: () => 'The Polygon must have one ring: holes cannot be edited here.',
    noCoordinates: () => 'The geometry has no coordinates.',
    badPosition: (index: number) => `Position ${index} must be [longitude, latitude] in degrees.`,
  },
  noCorridor: 'A region is a polygon or a circle.',
  enabled: 'Enabled',
  addPoint: 'Add point',
  clickCentre: 'Click the map, or type the centre. Drag it to move it.',
  clickPoints: 'Click the map for each point, or type it. Drag a point to move it.',
  manyParts: 'This outline has holes or several parts: it is kept, and cannot be edited here.',
  nameMissing: 'The zone needs a name.',
  nameDiffers: 'The name differs.',
  floorAboveCeiling: 'The floor must be below the ceiling.',
  pointsMissing: (least: number) =>
    `The outline needs ${least} ${least === 1 ? 'point' : 'points'} or more. A circle needs a radius, a corridor a width.`,
  typeName: (name: string) => `Type the zone’s name to delete it: ${name}`,
  latitude: (index: number) => `Latitude of point ${index}`,
  longitude: (index: number) => `Longitude of point ${index}`,
  crosses: 'crosses',
  removePoint: (index: number) => `Remove point ${index}`,
};
