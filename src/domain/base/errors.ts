import {
  errorCatalogue,
  type ErrorCode,
  type ErrorEnvelope,
  type Issue,
} from '#contract/errors.ts';

export type ErrorDetail = Pick<
  ErrorEnvelope,
  'issues' | 'retryAfterSeconds' | 'quota' | 'entitlement' | 'rateLimit'
>;

/** An error with its code; callers may read `message`. The API maps codes to statuses. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, message?: string, detail: ErrorDetail = {}) {
    super(message ?? errorCatalogue[code].meaning);
    this.name = 'AppError';
    this.code = code;
    this.detail = detail;
  }
}

/** One error for ids that do not exist and for ids of another workspace. */
export const notFound = (): AppError => new AppError('not_found');

export function invalid(
  path: string,
  rule: string,
  actual: Issue['actual'] = null,
  limit: Issue['limit'] = null,
): AppError {
  return new AppError('invalid_request', `${path}: ${rule}`, {
    issues: [{ path, rule, limit, actual }],
  });
}
