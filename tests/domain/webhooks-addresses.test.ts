import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os, { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAddressRules } from '#outbound/address-rules.ts';
import type { Lookup } from '#outbound/connector.ts';
import { createLookup } from '#outbound/lookup.ts';
import { createWebhookSender } from '#outbound/webhook-sender.ts';
import { findFreePort } from '../harness/free-port.ts';
import { listenOn } from '../harness/listen-on.ts';
import { startReceiver, type Receiver } from '../harness/receiver.ts';

/** A connection to one of these was allowed. */
let port: number;
let connections = 0;
const shutdownStack: (() => Promise<void>)[] = [];
let receiver: Receiver;

beforeAll(async () => {
  port = await findFreePort();
  for (const host of ['127.0.0.1', '::1']) {
    const marker = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    shutdownStack.push((await listenOn(marker, host, port)).close);
  }
  receiver = await startReceiver();
});
beforeEach(() => {
  connections = 0;
  receiver.requests.length = 0;
  receiver.respond = (response) => response.writeHead(204).end();
});
afterAll(async () => {
  for (const close of [...shutdownStack, receiver.close]) await close();
});

const special = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.254 127.0.0.1 127.1.2.3
  127.255.255.254 169.254.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192
  192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.51.100.7 203.0.113.9 224.0.0.1 240.0.0.1
  255.255.255.255 100.100.100.200 168.63.129.16 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1
  ::ffff:7f00:1 ::127.0.0.1 ::a00:1 4000::1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 100::1 2001::1
  2001:db8::1 2002:7f00:1::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1 ff02::1 3fff::1 5f00::1
`
  .trim()
  .split(/\s+/);

/** Spellings of 127.0.0.1 and ::1 by people and parsers. */
const spellings = `
  127.1 2130706433 0x7f000001 0177.0.0.1 0x7f.1 127.0.0.1. １２７.0.0.1
  127.0.0.1%00.example.com [::ffff:127.0.0.1] [::ffff:7f00:1]
  [0:0:0:0:0:0:0:1] [::1] [::127.0.0.1] localhost LOCALHOST ⓛocalhost 017700000001
`
  .trim()
  .split(/\s+/);

const strict = createWebhookSender({ allowedSubnets: [] });
const send = (sender: typeof strict, url: string) =>
  sender.send({
    url,
    headers: {},
    body: '{}',
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  });

/** Names that resolve to what a test says. */
const resolving = (response: (hostname: string) => string[]): Lookup => {
  return (hostname, _options, done) => {
    const addresses = response(hostname).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    setImmediate(() => done(null, addresses));
  };
};

describe(`${special.length} special addresses`, () => {
  it('are refused when created and when sent to', async () => {
    expect(special.length).toBeGreaterThanOrEqual(41);
    for (const address of special) {
      const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/`;
      expect([address, await strict.checkUrl(url)]).toEqual([address, expect.any(String)]);
      expect([address, (await send(strict, url)).error]).toEqual([address, 'address']);
    }
    expect(connections).toBe(0);
  });

  it('are refused behind a name, alone and beside a public one', async () => {
    for (const address of special) {
      for (const responses of [
        [address],
        ['93.184.215.14', address],
        [address, '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
      ]) {
        const sender = createWebhookSender({
          allowedSubnets: [],
          lookup: resolving(() => responses),
        });
        const url = `http://inward.example.com:${port}/`;
        expect([responses, await sender.checkUrl(url), (await send(sender, url)).error]).toEqual([
          responses,
          expect.any(String),
          'address',
        ]);
        await sender.close();
      }
    }
    expect(connections).toBe(0);
  });

  it('do not include public ones', () => {
    const rules = createAddressRules({ allowedSubnets: [], ownPorts: [] });
    for (const address of [
      '93.184.215.14',
      '1.1.1.1',
      '2606:4700:4700::1111',
      '::ffff:8.8.8.8',
      '172.32.0.1',
      '11.0.0.1',
    ]) {
      expect([address, rules.refuse(address, 443)]).toEqual([address, null]);
    }
  });
});

it('public addresses of this machine are refused until they are allowed', () => {
  const interfaces = vi.spyOn(os, 'networkInterfaces').mockReturnValue({});
  const refuse = (address: string, allowedSubnets: string[] = []) =>
    createAddressRules({ allowedSubnets, ownPorts: [] }).refuse(address, 8_086);
  const own = ['93.184.215.14', '::ffff:93.184.215.14', '2606:4700::5', '2606:4700:0:0::0005'];
  expect(own.map((address) => refuse(address))).toEqual(own.map(() => null));
  interfaces.mockReturnValue({
    eth0: [{ address: '93.184.215.14' }, { address: '2606:4700::5' }] as os.NetworkInterfaceInfo[],
    lo: undefined,
  });
  const why = 'an address of this machine';
  expect(own.map((address) => refuse(address))).toEqual(own.map(() => why));
  expect([refuse('93.184.215.15'), refuse('2606:4700::6')]).toEqual([null, null]);
  expect(own.map((address) => refuse(address, ['93.184.215.14', '2606:4700::/64']))).toEqual(
    own.map(() => null),
  );
  interfaces.mockImplementation(() => {
    throw new Error('not permitted');
  });
  expect(refuse('93.184.215.14')).toBeNull();
  interfaces.mockRestore();
});

it('spellings of this machine reach nothing, in any parser', async () => {
  for (const spelling of spellings) {
    const url = `http://${spelling}:${port}/`;
    const refusal = await strict.checkUrl(url);
    const sent = URL.canParse(url) ? await send(strict, url) : { status: null };
    expect([spelling, refusal, sent.status]).toEqual([spelling, expect.any(String), null]);
  }
  expect(connections).toBe(0);
});

it('random spellings of private addresses reach nothing', async () => {
  const parts = fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255));
  const spelled = fc
    .tuple(parts, fc.constantFrom(10, 16, 8), fc.boolean())
    .map(([[a, b, c, d], base, short]) => {
      const write = (number: number) =>
        base === 16
          ? `0x${number.toString(16)}`
          : base === 8
            ? `0${number.toString(8)}`
            : String(number);
      return short
        ? write(a * 2 ** 24 + b * 2 ** 16 + c * 256 + d)
        : [a, b, c, d].map(write).join('.');
    });
  await fc.assert(
    fc.asyncProperty(spelled, async (host) => {
      expect(await strict.checkUrl(`http://${host}:${port}/`)).toEqual(expect.any(String));
    }),
    { numRuns: process.env.TORTURE ? 5_000 : 300 },
  );
  expect(connections).toBe(0);
});

it('a name that resolves differently the second time is refused at the socket', async () => {
  const tries = process.env.TORTURE ? 200 : 20;
  for (let index = 0; index < tries; index += 1) {
    let asked = 0;
    const sender = createWebhookSender({
      allowedSubnets: [],
      lookup: resolving(() => [asked++ === 0 ? '93.184.215.14' : index % 2 ? '127.0.0.1' : '::1']),
    });
    const url = `http://rebinding.example.com:${port}/`;
    expect(await sender.checkUrl(url)).toBeNull();
    expect((await send(sender, url)).error).toBe('address');
    await sender.close();
  }
  expect(connections).toBe(0);
});

it('the address of the open socket counts, whatever the lookup returned', async () => {
  // A lookup that is checked by its first result and resolved again by the socket.
  const twoFaced: Lookup = (_hostname, _options, done) => {
    let readings = 0;
    const entry = {
      family: 4,
      get address() {
        return readings++ === 0 ? '93.184.215.14' : '127.0.0.1';
      },
    };
    setImmediate(() => done(null, [entry]));
  };
  const sender = createWebhookSender({ allowedSubnets: [], lookup: twoFaced });
  const reply = await send(sender, `http://two-faced.example.com:${receiver.port}/`);
  expect([reply.error, reply.status, receiver.requests]).toEqual(['address', null, []]);
  await sender.close();
});

it.each([301, 302, 303, 307, 308])('a %i is not followed', async (status) => {
  const sender = createWebhookSender({ allowedSubnets: ['127.0.0.0/8'] });
  receiver.respond = (response) =>
    response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end();
  expect((await send(sender, receiver.url)).status).toBe(status);
  expect(connections).toBe(0);
  await sender.close();
});

describe('names', () => {
  /** A name server that knows `known.test`, and ignores all other names until `speak`. */
  async function startNameServer(): Promise<{ address: string; speak(): void; close(): void }> {
    let isSilent = true;
    const socket = createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.on('message', (question, { port: from, address }) => {
      const isKnown = question.includes('\x05known\x04test');
      if (!isKnown && isSilent) return;
      const end = question.indexOf('\x04test') + 10;
      const isFour = isKnown && question.readUInt16BE(end - 4) === 1;
      const head = Buffer.concat([
        question.subarray(0, 2),
        Buffer.from([0x81, 0x80, 0, 1, 0, isFour ? 1 : 0, 0, 0, 0, 0]),
      ]);
      const response = isFour
        ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 127, 0, 0, 1])
        : Buffer.alloc(0);
      socket.send(Buffer.concat([head, question.subarray(12, end), response]), from, address);
    });
    return {
      address: `127.0.0.1:${socket.address().port}`,
      speak: () => void (isSilent = false),
      close: () => socket.close(),
    };
  }

  it('with silent name servers do not delay others', async () => {
    const server = await startNameServer();
    const sender = createWebhookSender({
      allowedSubnets: ['127.0.0.1'],
      lookup: createLookup({ nameServers: [server.address] }),
    });
    receiver.respond = (response) => response.writeHead(204).end();
    const silent = Array.from({ length: 30 }, (_, index) =>
      send(sender, `http://silent-${index}.test:${receiver.port}/`),
    );
    expect(await send(sender, `http://known.test:${receiver.port}/`)).toMatchObject({
      status: 204,
      error: null,
    });
    expect(await sender.checkUrl('http://known.test/')).toBeNull();
    server.speak();
    expect(new Set((await Promise.all(silent)).map(({ status }) => status))).toEqual(
      new Set([null]),
    );
    await sender.close();
    server.close();
  });

  it('are taken from the hosts file first, and cannot reach private addresses by it', async () => {
    const hostsFile = join(await mkdtemp(join(tmpdir(), 'hosts-')), 'hosts');
    await writeFile(
      hostsFile,
      '# 10.0.0.1 Receiver.internal\n127.0.0.1\treceiver.internal other # mine\n',
    );
    const lookup = createLookup({ nameServers: ['127.0.0.1:1'], hostsFile });
    const url = `http://receiver.internal:${receiver.port}/`;
    const [open, shut] = [['127.0.0.1'], []].map((allowedSubnets) =>
      createWebhookSender({ allowedSubnets, lookup }),
    );
    expect([
      (await send(open!, url)).status,
      (await send(shut!, url)).error,
      await shut!.checkUrl(url),
    ]).toEqual([204, 'address', expect.any(String)]);
    expect((await send(open!, 'http://nobody.internal/')).error).toBe('dns');
    await Promise.all([open!.close(), shut!.close(), rm(dirname(hostsFile), { recursive: true })]);
  });
});

describe('WEBHOOK_ALLOWED_SUBNETS', () => {
  const refuse = (allowedSubnets: string[], address: string, onPort = 443) =>
    createAddressRules({ allowedSubnets, ownPorts: [4_000] }).refuse(address, onPort);

  it('allows what it names and nothing else', () => {
    expect(refuse(['10.1.0.0/16'], '10.1.2.3')).toBeNull();
    expect(refuse(['10.1.0.0/16'], '::ffff:10.1.2.3')).toBeNull();
    expect(refuse(['10.1.0.0/16'], '10.2.0.1')).not.toBeNull();
    expect(refuse(['127.0.0.1'], '127.0.0.2')).not.toBeNull();
    expect(refuse(['fd00:1::/32'], 'fd00:1::5')).toBeNull();
    expect(refuse(['::/0'], '10.0.0.1')).not.toBeNull();
  });

  it.each(['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16', '192.0.0.192'])(
    'keeps the metadata address %s blocked unless it is named by itself',
    (address) => {
      expect(
        refuse(['0.0.0.0/0', '::/0', '169.254.0.0/16', 'fd00:ec2::/32', '100.64.0.0/10'], address),
      ).toBe('a metadata address');
      expect(refuse([address], address)).toBeNull();
      expect(refuse([`${address}/${address.includes(':') ? 128 : 32}`], address)).toBeNull();
    },
  );

  it.each([22, 25, 5_432, 6_379, 4_000])('keeps port %i of allowed addresses blocked', (shut) => {
    expect(refuse(['10.0.0.0/8'], '10.0.0.1', shut)).toContain('port');
    expect(refuse([], '93.184.215.14', shut)).toBeNull();
  });

  it('allows delivery to a receiver in the network', async () => {
    const sender = createWebhookSender({ allowedSubnets: ['127.0.0.1'] });
    receiver.respond = (response) => response.writeHead(204).end();
    expect(await sender.checkUrl(receiver.url)).toBeNull();
    expect((await send(sender, receiver.url)).status).toBe(204);
    expect((await send(sender, `http://localhost:${receiver.port}/`)).error).not.toBe('timeout');
    await sender.close();
  });
});
