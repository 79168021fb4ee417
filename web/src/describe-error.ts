import { ApiError } from '#client/http.ts';
import type { ErrorCode, ErrorEnvelope } from '#contract/errors.ts';
import { isConnectionError, isFailedFile } from './connection-error.ts';
import { i18next } from './i18n.ts';

export interface DescribedError {
  /** `page` is a mistake in the dashboard itself. */
  code: ErrorCode | 'file' | 'offline' | 'page';
  title: string;
  /** The message of the API for this request. */
  message: string;
  remedy: string;
  retryAfterSeconds: number | null;
  envelope: ErrorEnvelope | null;
}

export function isApiError(error: unknown, code?: ErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.envelope.code === code);
}

function codeOfBrowser(error: unknown): 'file' | 'offline' | 'page' {
  if (isFailedFile(error)) return 'file';
  return isConnectionError(error) ? 'offline' : 'page';
}

/** Describes any error. Only a failed fetch is reported as a connection problem. */
export function describeError(error: unknown): DescribedError {
  const envelope = error instanceof ApiError ? error.envelope : null;
  const code = envelope?.code ?? codeOfBrowser(error);
  const known = i18next.exists(`errors.${code}.title`) ? code : 'internal';
  return {
    code,
    title: i18next.t(`errors.${known}.title`),
    message: envelope?.message ?? '',
    remedy: i18next.t(`errors.${known}.remedy`),
    retryAfterSeconds: envelope?.retryAfterSeconds ?? envelope?.rateLimit?.resetSeconds ?? null,
    envelope,
  };
}
