/** Fields of an event as they stand in its XML or protobuf, before they are checked. NaN is a number that does not stand there. */
export type RawEvent = {
  uid: string;
  type: string;
  how: string;
  /** Operation, exercise or simulation; empty where the sender says nothing. */
  opex: string;
  /** UTC ms; NaN where the time is missing or is none. */
  timeMs: number;
  startMs: number;
  staleMs: number;
  point: RawPoint | null;
  detail: RawDetail;
};

/** Null is a text that is no number. */
export type RawNumber = number | null;

export type RawPoint = { lat: RawNumber; lon: RawNumber; hae: RawNumber; ce: RawNumber; le: RawNumber };

/** Content of `detail` that is read. Only its own children count: a `track` inside of another element is about something else. */
export type RawDetail = {
  callsign: string | null;
  remarks: string | null;
  course: RawNumber;
  speed: RawNumber;
  /** Names of the systems that the event passed through (`_flow-tags_`). */
  flows: readonly string[];
};

export const noDetail: RawDetail = {
  callsign: null,
  remarks: null,
  course: Number.NaN,
  speed: Number.NaN,
  flows: [],
};
