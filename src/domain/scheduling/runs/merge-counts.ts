import { countBudgetCounts, mergeBudgetCounts } from '#db/queries/admin/instance-budgets.ts';
import { countMergeable, mergeDueCounts } from '#db/queries/due-counts/due-counts.ts';
import { inSystem, type Services } from '#domain/base/context.ts';

const minRows = 200;
const batchSize = 20_000;

/**
 * Merges the rows that changes of schedules and budgets have added to the counts, so that reading
 * them stays cheap. Returns the number of rows; 0 when there are few.
 */
export async function mergeCounts(services: Pick<Services, 'systemDb'>): Promise<number> {
  const { systemDb } = services;
  let count = 0;
  if ((await countMergeable(systemDb)) >= minRows)
    count += await inSystem(services, (tx) => mergeDueCounts(tx, batchSize));
  if ((await countBudgetCounts(systemDb)) >= minRows)
    count += await inSystem(services, (tx) => mergeBudgetCounts(tx, batchSize));
  return count;
}
