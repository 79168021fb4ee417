import { existsSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AddressLimits } from '#simulator/faults/address-limits.ts';
import { startSimulator, type Simulator } from '#simulator/server.ts';
import { readImage } from '#stores/read-image.ts';

let simulator: Simulator;
beforeAll(async () => {
  const rateLimits = { requests: 5, windowMs: 60_000, blockMs: 60_000 };
  simulator = await startSimulator({
    seed: 5,
    now: new Date('2026-07-01T09:00:00Z'),
    listeners: 3,
    rateLimits,
  });
});
afterAll(() => simulator.close());

let client = 0;
/** Each call comes from an address of its own, so that no test is throttled by another. */
const ask = (path: string, init: RequestInit = {}) =>
  fetch(simulator.baseUrl + path, {
    ...init,
    headers: { 'x-sim-client': `client-${client++}`, ...init.headers },
  });
const call = (freq: unknown, query = '') =>
  ask(`/_/PlayStoreUi/data/batchexecute?rpcids=qnKhOb&hl=en&gl=us${query}`, {
    method: 'POST',
    body: new URLSearchParams({ 'f.req': JSON.stringify(freq) }),
  });

describe('iTunes', () => {
  it('sends JSON with a script type and empty lines before it', async () => {
    const found = await ask('/search?term=yoga&country=us');
    expect(found.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const body = await found.text();
    expect(body.startsWith('\n\n\n{')).toBe(true);
    expect((JSON.parse(body) as { resultCount: number }).resultCount).toBe(50);
  });

  it('clamps the limit, refuses invalid values and fails at 201 ids', async () => {
    const json = async (path: string) =>
      JSON.parse(await (await ask(path)).text()) as Record<string, unknown>;
    expect((await json('/search?term=habit+tracker&country=us&limit=900'))['resultCount']).toBe(
      200,
    );
    expect((await json('/search?term=yoga&country=usa'))['errorMessage']).toContain('country');
    expect((await json('/lookup?id=abc'))['errorMessage']).toContain('itunesId');
    expect((await json('/lookup?id=1500000001,4,5'))['resultCount']).toBe(1);
    const ids = Array.from({ length: 201 }, (_, index) => index + 1).join(',');
    expect((await ask(`/lookup?id=${ids}`)).status).toBe(502);
  });

  it('mixes Mac software into a Mac search', async () => {
    const body = await (
      await ask('/search?term=yoga&country=us&entity=macSoftware&limit=60')
    ).text();
    const kinds = (JSON.parse(body) as { results: { kind: string }[] }).results.map(
      (app) => app.kind,
    );
    expect(kinds.filter((kind) => kind === 'software')).toHaveLength(2);
  });

  it('has an app page with null shelves, subtitle, histogram and similar apps', async () => {
    const page = await (await ask('/apps.apple.com/us/app/lumen/id1500000001')).text();
    const json = /id="serialized-server-data">(.*?)<\/script>/.exec(page)?.[1] ?? '';
    const { data } = JSON.parse(json) as {
      data: {
        data: {
          lockup: { subtitle: string };
          shelfMapping: Record<string, { items: Record<string, never>[] } | null>;
        };
      }[];
    };
    const { lockup, shelfMapping } = data[0]!.data;
    expect(lockup.subtitle.length).toBeGreaterThan(5);
    expect(Object.values(shelfMapping)).toContain(null);
    expect(shelfMapping['productRatings']?.items[0]?.['ratingCounts']).toHaveLength(5);
    expect(shelfMapping['similarItems']?.items).toHaveLength(10);
    expect((await ask('/apps.apple.com/us/app/id4')).status).toBe(404);
  });
});

describe('batchexecute', () => {
  it('responds to each rpc of a post by its tag, with null for unknown ones', async () => {
    const body = await (
      await call([
        [
          ['NoSuch', '[]', null, '1'],
          ['qnKhOb', '[[null,[],null,"bogus-token"]]', null, '2'],
        ],
      ])
    ).text();
    expect(body.startsWith(")]}'\n\n[")).toBe(true);
    const frames = JSON.parse(body.slice(5)) as unknown[][];
    expect(frames.slice(0, 2)).toEqual([
      ['wrb.fr', 'NoSuch', null, null, null, [5], '1'],
      ['wrb.fr', 'qnKhOb', null, null, null, [5], '2'],
    ]);
  });

  it('frames by length on request, and refuses unreadable input', async () => {
    const lines = (await (await call([[['NoSuch', '[]', null, '1']]], '&rt=c')).text()).split('\n');
    expect(lines[0]).toBe(")]}'");
    expect(Number(lines[2])).toBeGreaterThan(20);
    expect(JSON.parse(lines[3]!)).toHaveLength(3);
    expect((await call('nonsense')).status).toBe(400);
  });
});

describe('addresses', () => {
  it('without a prefix lead to the store they name', async () => {
    for (const path of [
      '/store/search?q=yoga&gl=us',
      '/store/apps/details?id=app.lumen.habits',
      '/us/app/id1500000001',
    ]) {
      expect((await ask(path)).status).toBe(200);
    }
    expect((await ask('/nowhere')).status).toBe(404);
  });

  it('in absolute form and tunnels work, each port as an address of its own', async () => {
    simulator.clearLog();
    const [first = '', second = ''] = simulator.proxyUrls;
    const absolute = await new Promise<number | undefined>((done) => {
      const { hostname, port } = new URL(first);
      httpRequest(
        { hostname, port, path: 'http://itunes.apple.com/lookup?id=1500000001' },
        (response) => {
          response.resume().on('end', () => done(response.statusCode));
        },
      ).end();
    });
    const agent = new ProxyAgent({ uri: second, proxyTunnel: true });
    const tunnelled = await undiciFetch(
      'http://play.google.com/store/apps/details?id=app.lumen.habits',
      {
        dispatcher: agent,
      },
    );
    expect([absolute, tunnelled.status]).toEqual([200, 200]);
    await tunnelled.text();
    await agent.close();
    const ports = simulator.proxyUrls.map((url) => `proxy:${new URL(url).port}`);
    expect(simulator.log().map((entry) => entry.address)).toEqual(ports.slice(0, 2));
  });

  it('of pictures have the size that the address names, and always the same bytes', async () => {
    const address = '/is1-ssl.mzstatic.com/image/thumb/screenshot-1500000001-1-0';
    const read = async (size: string) =>
      readImage(Buffer.from(await (await ask(`${address}/${size}bb.jpg`)).arrayBuffer()));
    expect(await read('400x800')).toMatchObject({ type: 'image/png', width: 369, height: 800 });
    expect(await read('200x400')).toMatchObject({ width: 185, height: 400 });
    expect(await read('400x800')).toEqual(await read('400x800'));
  });

  it('are gzipped only for clients that accept it', async () => {
    const lengths = await Promise.all(
      ['gzip', 'identity'].map((accept) => rawLength('/search?term=yoga&country=us', accept)),
    );
    expect(lengths[0]).toBeLessThan(lengths[1]! / 3);
  });
});

function rawLength(path: string, accept: string): Promise<number> {
  return new Promise((done) => {
    let length = 0;
    const socket = connect(simulator.port, '127.0.0.1', () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Sim-Client: raw\r\nAccept-Encoding: ` +
          `${accept}\r\nConnection: close\r\n\r\n`,
      );
    });
    socket.on('data', (chunk) => (length += chunk.length)).on('end', () => done(length));
  });
}

describe('throttling', () => {
  it('refuses an address over its rate while it continues, and no other', async () => {
    const from = async (address: string) =>
      (await ask('/lookup?id=1500000001', { headers: { 'x-sim-client': address } })).status;
    const statuses = [];
    for (let round = 0; round < 8; round++) statuses.push(await from('hammer'));
    expect(statuses).toEqual([200, 200, 200, 200, 200, 403, 403, 403]);
    expect(await from('calm')).toBe(200);
    expect(simulator.counts().byFault['throttled']).toBe(3);
  });

  it('restarts the block with every request made while blocked', () => {
    const limits = new AddressLimits({ requests: 2, windowMs: 60_000, blockMs: 60_000 });
    const admitted = [0, 1_000, 2_000, 61_000, 120_999, 181_000].map((at) => limits.admit('a', at));
    expect(admitted).toEqual([true, true, false, false, false, true]);
  });
});

describe('recordings', () => {
  it('are served byte for byte, and nothing outside their folder', async (context) => {
    const file = resolve(import.meta.dirname, '../../../shared/fixtures/android/search/panda.html');
    if (!existsSync(file)) return context.skip('no recordings beside the project');
    const served = await ask(
      '/play.google.com/store/search?q=panda&fixture=android/search/panda.html',
    );
    expect(Buffer.from(await served.arrayBuffer()).equals(readFileSync(file))).toBe(true);
    expect((await ask('/search?term=x&fixture=../../main/package.json')).status).toBe(404);
    return undefined;
  });
});
