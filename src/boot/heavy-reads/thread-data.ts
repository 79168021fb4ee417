import type { DomainSettings } from '#domain/base/context.ts';

/** The settings that can be copied to a thread, and the address of the database. */
export interface ThreadData {
  databaseUrl: string;
  logLevel: string;
  settings: Omit<DomainSettings, 'endpoints' | 'egress'>;
}
