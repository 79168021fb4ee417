import { isApiError } from './describe-error.ts';

/**
 * Completes a deletion of what somebody else, or the first of two presses, has deleted. False if it
 * was gone, which is no change to undo.
 */
export const deleteIfThere = (deletion: Promise<unknown>): Promise<boolean> =>
  deletion.then(
    () => true,
    (error: unknown) => {
      if (isApiError(error, 'not_found')) return false;
      throw error;
    },
  );
