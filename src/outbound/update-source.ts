import { request, type Dispatcher } from 'undici';
import type { UpdateSource } from '#domain/base/ports.ts';
import { parseRelease } from '#lib/release-version.ts';

const timeoutMs = 10_000;
const maxBytes = 64 * 1024;

/**
 * Reads the newest release from a JSON document: its `version`, `tag_name`, `latest.version` or
 * `dist-tags.latest`. The request says nothing about this instance, and redirects are not followed.
 * Of the response a version is used and nothing else.
 */
export function createUpdateSource(url: string): UpdateSource {
  return {
    readNewest: async () => {
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await request(url, {
        // GitHub refuses a request without a user agent; this one names no version.
        headers: { accept: 'application/json', 'user-agent': 'toprung' },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        reset: true,
        signal,
      });
      const text = await readText(response);
      if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
      const version = findVersion(parseJson(text));
      if (version === null) throw new Error('the response names no released version');
      return version;
    },
  };
}

async function readText({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the response is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the response is not JSON');
  }
}

function findVersion(document: unknown): string | null {
  const members = [
    memberOf(document, 'version'),
    memberOf(document, 'tag_name'),
    memberOf(memberOf(document, 'latest'), 'version'),
    memberOf(memberOf(document, 'dist-tags'), 'latest'),
  ];
  const found = members.find((member) => typeof member === 'string');
  return found === undefined ? null : parseRelease(found);
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
