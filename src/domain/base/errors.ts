import {
  errorCatalogue,
  type ErrorCode,
  type ErrorEnvelope,
  type Issue,
} from '#contract/errors.ts';

export type ErrorDetail = Pick<
  ErrorEnvelope,
  'issues' | 'etag' | 'retryAfterSeconds' | 'quota' | 'entitlement' | 'rateLimit'
>;
/** An issue whose code follows from its limit. */
export type PlainIssue = Omit<Issue, 'code'> & { code?: Issue['code'] };
type GivenDetail = Omit<ErrorDetail, 'issues'> & { issues?: readonly PlainIssue[] | undefined };

/** An error with its code; callers may read `message`. The API maps codes to statuses. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: ErrorDetail;

  constructor(code: ErrorCode, message?: string, { issues, ...detail }: GivenDetail = {}) {
    super(message ?? errorCatalogue[code].meaning);
    this.name = 'AppError';
    this.code = code;
    this.detail = { ...detail, ...(issues && { issues: issues.map(withCode) }) };
  }
}

function withCode({ code, ...issue }: PlainIssue): Issue {
  const { limit, actual } = issue;
  const isBounded = typeof limit === 'number' && typeof actual === 'number';
  const derived = !isBounded ? 'invalid' : actual > limit ? 'too_large' : 'too_small';
  return { ...issue, code: code ?? derived };
}

/** One error for ids that do not exist and for ids of another workspace. */
export const notFound = (): AppError => new AppError('not_found');

export function invalid(
  path: string,
  message: string,
  actual: Issue['actual'] = null,
  limit: Issue['limit'] = null,
): AppError {
  return new AppError('invalid_request', `${path}: ${message}`, {
    issues: [{ path, message, limit, actual }],
  });
}
