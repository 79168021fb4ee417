import { findImage, markImageUsed, requestImage } from '#db/queries/images/images.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { invalid, notFound } from '#domain/base/errors.ts';
import {
  imageIdentityOf,
  type ImageKind,
  type ImageType,
  type StoreName,
} from '#domain/base/ports.ts';
import { daysBetween, utcDayOf } from '#lib/dates.ts';

export interface ServedImage {
  type: ImageType;
  bytes: Buffer;
  /** The hash of the bytes. */
  etag: string;
}

/** New pictures that one workspace may have fetched on a day. */
const maxRequestsPerDay = 3_000;
/** Looking at a picture is written down once a week. */
const usedEveryDays = 7;

/**
 * The picture at an address of a store, in the size of its kind. Null while it is being fetched,
 * which begins with the first request for it. Throws invalid_request for an address that is not on
 * an image server of the store, and not_found when the server had no such picture.
 */
export async function getImage(
  ctx: Ctx,
  { store, kind, url }: { store: StoreName; kind: ImageKind; url: string },
): Promise<ServedImage | null> {
  const identity = imageIdentityOf(store, url);
  if (identity === null) throw invalid('url', 'not on an image server of this store', url);
  const now = ctx.clock.now();
  const day = utcDayOf(now);
  const key = { store, kind, identity };
  return inTenant(ctx, async (tx) => {
    const found = await findImage(tx, key);
    if (found === undefined) {
      const request = { now, day, max: maxRequestsPerDay };
      if (!(await requestImage(tx, ctx.workspaceId, key, request))) throw notFound();
      ctx.wake();
      return null;
    }
    if (found.isDue || daysBetween(found.usedOn, day) >= usedEveryDays)
      await markImageUsed(tx, found.id, day);
    const { hash, type, bytes } = found;
    if (hash !== null && type !== null && bytes !== null)
      return { type, bytes, etag: `"${hash.toString('base64url')}"` };
    if (found.isDue) return null;
    throw notFound();
  });
}
