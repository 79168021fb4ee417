/** A kind of queued work: how it is named, how urgent it is and what it does. */
export interface Job<Work extends { kind: string }, Services> {
  kind: Work['kind'];
  /** The same work has the same id, so that adding it twice is adding it once. Without `:`. */
  idOf(work: Work): string;
  /** 1 goes first. */
  priorityOf(work: Work): number;
  run(services: Services, work: Work, signal: AbortSignal): Promise<void>;
}
