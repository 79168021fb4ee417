import { listBudgetRows } from '#db/queries/budget/budgets.ts';
import type { Services } from '../context.ts';

/** A year of so many keywords takes the event loop about 15 ms. */
const largeFrom = 500;

/** True for a workspace whose heavy reads would hold up others in the same event loop. */
export async function isLargeWorkspace(
  { systemDb }: Pick<Services, 'systemDb'>,
  workspaceId: number,
): Promise<boolean> {
  const rows = await listBudgetRows(systemDb, workspaceId);
  return rows.reduce((sum, { markets }) => sum + markets, 0) >= largeFrom;
}
