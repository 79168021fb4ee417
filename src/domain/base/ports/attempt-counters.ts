/** A limit: a number of attempts in a window that begins with the first one. */
export interface AttemptKind {
  name: string;
  limit: number;
  windowMs: number;
}

/** `took` is false when the window was full: nothing was counted then. */
export interface AttemptResult {
  kind: AttemptKind;
  /** The client or the target of the attempts. */
  key: string;
  allowed: boolean;
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

/** Counts sign-in attempts exactly, under concurrency and across processes. */
export interface AttemptCounters {
  /** Several processes count together, so another one may have filled a window. */
  readonly isShared: boolean;
  take(kind: AttemptKind, key: string): Promise<AttemptResult>;
  /** Releases an attempt in the window that counted it, while that is open. */
  release(taken: AttemptResult): Promise<void>;
  /** The full windows of a kind; at most 10,000. */
  listFull(kind: AttemptKind): Promise<FullWindow[]>;
  close(): Promise<void>;
}
