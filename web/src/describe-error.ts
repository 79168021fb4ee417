import { ApiError } from '../../src/client/http.ts';
import type { ErrorCode, ErrorEnvelope } from '../../src/contract/errors.ts';
import { i18next } from './i18n.ts';

export interface DescribedError {
  code: ErrorCode | 'offline';
  title: string;
  /** What the API said of this very request. */
  message: string;
  remedy: string;
  retryAfterSeconds: number | null;
  envelope: ErrorEnvelope | null;
}

export function isApiError(error: unknown, code?: ErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.envelope.code === code);
}

/** Any failure in the words of this product; a failed fetch is the network's. */
export function describeError(error: unknown): DescribedError {
  const envelope = error instanceof ApiError ? error.envelope : null;
  const code = envelope?.code ?? 'offline';
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
