/** Unchecked fields of an event, as in its XML or protobuf. NaN stands for a number that is absent. */
export type RawEvent = {
  uid: string;
  type: string;
  how: string;
  /** Marks an operation, exercise or simulation; empty if the sender states nothing. */
  opex: string;
  /** Times in UTC ms; NaN if a time is missing or invalid. */
  timeMs: number;
  startMs: number;
  staleMs: number;
  point: RawPoint | null;
  detail: RawDetail;
};

/** Number; NaN if it is absent; null if its text is no number. */
export type RawNumber = number | null;

export type RawPoint = { lat: RawNumber; lon: RawNumber; hae: RawNumber; ce: RawNumber; le: RawNumber };

/**
 * Content of `detail` that is read. Only direct children count: a `track` inside another element describes something
 * else.
 */
export type RawDetail = {
  callsign: string | null;
  remarks: string | null;
  course: RawNumber;
  speed: RawNumber;
  /** Names of the systems that forwarded the event (`_flow-tags_`). */
  flows: readonly string[];
};

export const noDetail: RawDetail = {
  callsign: null,
  remarks: null,
  course: Number.NaN,
  speed: Number.NaN,
  flows: [],
};
