import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressRules } from './address-rules.ts';

export type Lookup = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** A connection to this address is blocked. */
export class BlockedAddressError extends Error {
  constructor(why: string) {
    super(`refused: ${why}`);
    this.name = 'BlockedAddressError';
  }
}

/**
 * Connects to allowed addresses only (SSRF guard). A literal address needs no lookup and is checked
 * first. Of a name all addresses are checked, and the connected one again before a byte is sent.
 */
export function createConnector(rules: AddressRules, lookup: Lookup): buildConnector.connector {
  return (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    const literal = options.hostname.replace(/^\[|\]$/g, '');
    if (isLiteral(literal)) {
      const why = rules.refuse(literal, port);
      if (why !== null) return callback(new BlockedAddressError(why), null);
    }
    const connect = buildConnector({
      lookup: checkedLookup(rules, lookup, port),
      allowH2: false,
      maxCachedSessions: 0,
      timeout: 15_000,
    });
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      const why = rules.refuse(socket.remoteAddress ?? '', port);
      if (why === null) return callback(null, socket);
      socket.destroy();
      callback(new BlockedAddressError(why), null);
    });
  };
}

/**
 * One blocked address blocks the name, because the receiver could otherwise choose which address
 * the socket takes.
 */
function checkedLookup(rules: AddressRules, lookup: Lookup, port: number): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error) return callback(error, '');
      const why = addresses
        .map(({ address }) => rules.refuse(address, port))
        .find((response) => response !== null);
      if (why !== undefined) return callback(new BlockedAddressError(why), '');
      const [first] = addresses;
      if (!first)
        return callback(
          Object.assign(new Error('the name has no addresses'), { code: 'ENOTFOUND' }),
          '',
        );
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

export const isLiteral = (host: string): boolean =>
  host.includes(':') || /^\d+(\.\d+){3}$/.test(host);
