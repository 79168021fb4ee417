import type { FastifyReply } from 'fastify';

/** No script, no form, nothing from elsewhere; a frame of our own pages may show it, and its links open beside it. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  // The gateway refuses every frame unless it is told otherwise.
  const headers = { 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' };
  return reply.headers(headers).type('text/html; charset=utf-8').send(html);
}
