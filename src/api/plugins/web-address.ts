import type { FastifyRequest } from 'fastify';

/** Where the dashboard is: as configured, else as the owner who asks has typed it. */
export function webAddressOf({ server, client }: FastifyRequest): string {
  const typed = `${client.https ? 'https' : 'http'}://${client.host}`;
  return server.api.config.publicUrl ?? (URL.canParse(typed) ? new URL(typed).origin : '');
}
