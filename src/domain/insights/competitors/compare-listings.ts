import type { z } from 'zod';
import type { competitors } from '#contract/competitors.ts';
import { listComparedSnapshots, listCompetitors } from '#db/queries/competitors/competitors.ts';
import { getApp } from '#domain/tracking/apps/get-app.ts';
import { presentApp } from '#domain/tracking/apps/present-app.ts';
import { inTenant, type Ctx } from '#domain/base/context.ts';
import { notFound } from '#domain/base/errors.ts';
import { presentSnapshot, toListingSnapshot } from '#domain/tracking/listings/listing-snapshot.ts';
import { nameOf } from './present-competitor.ts';

export type ListingComparison = z.input<
  (typeof competitors)['GET /apps/{id}/compare']['responses'][200]
>;

const maxCompared = 10;
/** Metadata of a reading. */
const ofReading = new Set(['id', 'country', 'takenAt']);

/**
 * The latest listings of the app and its competitors in a country, the app's own first, with the
 * fields that differ. Readings from before a listing was tracked there are not visible, nor those
 * of countries that only others track. Throws not_found.
 */
export async function compareListings(
  ctx: Ctx,
  appId: number,
  query: { with?: string | undefined; country?: string | undefined },
): Promise<ListingComparison> {
  const ids =
    query.with === undefined
      ? null
      : [...new Set(query.with.split(',').map(Number))].filter((id) => id <= 2_147_483_647);
  return inTenant(ctx, async (tx) => {
    const app = await getApp(tx, ctx, appId);
    const competitors = (await listCompetitors(tx, ctx.workspaceId, appId, ids)).slice(
      0,
      maxCompared,
    );
    if (query.with !== undefined && competitors.length < new Set(query.with.split(',')).size)
      throw notFound();
    const country = query.country ?? app.primaryCountry;
    const snapshots = await listComparedSnapshots(tx, ctx.workspaceId, { appId, country });
    const snapshotOf = (listingId: number) => {
      const row = snapshots.get(listingId);
      return row ? presentSnapshot(toListingSnapshot(row, row)) : null;
    };
    const { name, iconUrl } = presentApp(app, ctx.stores);
    const items = [
      {
        competitorId: null,
        storeAppId: app.storeAppId,
        name,
        iconUrl,
        snapshot: snapshotOf(app.listingId),
      },
      ...competitors.map((competitor) => ({
        competitorId: competitor.id,
        storeAppId: competitor.storeAppId,
        name: nameOf(competitor),
        iconUrl: competitor.iconUrl,
        snapshot: snapshotOf(competitor.listingId),
      })),
    ];
    return {
      country,
      items,
      differing: listDiffering(items.flatMap((item) => item.snapshot ?? [])),
    };
  });
}

function listDiffering(
  snapshots: readonly NonNullable<ListingComparison['items'][number]['snapshot']>[],
): string[] {
  const [first, ...others] = snapshots;
  if (!first) return [];
  const textOf = (value: unknown) =>
    typeof value === 'bigint' ? `${value}` : JSON.stringify(value);
  const fields = (Object.keys(first) as (keyof typeof first)[]).filter(
    (field) => !ofReading.has(field),
  );
  return fields.filter((field) =>
    others.some((other) => textOf(other[field]) !== textOf(first[field])),
  );
}
