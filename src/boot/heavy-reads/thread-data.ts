import type { DomainSettings } from '#domain/base/context.ts';

/** The indexes of `readCounts`. */
export const countOf = { primary: 0, replica: 1 } as const;

/** The settings that can be copied to a thread, and the addresses of the database. */
export interface ThreadData {
  databaseUrl: string;
  /** A streaming replica for the reads; null without one. */
  replicaUrl: string | null;
  /** How many reads began at the primary, and how many at the replica. */
  readCounts: Int32Array<SharedArrayBuffer>;
  logLevel: string;
  settings: Omit<DomainSettings, 'endpoints' | 'egress'>;
}
