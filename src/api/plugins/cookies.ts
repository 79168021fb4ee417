const headerMax = 8_192;

/**
 * The value of a cookie as sent. When a name appears twice the first one counts, which has the most
 * specific path.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > headerMax) return undefined;
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}

/** For values of base64url characters and dots, which need no quoting. */
export function writeCookie(
  name: string,
  value: string,
  options: { path: string; secure: boolean; maxAgeSeconds: number },
): string {
  return (
    `${name}=${value}; Path=${options.path}; Max-Age=${options.maxAgeSeconds}; HttpOnly; ` +
    `SameSite=Lax${options.secure ? '; Secure' : ''}`
  );
}
