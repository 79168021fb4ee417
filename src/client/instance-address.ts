import { printable, withoutTrailing } from '#lib/text.ts';

/** The address that a browser opens; those of the API and of MCP below it are accepted, too. */
export function instanceUrlOf(url: string): string {
  return withoutTrailing(withoutTrailing(url, '/').replace(/\/(api\/backend|mcp)$/, ''), '/');
}

export const apiUrlOf = (url: string): string => `${instanceUrlOf(url)}/api/backend`;

/** fetch reports this only in the cause. */
export function isRedirect(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    error.cause instanceof Error &&
    error.cause.message === 'unexpected redirect'
  );
}

export const describeRedirect = (url: string): string =>
  `${printable(url)} redirects to another address, where no token is sent. Set TOPRUNG_URL (or ` +
  '--url) to the address that your browser shows after the redirect, or use it with toprung login.';
