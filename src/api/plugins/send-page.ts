import type { FastifyReply } from 'fastify';

/**
 * No script, no form, nothing from other hosts. Our own pages may frame it, and its links open in a
 * new tab.
 */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  // The gateway forbids every frame unless this header allows it.
  const headers = { 'content-security-policy': policy, 'x-frame-options': 'SAMEORIGIN' };
  return reply.headers(headers).type('text/html; charset=utf-8').send(html);
}
