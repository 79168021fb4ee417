import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { callbackify } from 'node:util';
import type { Lookup } from './connector.ts';

const timeoutMs = 2_000;
const tries = 2;
const deadlineMs = 5_000;

export interface LookupOptions {
  /** The system's name servers by default. */
  nameServers?: readonly string[];
  hostsFile?: string;
}

/**
 * Resolves a name by the hosts file or the name servers; empty when none responds in time. The
 * system's lookup would block one of the process's few threads until a name server responds, and
 * anybody can run a silent one. Search domains are not used.
 */
export function createLookup({
  nameServers,
  hostsFile = '/etc/hosts',
}: LookupOptions = {}): Lookup {
  const find = callbackify(async (hostname: string): Promise<LookupAddress[]> => {
    const known = await readHosts(hostsFile, hostname);
    const addresses = known.length > 0 ? known : await queryNameServers(hostname, nameServers);
    return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  });
  return (hostname, _options, done) => find(hostname, done);
}

async function readHosts(file: string, hostname: string): Promise<string[]> {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    return names.some((one) => one.toLowerCase() === name) ? [address!] : [];
  });
}

async function queryNameServers(
  hostname: string,
  nameServers?: readonly string[],
): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (nameServers) resolver.setServers(nameServers);
  const timer = setTimeout(() => resolver.cancel(), deadlineMs);
  const responses = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  clearTimeout(timer);
  return responses.flatMap((response) => (response.status === 'fulfilled' ? response.value : []));
}
