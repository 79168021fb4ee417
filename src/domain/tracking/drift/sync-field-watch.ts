import {
  addFieldCounts,
  listFieldHistories,
  type FieldHistoryRow,
} from '#db/queries/drift/field-days.ts';
import {
  acceptDrifts,
  beginDrifts,
  endDrifts,
  endDriftsWithoutLoss,
  listOpenDrifts,
} from '#db/queries/drift/field-drifts.ts';
import type { Services } from '#domain/base/context.ts';
import { addDays, utcDayOf, type UtcDay } from '#lib/dates.ts';
import { isSameField } from './describe-drifts.ts';
import type { FieldWatch, SourceField } from './field-watch.ts';

/** The alert in the log, which operators search for. */
const alert = 'store.field.drifting';
const historyDays = { days: 14, within: 28 };
/** A field that drifts for so long is how the store is. */
const acceptedAfterMs = 28 * 86_400_000;

type WatchServices = Pick<Services, 'systemDb' | 'clock' | 'log'> & { fieldWatch: FieldWatch };

/**
 * Writes the counts of this process, begins and ends drifts, and takes over those of other
 * processes. With a new day it loads the histories and reports the drifts that go on.
 */
export async function syncFieldWatch(services: WatchServices): Promise<void> {
  const { systemDb, clock, fieldWatch } = services;
  const now = clock.now();
  const day = utcDayOf(now);
  const isNewDay = fieldWatch.historyDay !== day;
  const hasCounts = await saveFieldCounts(services);
  if (!hasCounts && !isNewDay) return;
  const begun = await saveTransitions(services, now);
  if (isNewDay) await beginDay(services, day, now);
  const open = await listOpenDrifts(systemDb);
  fieldWatch.setStoredDrifts(open);
  const isOld = (drift: SourceField) => begun.every((of) => !isSameField(of, drift));
  if (isNewDay) for (const drift of open.filter(isOld)) reportDrift(services, drift);
}

/** Writes the counts of this process; those that cannot be written stay for the next time. */
export async function saveFieldCounts({ systemDb, fieldWatch }: WatchServices): Promise<boolean> {
  const counts = fieldWatch.takeCounts();
  try {
    if (counts.length > 0) await addFieldCounts(systemDb, counts);
    return counts.length > 0;
  } catch (error) {
    fieldWatch.returnCounts(counts);
    throw error;
  }
}

/** Returns the drifts that it began. */
async function saveTransitions(services: WatchServices, now: Date): Promise<SourceField[]> {
  const { systemDb, fieldWatch } = services;
  const { began, ended } = fieldWatch.listTransitions();
  const begun = began.length > 0 ? await beginDrifts(systemDb, began, now) : [];
  for (const of of begun) reportDrift(services, of);
  if (ended.length > 0) reportEnd(services, await endDrifts(systemDb, ended, now));
  return begun;
}

async function beginDay(services: WatchServices, day: UtcDay, now: Date): Promise<void> {
  const { systemDb, fieldWatch, log } = services;
  reportEnd(services, await endDriftsWithoutLoss(systemDb, addDays(day, -1), now));
  const before = new Date(now.getTime() - acceptedAfterMs);
  for (const of of await acceptDrifts(systemDb, before, now))
    log.warn({ alert, ...of }, 'a field drifted for four weeks; its missing values now count');
  const histories: FieldHistoryRow[] = await listFieldHistories(systemDb, day, historyDays);
  fieldWatch.setHistories(day, histories);
}

function reportDrift({ log }: WatchServices, { store, source, field }: SourceField): void {
  log.error(
    { alert, store, source, field },
    'a store no longer sends a field as before; known values stay until it does',
  );
}

function reportEnd({ log }: WatchServices, fields: readonly SourceField[]): void {
  for (const of of fields) log.info({ ...of }, 'a store sends a field again');
}
