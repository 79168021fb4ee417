import { mkdtemp, rm } from 'node:fs/promises';
import { connect, constants, type ClientHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildDashboard } from '../harness/build-dashboard.ts';
import { hasCaddy, startCaddy } from '../harness/caddy.ts';
import { findFreePort } from '../harness/free-port.ts';
import { hasNginx, startNginx } from '../harness/nginx.ts';
import { startProduct, type Product } from '../harness/product.ts';
import type { TestProxy } from '../harness/test-proxy.ts';

interface Response {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

const overPort = () => ({ TRUST_PROXY: '127.0.0.1' });
const overSocket = () => ({ WEB_SOCKET: join(folder, 'web.sock') });
const large = 4_000_000;
const nginxProxies = [
  { name: 'nginx over a port', settings: overPort, startProxy: startNginx, bytes: large },
  { name: 'nginx over a Unix socket', settings: overSocket, startProxy: startNginx, bytes: large },
];
/** Caddy responds with 502 when a large body is refused before its end. */
const caddyProxies = [
  { name: 'Caddy over a port', settings: overPort, startProxy: startCaddy, bytes: 1_000 },
];
const proxies = [...(hasNginx() ? nginxProxies : []), ...(hasCaddy() ? caddyProxies : [])];
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toprung-socket-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe.runIf(proxies.length > 0).each(proxies)(
  'below a path, with TLS and HTTP/2, behind $name',
  ({ settings, startProxy, bytes }) => {
    let product: Product;
    let proxy: TestProxy;
    let session: ClientHttp2Session;
    let origin: string;
    beforeAll(async () => {
      await buildDashboard();
      const port = await findFreePort();
      origin = `https://localhost:${port}`;
      const environment = { PUBLIC_URL: `${origin}/aso/`, ...settings() };
      product = await startProduct({ environment });
      proxy = await startProxy(port, product.webUrl);
      session = connect(origin, { ca: proxy.ca });
    });
    afterAll(async () => {
      session?.close();
      await proxy?.stop();
      await product?.stop();
    });

    function send(
      path: string,
      { body, ...headers }: Record<string, string> = {},
    ): Promise<Response> {
      return new Promise((resolve, reject) => {
        const method = body === undefined ? 'GET' : 'POST';
        const type = body === undefined ? {} : { 'content-type': 'application/json' };
        const request = session.request({ ':path': path, ':method': method, ...type, ...headers });
        let text = '';
        let received: Record<string, unknown> = {};
        request.setEncoding('utf8').on('response', (sent) => (received = sent));
        request.on('data', (part: string) => (text += part)).once('error', reject);
        const status = () => Number(received[constants.HTTP2_HEADER_STATUS]);
        request.once('end', () => resolve({ status: status(), headers: received, text }));
        request.end(body);
      });
    }
    const api = (path: string) => `/aso/api/backend${path}`;
    const signUp = { email: 'first@example.org', password: 'grape-tunnel-oxide-41' };
    const fromPage = { 'sec-fetch-site': 'same-origin' };

    test('serves the dashboard with every file of the document', async () => {
      for (const path of ['/aso/', '/aso/apps/1/keywords?country=us']) {
        const page = await send(path, { accept: 'text/html' });
        expect([page.status, page.text]).toEqual([200, expect.stringContaining('"/aso"')]);
        const files = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!);
        expect(files.length).toBeGreaterThan(5);
        for (const file of files)
          expect([file, (await send(file)).status]).toEqual([
            expect.stringMatching(/^\/aso\//),
            200,
          ]);
      }
      const { location } = (await send('/aso')).headers;
      expect(new URL(String(location), origin).href).toBe(`${origin}/aso/`);
    });

    test('signs in with a cookie of the path, and serves API, documentation and MCP', async () => {
      const body = JSON.stringify({ ...signUp, setupToken: product.setupToken });
      const foreign = await send(api('/auth/sign-up'), { body, origin: 'https://evil.example' });
      expect(foreign.status).toBe(403);
      const created = await send(api('/auth/sign-up'), { body, origin, ...fromPage });
      expect(created.status).toBe(201);
      const [cookie, ...attributes] = String(created.headers['set-cookie']).split('; ');
      expect(cookie).toMatch(/^__Secure-toprung_session=/);
      expect(attributes).toEqual(expect.arrayContaining(['Path=/aso', 'Secure', 'HttpOnly']));
      const signedIn = { cookie: cookie! };
      expect((await send(api('/auth/session'), signedIn)).status).toBe(200);
      expect((await send(api('/docs'), signedIn)).status).toBe(200);
      expect((await send(api('/docs/js/scalar.js'), signedIn)).status).toBe(200);
      const { servers } = JSON.parse((await send(api('/docs-json'), signedIn)).text);
      expect(servers).toEqual([{ url: '/aso/api/backend' }]);
      const made = await send(api('/tokens'), {
        ...signedIn,
        ...fromPage,
        origin,
        body: JSON.stringify({ name: 'test', readOnly: true }),
      });
      const { token } = JSON.parse(made.text) as { token: string };
      const listed = await send('/aso/mcp', {
        authorization: `Bearer ${token}`,
        accept: 'application/json, text/event-stream',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      expect([listed.status, listed.text]).toEqual([200, expect.stringContaining('list_apps')]);
      // A large zip passes, and reaches an API that has no such draft.
      const upload = { authorization: `Bearer ${token}`, body: 'x'.repeat(bytes) };
      const zip = { ...upload, 'content-type': 'application/zip' };
      for (const path of ['large-zip', 'large-zip/preview'])
        expect((await send(api(`/listing-drafts/999999/${path}`), zip)).status).toBe(404);
      const preview = await send(api('/listing-drafts/999999/zip/preview'), upload);
      expect(preview.status).toBe(bytes === large ? 413 : 400);
    });
  },
);
