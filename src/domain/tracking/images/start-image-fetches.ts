import { hash } from 'node:crypto';
import {
  rescheduleImage,
  saveImage,
  takeDueImages,
  type DueImage,
} from '#db/queries/images/images.ts';
import { findRun } from '#db/queries/runs/runs.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { pacingMarkers, StoreError, storeNames, type StoreName } from '#domain/base/ports.ts';
import { utcDayOf } from '#lib/dates.ts';
import { noteSnapshotImages } from './note-snapshot-images.ts';

const batchSize = 5;
/** Longer than a batch takes at a slow pace. */
const leaseMs = 5 * 60_000;
const minute = 60_000;
const longestDelayMs = 1_440 * minute;
const retryDelaysMs = [minute, 10 * minute, 60 * minute, 360 * minute, longestDelayMs];
/** Images that somebody looks at come before other icons and screenshots. */
const lookedAt = 0;
const anyPriority = 2;

interface Fetches {
  stop: AbortController;
  running: Map<StoreName, Promise<void>>;
}

const fetchesOf = new WeakMap<Services['images'], Fetches>();

function getFetches({ images }: Pick<Services, 'images'>): Fetches {
  const known = fetchesOf.get(images) ?? { stop: new AbortController(), running: new Map() };
  fetchesOf.set(images, known);
  return known;
}

/**
 * Starts fetching the pictures that are due, one at a time for each store, within the pace of its
 * image server. It goes on after this returns.
 */
export async function startImageFetches(services: Services): Promise<void> {
  const { stop, running } = getFetches(services);
  if (stop.signal.aborted) return;
  await noteSnapshotImages(services);
  for (const store of storeNames) {
    if (running.has(store)) continue;
    const batch = await takeBatch(services, store);
    if (batch.length === 0) continue;
    const work = fetchWhileDue(services, store, batch, stop.signal);
    running.set(
      store,
      work.finally(() => running.delete(store)),
    );
  }
}

/** Ends the fetches of this process. What they had taken is due again when its lease ends. */
export async function stopImageFetches(services: Pick<Services, 'images'>): Promise<void> {
  const { stop, running } = getFetches(services);
  stop.abort(new Error('the process is stopping'));
  await Promise.all(running.values());
}

/** Resolves when this process fetches no picture. */
export async function waitForImageFetches(services: Pick<Services, 'images'>): Promise<void> {
  await Promise.all(getFetches(services).running.values());
}

/** Never rejects: the rows have the outcome. */
async function fetchWhileDue(
  services: Services,
  store: StoreName,
  first: DueImage[],
  signal: AbortSignal,
): Promise<void> {
  try {
    for (let batch = first; batch.length > 0; batch = await takeBatch(services, store)) {
      for (const due of batch) if (!(await fetchImage(services, due, signal))) return;
    }
  } catch (error) {
    if (!signal.aborted)
      services.log.warn({ store, error: (error as Error).message }, 'images were not fetched');
  }
}

/** While a day is too short for the store's work, only what somebody looks at is fetched. */
async function takeBatch(services: Services, store: StoreName): Promise<DueImage[]> {
  const { systemDb, clock } = services;
  const now = clock.now();
  const run = await findRun(systemDb, utcDayOf(now));
  const isShedding = (run?.shed[store]?.length ?? 0) > 0;
  return takeDueImages(systemDb, store, {
    now,
    leasedUntil: new Date(now.getTime() + leaseMs),
    limit: batchSize,
    maxPriority: isShedding ? lookedAt : anyPriority,
  });
}

/**
 * A picture is given up after six attempts, unless its server cannot be reached: a proxy or a
 * firewall may hold up all of them for days.
 */
function delayAfter(failure: StoreError['failure'], failed: number): number | undefined {
  if (failure === 'bad_request') return undefined;
  return retryDelaysMs[failed - 1] ?? (failure === 'unavailable' ? longestDelayMs : undefined);
}

/**
 * False when the image server takes no requests at the moment. A refusal is an attempt, because the
 * server may refuse this picture alone: the host's pause holds up the others.
 */
async function fetchImage(
  services: Services,
  { id, attempts, ...key }: DueImage,
  signal: AbortSignal,
): Promise<boolean> {
  const { images, systemDb, clock } = services;
  try {
    const image = await images.read(key, signal);
    const content = { ...image, hash: hash('sha256', image.bytes, 'buffer') };
    await inSystem(services, (tx) => saveImage(tx, id, content));
    return true;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const { failure, marker } = error;
    const isPaused = marker === 'cooling' || pacingMarkers.includes(marker);
    const failed = isPaused ? attempts : attempts + 1;
    const waitMs = isPaused
      ? Math.max(minute, error.retryAfterMs ?? 0)
      : delayAfter(failure, failed);
    const retryAt = waitMs === undefined ? null : new Date(clock.now().getTime() + waitMs);
    await rescheduleImage(systemDb, id, { marker, attempts: failed, retryAt });
    return !isPaused && failure !== 'refused';
  }
}
