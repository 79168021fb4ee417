import type { Ctx } from '#domain/base/context.ts';
import { AppError } from '#domain/base/errors.ts';
import { managesInstance } from '#domain/scheduling/health/get-health.ts';

/** Every workspace sees published popularity, so operators manage it. Throws forbidden. */
export async function assertManagesPopularity(ctx: Ctx): Promise<void> {
  if (!(await managesInstance(ctx)))
    throw new AppError('forbidden', 'Only an operator of this instance may manage popularity.');
}
