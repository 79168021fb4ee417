import { findSuspension } from '../../db/queries/workspaces.ts';
import type { Services } from '../context.ts';
import { AppError } from '../errors.ts';

/** The refusal of a change, with its reason: for who belongs to the workspace alone. */
export async function explainSuspension(
  { systemDb }: Pick<Services, 'systemDb'>,
  workspaceId: number,
): Promise<AppError> {
  const found = await findSuspension(systemDb, workspaceId);
  if (found?.deleteAt) {
    const at = found.deleteAt.toISOString();
    const way = 'An owner can keep it: POST /workspace/restore.';
    return new AppError(
      'workspace_suspended',
      `The workspace is deleted, and gone for good on ${at}: until then it can be read, not changed. ${way}`,
    );
  }
  const reason = found?.suspendedReason;
  return new AppError(
    'workspace_suspended',
    reason ? `The workspace is suspended (${reason}): it can be read, not changed.` : undefined,
  );
}
