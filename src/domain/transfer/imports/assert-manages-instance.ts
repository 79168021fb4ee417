import type { Ctx } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import { managesInstance } from '#domain/scheduling/health/get-health.ts';

/** A file proves nothing, so only those who could change the database may vouch for it. */
export async function assertManagesInstance(ctx: Ctx): Promise<void> {
  if (!(await managesInstance(ctx)))
    throw new AppError('forbidden', 'Only an operator of this instance may import public facts.');
}
