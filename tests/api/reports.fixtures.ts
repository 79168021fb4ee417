import type { RawResponse, TestApi } from '../harness/api.ts';

let caller = 0;

export interface Opening {
  password?: unknown;
  /** Each opening has an address of its own, unless the test is about limits. */
  address?: string;
}

export const secretOf = (url: string | undefined): string => url!.slice(url!.indexOf('#') + 1);

/** Opens a report as somebody without an account. */
export function openReport(
  api: TestApi,
  token: unknown,
  { password, address = `127.30.${++caller >> 8}.${caller & 255}` }: Opening = {},
): Promise<RawResponse> {
  return api.raw('/reports/open', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
    body: JSON.stringify({ token, password }),
  });
}
