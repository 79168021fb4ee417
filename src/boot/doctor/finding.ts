import type { Finding } from '#contract/diagnostics.ts';

export type { Finding };
type Check = Finding['check'];

export const ok = (check: Check, message: string): Finding => ({
  check,
  state: 'ok',
  message,
  remedy: null,
});

/** Works, but a person should look at it. */
export const warning = (check: Check, message: string, remedy: string): Finding => ({
  check,
  state: 'warning',
  message,
  remedy,
});

export const failure = (check: Check, message: string, remedy: string): Finding => ({
  check,
  state: 'error',
  message,
  remedy,
});

/** Could not be checked, because of an earlier finding or because the product is stopped. */
export const skipped = (check: Check, message: string): Finding => ({
  check,
  state: 'skipped',
  message,
  remedy: null,
});
