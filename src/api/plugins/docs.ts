import { createHash } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { service } from '#contract/service.ts';

const operation = service['GET /docs'];
const scriptPath = '/docs/js/scalar.js';
const day = 86_400;

/**
 * Scalar's API reference, served entirely from this server: no font, script or telemetry from
 * another host. Addresses are relative, so it works behind /api/backend too. The plugin holds 4 MB
 * of script and is loaded on first use.
 */
const configuration = {
  url: 'docs-json',
  cdn: 'docs/js/scalar.js',
  pageTitle: 'Toprung API',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
} as const;

let scalar: Promise<{ page: string; policy: string; script: string }> | null = null;

async function loadScalar(): Promise<{ page: string; policy: string; script: string }> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const inner = Fastify();
  await inner.register(plugin, { routePrefix: '/docs', configuration: configuration });
  const { body: page } = await inner.inject('/docs/');
  const { body: script } = await inner.inject(scriptPath);
  await inner.close();
  return { page, script, policy: policyOf(page) };
}

/**
 * Allows the page's inline scripts by their hashes, and no others. Scalar adds its styles from a
 * script.
 */
function policyOf(page: string): string {
  const inline = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)].map(
    (match) => `'sha256-${createHash('sha256').update(match[1]!).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${inline.join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

export async function sendDocsPage(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  scalar ??= loadScalar();
  const { page, policy } = await scalar;
  reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
}

/** The page's script needs the same credential as the page. */
export function installDocs(app: FastifyInstance): void {
  app.get(scriptPath, { config: { key: 'GET /docs', operation } }, async (_request, reply) => {
    scalar ??= loadScalar();
    const { script } = await scalar;
    return reply
      .header('cache-control', `private, max-age=${day}`)
      .type('text/javascript; charset=utf-8')
      .send(script);
  });
}
