import { ApiError } from '#client/http.ts';
import { isApiError } from '#web/describe-error.ts';

/**
 * An error of the API with the paths of its request replaced. `rename` gets texts that begin with a
 * path.
 */
export function renamePaths(error: unknown, rename: (text: string) => string): unknown {
  if (!isApiError(error)) return error;
  const { envelope } = error;
  return new ApiError({
    ...envelope,
    message: rename(envelope.message),
    ...(envelope.issues && {
      issues: envelope.issues.map((issue) => ({ ...issue, path: rename(issue.path) })),
    }),
  });
}
