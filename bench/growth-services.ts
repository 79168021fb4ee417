import type { Ctx } from '#domain/base/context.ts';
import { mapStores } from '#domain/base/ports.ts';
import { FieldWatch } from '#domain/tracking/drift/field-watch.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { readerOf } from '#tests/harness/history.ts';
import type { BenchDatabase } from './database.ts';

const requestsPerMinute = 100_000;

/** The services of a scheduler at an instant, whose pace suffices for all of the work. */
export function growthServices(database: BenchDatabase, now: string): Ctx & CheckServices {
  const reader = readerOf(database, 1, now);
  const settings = {
    ...reader.settings,
    dailyRunAtMinutes: 120,
    billingEnabled: true,
    requestsPerMinute: mapStores(() => requestsPerMinute),
    hostRequestsPerMinute: { 'apps.apple.com': requestsPerMinute },
  };
  const wake = () => undefined;
  return { ...reader, settings, wake, fieldWatch: new FieldWatch() } as unknown as Ctx &
    CheckServices;
}
