import { errorCatalogue, errorCodes } from '#contract/errors.ts';
import { service } from '#contract/service.ts';
import { notFound } from '#domain/base/errors.ts';
import { reportHealth } from '../health.ts';
import { formatMetrics } from '../metrics.ts';
import { buildOpenApi } from '../openapi.ts';
import { sendDocsPage } from '../plugins/docs.ts';
import { ResponseOf, routesOf } from '../route.ts';

/** Built once, because it blocks the process for 150 ms. */
let document: { openapi: string } | undefined;

export const serviceRoutes = routesOf(service, {
  'GET /health': async ({ ctx, raw }) => {
    const health = await reportHealth(ctx, raw.request.server.api);
    return health.status === 'ok' ? health : new ResponseOf(503, health);
  },
  'GET /errors': () => {
    const items = errorCodes.map((code) => ({ code, ...errorCatalogue[code] }));
    return { items, nextCursor: null, total: items.length };
  },
  'GET /metrics': async ({ ctx, raw }) => {
    const { api } = raw.request.server;
    const { type, text } = await formatMetrics(ctx, {
      ...api.queue,
      ...(api.replica && { replica: api.replica }),
      version: api.version,
      uptimeSeconds: (performance.now() - api.startedAtMs) / 1_000,
    });
    await raw.reply.type(type).send(text);
    return '';
  },
  'GET /docs-json': ({ raw }) => {
    document ??= buildOpenApi() as { openapi: string };
    // Without the gateway and its path, the operations are at the address of the document.
    return { ...document, servers: [{ url: raw.request.client.prefix || '/' }] };
  },
  'GET /docs': async ({ raw }) => {
    await sendDocsPage(raw.request, raw.reply);
    return '';
  },
  // Boot passes the queue board to the server, which then serves it here. Without it the path does
  // not exist.
  'GET /admin/queues': () => {
    throw notFound();
  },
});
