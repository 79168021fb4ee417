/** What is throttled: so many in a window, which begins with the first of them. */
export interface AttemptKind {
  name: string;
  limit: number;
  windowMs: number;
}

/** `took` is false when the window was full: then nothing was counted. */
export interface AttemptTaken {
  kind: AttemptKind;
  /** Who tried, or what was tried. */
  key: string;
  took: boolean;
  used: number;
  /** By the counters' own clock, in milliseconds. */
  endsMs: number;
  /** Until the window ends, in milliseconds. */
  restMs: number;
}

export interface FullWindow {
  key: string;
  restMs: number;
}

/** Attempts to get in. Exact, however many are counted at once and by however many processes. */
export interface AttemptCounters {
  /** Several processes count together: what is full here may have been filled by another one. */
  readonly isShared: boolean;
  take(kind: AttemptKind, key: string): Promise<AttemptTaken>;
  /** It was none after all. Gives back to the window that it was taken from, while that is open. */
  giveBack(taken: AttemptTaken): Promise<void>;
  /** The windows of a kind that are full now; at most 10,000. */
  listFull(kind: AttemptKind): Promise<FullWindow[]>;
  close(): Promise<void>;
}
