import { isIP } from 'node:net';
import type { IncomingMessage } from 'node:http';

/**
 * Protects against DNS rebinding. The host must be an IP address, the name of this machine or that
 * of PUBLIC_URL, and so must the origin of a page that sends a request. Returns null when both are
 * allowed.
 */
export function checkHost(
  request: IncomingMessage,
  site: { host: string; publicUrl: string | null },
): 'foreign_host' | 'foreign_origin' | null {
  const ours = nameOf(site.publicUrl ?? '');
  const host = nameOf(`http://${site.host}`);
  if (host === null || !(host === ours || isLocal(host) || isAddress(host))) return 'foreign_host';
  const { origin } = request.headers;
  if (origin === undefined) return null;
  const page = nameOf(origin);
  return page !== null && (page === ours || page === host || isLocal(page))
    ? null
    : 'foreign_origin';
}

function nameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname.toLowerCase() : null;
}

const isLocal = (name: string): boolean =>
  /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(name);
/** An IP address cannot be rebound to another one. */
const isAddress = (name: string): boolean => isIP(name.replace(/^\[|\]$/g, '')) !== 0;
