import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApi, type Account, type TestApi } from '../harness/api.ts';

let api: TestApi;
let me: Account;
beforeAll(async () => {
  api = await startApi();
  me = await api.signUp();
});
afterAll(() => api.close());

/** `fetch` decompresses by itself; this does not. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const response = await request(`${api.url}${path}`, { headers: { ...me.headers, ...headers } });
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes: Buffer.from(await response.body.arrayBuffer()),
  };
}

describe('a cacheable response', () => {
  it('has an ETag, and is 304 for a client that has it', async () => {
    const first = await ask('/errors');
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^W\/"[\w-]{20,}"$/);
    for (const asked of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await ask('/errors', { 'if-none-match': asked });
      expect([again.status, again.bytes.length, again.headers['etag']]).toEqual([304, 0, etag]);
    }
    expect((await ask('/errors', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('changes its ETag with its content, and differs between workspaces', async () => {
    const before = await ask('/workspace');
    await api.ok('PATCH /workspace', { body: { name: 'Renamed' } }, me);
    const after = await ask('/workspace', { 'if-none-match': String(before.headers['etag']) });
    expect(after.status).toBe(200);
    const you = await api.signUp();
    const theirs = await api.raw(
      '/workspace',
      { headers: { 'if-none-match': String(after.headers['etag']) } },
      you,
    );
    expect([theirs.status, theirs.body.name]).toEqual([200, expect.not.stringMatching('Renamed')]);
  });

  it('is refused without credentials before the ETag is compared', async () => {
    const { etag } = (await ask('/errors')).headers;
    const response = await request(`${api.url}/errors`, {
      headers: { 'if-none-match': String(etag) },
    });
    expect(response.statusCode).toBe(401);
    await response.body.dump();
  });
});

describe('a HEAD request', () => {
  it('has the status and the headers of the GET, without a body', async () => {
    const asked = { headers: { ...me.headers, 'accept-encoding': 'identity' } };
    const full = await request(`${api.url}/errors`, asked);
    const head = await request(`${api.url}/errors`, { ...asked, method: 'HEAD' });
    const bodies = [await full.body.text(), await head.body.text()];
    expect([head.statusCode, bodies[1], head.headers['etag']]).toEqual([
      200,
      '',
      full.headers['etag'],
    ]);
    expect(bodies[0]!.length).toBeGreaterThan(0);
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(bodies[0]!)));
    const missing = await request(`${api.url}/apps/999999`, { ...asked, method: 'HEAD' });
    expect([missing.statusCode, await missing.body.text()]).toEqual([404, '']);
  });
});

describe('a response with secrets', () => {
  it('is not stored, and has no ETag; others are revalidated', async () => {
    const [tokens, errors] = [await ask('/tokens'), await ask('/errors')];
    expect([tokens.headers['cache-control'], tokens.headers['etag']]).toEqual([
      'no-store',
      undefined,
    ]);
    expect(errors.headers['cache-control']).toBe('private, no-cache');
  });
});

describe('a long response', () => {
  it('is compressed as the client accepts', async () => {
    const plain = await ask('/errors');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const br = await ask('/errors', { 'accept-encoding': 'gzip, br' });
    const gz = await ask('/errors', { 'accept-encoding': 'gzip;q=1, br;q=0' });
    expect([br.headers['content-encoding'], gz.headers['content-encoding']]).toEqual([
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(br.bytes)).toEqual(plain.bytes);
    expect(gunzipSync(gz.bytes)).toEqual(plain.bytes);
    expect(br.bytes.length).toBeLessThan(plain.bytes.length / 2);
    for (const { headers } of [plain, br, gz]) expect(headers['vary']).toBe('accept-encoding');
    expect([br.headers['etag'], gz.headers['etag']]).toEqual([
      plain.headers['etag'],
      plain.headers['etag'],
    ]);
  });

  it('is not compressed if it holds secrets or is short', async () => {
    for (let made = 0; made < 12; made += 1) await api.token(me);
    const tokens = await ask('/tokens', { 'accept-encoding': 'br' });
    expect([
      tokens.status,
      tokens.bytes.length > 1_400,
      tokens.headers['content-encoding'],
    ]).toEqual([200, true, undefined]);
    expect(
      (await ask('/apps', { 'accept-encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined();
  });
});
