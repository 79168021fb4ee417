import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';

/** Sends the dashboard's document, whose files are below the path of PUBLIC_URL. */
export function createPageSender(webDist: string, basePath: string) {
  if (basePath === '') return (reply: FastifyReply) => reply.sendFile('index.html');
  return async (reply: FastifyReply) => {
    const document = await readFile(join(webDist, 'index.html'), 'utf8');
    return reply
      .headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
      .send(addBasePath(document, basePath));
  };
}

/** The path has only letters, digits, `_`, `-` and `/`, so it needs no escaping. */
const addBasePath = (document: string, basePath: string): string =>
  document
    .replaceAll(/(?<=(?:src|href)=")\/(?!\/)/g, `${basePath}/`)
    .replace('<html', `<html data-base-path="${basePath}"`);
