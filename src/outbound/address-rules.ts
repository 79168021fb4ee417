import os from 'node:os';
import { createTrust, parseAddress, type Address } from '#lib/client-address.ts';

/**
 * Cloud metadata addresses, which return credentials. Only settings that contain the exact address
 * allow one.
 */
const metadataAddresses = [
  '169.254.169.254',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
];

/**
 * On private addresses these services accept any client, and could interpret our request as
 * commands.
 */
const deniedPorts = [22, 25, 465, 587, 2375, 2376, 5432, 6379, 9200, 11211, 27017];

export interface AddressRules {
  /** The reason why a connection is refused, or null when it is allowed. */
  refuse(address: string, port: number): string | null;
}

/** Allows public unicast addresses of other machines, and the `allowedSubnets`. */
export function createAddressRules(options: {
  allowedSubnets: readonly string[];
  ownPorts: readonly number[];
}): AddressRules {
  const isOpened = createTrust(options.allowedSubnets);
  const isNamed = createTrust(options.allowedSubnets.filter(isOneAddress));
  const metadata = createTrust(metadataAddresses);
  const shut = new Set([...deniedPorts, ...options.ownPorts]);
  return {
    refuse(text, port) {
      const address = text.includes('%') ? null : parseAddress(text);
      if (!address) return 'not an address';
      if (metadata(address)) return isNamed(address) ? null : 'a metadata address';
      if (isOpened(address)) return shut.has(port) ? `port ${port} of a private address` : null;
      if (createTrust(listOwnAddresses())(address)) return 'an address of this machine';
      return isPublic(address)
        ? null
        : address.range() === 'unicast'
          ? 'an unassigned address'
          : `a ${address.range()} address`;
    },
  };
}

/**
 * A firewall does not filter what a machine sends to its own public addresses. They are read each
 * time, because they change while the process runs.
 */
function listOwnAddresses(): string[] {
  try {
    return Object.values(os.networkInterfaces()).flatMap((list = []) =>
      list.map(({ address }) => address),
    );
  } catch {
    // Some sandboxes forbid to list them.
    return [];
  }
}

const isOneAddress = (subnet: string): boolean =>
  !subnet.includes('/') || subnet.endsWith(subnet.includes(':') ? '/128' : '/32');

/**
 * All allocated IPv6 addresses are in this range. `::127.0.0.1` is not, and has no range of its
 * own.
 */
const isGlobal = createTrust(['2000::/3']);
const isPublic = (address: Address): boolean =>
  address.range() === 'unicast' && (address.kind() === 'ipv4' || isGlobal(address));
