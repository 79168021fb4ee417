import {
  addImageSources,
  takeSnapshotsToPicture,
  type NewImageSource,
  type SnapshotPictures,
} from '#db/queries/images/images.ts';
import { inSystem, type Services } from '#domain/base/context.ts';
import { imageIdentityOf } from '#domain/base/ports.ts';
import { utcDayOf } from '#lib/dates.ts';

const batchSize = 200;
/** Stores show no more on a phone. */
const maxScreenshots = 10;

/**
 * Adds the pictures of new snapshots to those that are fetched, newest snapshots first. Returns the
 * number of snapshots.
 */
export function noteSnapshotImages(services: Services): Promise<number> {
  const now = services.clock.now();
  return inSystem(services, async (tx) => {
    const snapshots = await takeSnapshotsToPicture(tx, batchSize);
    const sources = snapshots.flatMap(listSources);
    if (sources.length > 0) await addImageSources(tx, sources, { now, day: utcDayOf(now) });
    return snapshots.length;
  });
}

function listSources(snapshot: SnapshotPictures): NewImageSource[] {
  const { store, listingId, iconUrl, screenshotUrls } = snapshot;
  const toSource = (kind: 'icon' | 'screenshot', priority: number) => (address: string) => {
    const identity = imageIdentityOf(store, address);
    return identity === null ? [] : [{ store, kind, identity, listingId, priority }];
  };
  const screenshots = (screenshotUrls ?? []).slice(0, maxScreenshots);
  return [
    ...(iconUrl === null ? [] : [iconUrl]).flatMap(toSource('icon', 1)),
    ...screenshots.flatMap(toSource('screenshot', 2)),
  ];
}
