import {
  errorCatalogue,
  type ErrorCode,
  type ErrorEnvelope,
  type Issue,
} from '../contract/errors.ts';

export type ErrorDetail = Pick<
  ErrorEnvelope,
  'issues' | 'retryAfterSeconds' | 'quota' | 'entitlement' | 'rateLimit'
>;

/** A refusal with its code; `message` is what the caller may read. Statuses are the API's business. */
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

/** The one answer for what does not exist and for what belongs to another workspace. */
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
