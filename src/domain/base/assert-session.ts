import type { Ctx } from './context.ts';
import { AppError } from './errors.ts';

/** A token must not create access that outlives it. Throws forbidden for a token. */
export function assertSession({ actor }: Pick<Ctx, 'actor'>): void {
  if (actor.kind !== 'session')
    throw new AppError('forbidden', 'Only a signed-in user may do that, not a token.');
}
