import { vi } from 'vitest';

type Respond = (
  method: string,
  path: string,
  body: unknown,
  ifMatch: string | null,
) => object | Promise<object>;
let respond: Respond = () => ({});

/** Responds to the calls of the dashboard; a thrown error is one of the network. */
export function stubApi(next: Respond): void {
  respond = next;
}

export class Refusal {
  readonly status: number;
  readonly body: object;

  constructor(status: number, path: string, more: object = {}) {
    this.status = status;
    this.body = { statusCode: status, message: 'Refused.', code: 'conflict', path, ...more };
  }
}

/** The first request deletes something; a later one does not find it. */
export function stubDeletion(): void {
  let isThere = true;
  stubApi((_method, path) => {
    const wasThere = isThere;
    isThere = false;
    return wasThere ? {} : new Refusal(404, path, { code: 'not_found' });
  });
}

// The dashboard's modules read these when they are loaded, and the client keeps this fetch.
vi.stubGlobal('document', { documentElement: { dataset: {} } });
vi.stubGlobal('location', { origin: 'http://dashboard' });
vi.stubGlobal('addEventListener', () => {});
vi.stubGlobal('fetch', async (url: string, { method = 'GET', body, headers }: RequestInit) => {
  const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
  const ifMatch = new Headers(headers).get('if-match');
  const reply = await respond(method, url.replace('/api/backend', ''), sent, ifMatch);
  return reply instanceof Refusal
    ? Response.json(reply.body, { status: reply.status })
    : Response.json(reply);
});
await import('#web/api.ts');
await import('#web/drafts.ts');
await import('#web/i18n.ts');
vi.unstubAllGlobals();
