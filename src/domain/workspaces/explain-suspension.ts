import { findSuspension } from '../../db/queries/workspaces.ts';
import type { Services } from '../context.ts';
import { AppError } from '../errors.ts';

/** The refusal of a change, with the reason that the operator gave: for who belongs to the workspace alone. */
export async function explainSuspension({ systemDb }: Pick<Services, 'systemDb'>, workspaceId: number): Promise<AppError> {
  const found = await findSuspension(systemDb, workspaceId);
  const reason = found?.suspendedReason;
  return new AppError('workspace_suspended', reason ? `The workspace is suspended (${reason}): it can be read, not changed.` : undefined);
}
