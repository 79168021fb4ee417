import type { FastifyRequest } from 'fastify';

/** The address of the dashboard as configured, or else as the requesting user typed it. */
export function requestBaseUrl({ server, client }: FastifyRequest): string {
  const typed = `${client.https ? 'https' : 'http'}://${client.host}`;
  return server.api.config.publicUrl ?? (URL.canParse(typed) ? new URL(typed).origin : '');
}
