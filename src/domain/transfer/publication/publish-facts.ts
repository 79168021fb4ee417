import type { Fact, FactKind } from '#contract/imported-facts.ts';
import { listMarketOrder } from '#db/queries/imports/imported-tracking.ts';
import { publishCharts } from '#db/queries/publication/charts.ts';
import { listFactsToPublish } from '#db/queries/publication/facts-to-publish.ts';
import {
  markFeedsOfItemsEvaluated,
  publishChanges,
  publishListingDays,
  publishReviews,
  publishSnapshots,
} from '#db/queries/publication/listing-facts.ts';
import { listMonthsToPublish } from '#db/queries/publication/market-months.ts';
import { publishScores } from '#db/queries/publication/scores.ts';
import type { Tx } from '#db/database.ts';
import { inSystem } from '#domain/base/context.ts';
import type { Clock } from '#domain/base/ports.ts';
import { parseFacts } from '#domain/tracking/imported-facts/read-imported-facts.ts';
import { hashContent } from '#domain/tracking/listings/listing-content.ts';
import { readFields } from '#domain/tracking/listings/listing-snapshot.ts';
import type { CheckServices } from '#domain/tracking/rankings/check-market.ts';
import { publishCategoryRankBatch } from './publish-category-ranks.ts';
import { publishMarketMonth } from './publish-market-month.ts';
import { publishSeries } from './publish-series.ts';

export interface Batch {
  workspaceId: number;
  clock: Clock;
  rows: readonly { id: string; items: string }[];
}

type Publish = (tx: Tx, batch: Batch) => Promise<void>;

const idsOf = ({ rows }: Batch) => rows.map(({ id }) => id);
const byIds =
  (publish: (tx: Tx, workspaceId: number, ids: readonly string[]) => Promise<void>): Publish =>
  (tx, batch) =>
    publish(tx, batch.workspaceId, idsOf(batch));

/** Facts by kind, after those that they refer to. Results are published with their positions. */
const publishers: [Exclude<FactKind, 'serp'>, Publish][] = [
  ['snapshots', publishSnapshotBatch],
  ['changes', byIds(publishChanges)],
  ['reviews', publishReviewBatch],
  ['listing_days', byIds(publishListingDays)],
  ['scores', byIds(publishScores)],
  ['charts', byIds(publishCharts)],
  ['category_ranks', publishCategoryRankBatch],
];
const rowsPerStep = 10;
const stepsPerTick = 20;

/**
 * Makes the facts of an operator's import public facts, by market and month, and by kind and day.
 * Each step is a transaction that also ends the publication of its rows, so after a crash it
 * continues with the others. No event is derived from them. `keepLease` may throw to stop it.
 */
export async function publishFacts(
  services: CheckServices,
  workspaceId: number,
  keepLease: () => Promise<void>,
): Promise<void> {
  let count = 0;
  const tick = async () => {
    if (count % stepsPerTick === 0) await keepLease();
    count += 1;
  };
  await publishSeries(services, workspaceId);
  for (const { id: marketId } of await inSystem(services, (tx) => listMarketOrder(tx, workspaceId)))
    for (const month of await listMonths(services, workspaceId, marketId)) {
      await tick();
      await publishMarketMonth(services, { workspaceId, marketId, month });
    }
  for (const [kind, publish] of publishers)
    while (await publishNext(services, workspaceId, { kind, publish })) await tick();
}

function listMonths(
  services: CheckServices,
  workspaceId: number,
  marketId: number,
): Promise<string[]> {
  return inSystem(services, (tx) => listMonthsToPublish(tx, workspaceId, marketId));
}

/** Returns false when none is left. */
function publishNext(
  services: CheckServices,
  workspaceId: number,
  { kind, publish }: { kind: FactKind; publish: Publish },
): Promise<boolean> {
  return inSystem(services, async (tx) => {
    const rows = await listFactsToPublish(tx, workspaceId, { kind, limit: rowsPerStep });
    const { clock } = services;
    if (rows.length > 0) await publish(tx, { workspaceId, rows, clock });
    return rows.length > 0;
  });
}

async function publishReviewBatch(tx: Tx, batch: Batch): Promise<void> {
  const ids = idsOf(batch);
  await markFeedsOfItemsEvaluated(tx, batch.workspaceId, { ids, now: batch.clock.now() });
  await publishReviews(tx, batch.workspaceId, ids);
}

async function publishSnapshotBatch(tx: Tx, batch: Batch): Promise<void> {
  const facts = parseFacts<'snapshots'>(batch.rows.map(({ items }) => items));
  const hashes = facts.flatMap(({ id, fields }) => (fields === null ? [] : toHash(id, fields)));
  await publishSnapshots(tx, batch.workspaceId, idsOf(batch), hashes);
}

function toHash(id: number, fields: NonNullable<Fact<'snapshots'>['fields']>) {
  return [{ id, contentHash: hashContent(readFields(fields)) }];
}
