import type { FastifyRequest } from 'fastify';

/** The path of a request with its ids, and without the query. */
export const pathOf = ({ url }: Pick<FastifyRequest, 'url'>): string => url.split('?')[0] ?? '';
