import type { z } from 'zod';
import type { competitors } from '../../contract/competitors.ts';
import { listComparedSnapshots, listCompetitors } from '../../db/queries/competitors.ts';
import { getApp } from '../apps/find-app.ts';
import { presentApp } from '../apps/present-app.ts';
import { inTenant, type Ctx } from '../context.ts';
import { notFound } from '../errors.ts';
import { presentSnapshot, toListingSnapshot } from '../listings/listing-snapshot.ts';
import { nameOf } from './present-competitor.ts';

export type ListingComparison = z.input<
  (typeof competitors)['GET /apps/{id}/compare']['responses'][200]
>;

const mostCompared = 10;
/** What a reading is, not what it says. */
const ofReading = new Set(['id', 'country', 'takenAt']);

/**
 * The newest readings of the app's and its competitors' listings in a country, the app's own first, and the fields in
 * which they differ. Readings from before a listing was followed here were for others and are not shown. Throws not_found.
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
    const rivals = (await listCompetitors(tx, ctx.workspaceId, appId, ids)).slice(0, mostCompared);
    if (query.with !== undefined && rivals.length < new Set(query.with.split(',')).size)
      throw notFound();
    const country = query.country ?? app.primaryCountry;
    const wanted = [
      { listingId: app.listingId, since: app.createdAt },
      ...rivals.map((rival) => ({ listingId: rival.listingId, since: rival.followedAt })),
    ];
    const snapshots = await listComparedSnapshots(tx, wanted, country);
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
      ...rivals.map((rival) => ({
        competitorId: rival.id,
        storeAppId: rival.storeAppId,
        name: nameOf(rival),
        iconUrl: rival.iconUrl,
        snapshot: snapshotOf(rival.listingId),
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
