import { withoutTrailing } from '#lib/text.ts';

/** `https://{host}`, or `{baseUrl}/{host}` when one server stands in for every host. */
export type HostRoot = (host: string) => string;

export function hostRoot(baseUrl: string | null): HostRoot {
  if (baseUrl === null) return (host) => `https://${host}`;
  const root = withoutTrailing(baseUrl, '/');
  return (host) => `${root}/${host}`;
}

/**
 * A pasted web address, or null. At most 2,048 characters, http or https, without user or port; the
 * scheme may be missing.
 */
export function parseHttpUrl(text: string): URL | null {
  const trimmed = text.length > 2048 ? '' : text.trim();
  const address = /^[a-z][a-z0-9+.-]{0,30}:/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed === '' || !URL.canParse(address)) return null;
  const url = new URL(address);
  const isPlain = url.username === '' && url.password === '' && url.port === '';
  return isPlain && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null;
}
