import { findSuspension } from '#db/queries/workspaces/workspaces.ts';
import type { Services } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';

/** The error for a change, with the reason, for members of the workspace only. */
export async function explainSuspension(
  { systemDb }: Pick<Services, 'systemDb'>,
  workspaceId: number,
): Promise<AppError> {
  const found = await findSuspension(systemDb, workspaceId);
  if (found?.deleteAt) {
    const at = found.deleteAt.toISOString();
    const way = 'An owner can restore it: POST /workspace/restore.';
    return new AppError(
      'workspace_suspended',
      `The workspace is deleted and will be removed on ${at}: until then it can be read, not ` +
        `changed. ${way}`,
    );
  }
  const reason = found?.suspendedReason;
  return new AppError(
    'workspace_suspended',
    reason ? `The workspace is suspended (${reason}): it can be read, not changed.` : undefined,
  );
}
