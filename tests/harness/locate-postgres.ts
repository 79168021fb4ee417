import type { NetConnectOpts } from 'node:net';

/** The server, and an address on 127.0.0.1 for a proxy of it, whose port is still missing. */
export function locatePostgres(databaseUrl: string): { url: URL; at: NetConnectOpts } {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host');
  url.searchParams.delete('host');
  const { hostname, port } = url;
  url.hostname = '127.0.0.1';
  return {
    url,
    at: folder ? { path: `${folder}/.s.PGSQL.${port}` } : { host: hostname, port: Number(port) },
  };
}
