import { Agent, errors, request, type Dispatcher } from 'undici';
import type { WebhookReply, WebhookRequest, WebhookSender } from '../domain/ports.ts';
import { createAddressRules } from './address-rules.ts';
import { createConnector, RefusedAddress, type Lookup } from './connect.ts';
import { judgeUrl } from './judge-url.ts';
import { createLookup } from './lookup.ts';

export interface SenderOptions {
  allowedSubnets: readonly string[];
  /** Ports of our own services, refused on private addresses. */
  ownPorts?: readonly number[];
  /** Tests bring names of their own. */
  lookup?: Lookup;
}

/** Read at most; more is not waited for. */
const readBytes = 64 * 1024;
const keptBytes = 4 * 1024;
const keptHeaders = 40;

export function createWebhookSender(
  options: SenderOptions,
): WebhookSender & { close(): Promise<void> } {
  const lookup = options.lookup ?? createLookup();
  const rules = createAddressRules({
    allowedSubnets: options.allowedSubnets,
    ownPorts: options.ownPorts ?? [],
  });
  // Every delivery has a connection of its own: one that was kept may be closed by its receiver just as we write.
  const agent = new Agent({
    connect: createConnector(rules, lookup),
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    judge: (url) => judgeUrl(url, rules, lookup),
    send: (question) => send(question, agent),
    close: () => agent.destroy(),
  };
}

async function send(question: WebhookRequest, dispatcher: Dispatcher): Promise<WebhookReply> {
  const startedMs = performance.now();
  const limit = limitTime(question.signal, question.timeoutMs);
  const reply: WebhookReply = { status: null, error: null, latencyMs: 0, headers: {}, head: '' };
  try {
    const { url, headers, body } = question;
    const answer = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal: limit.signal,
      reset: true,
    });
    reply.status = answer.statusCode;
    reply.headers = keepHeaders(answer.headers);
    reply.head = await readHead(answer, limit.signal);
  } catch (error) {
    question.signal.throwIfAborted();
    reply.error = limit.signal.aborted ? 'timeout' : markerOf(error);
  } finally {
    limit.end();
    reply.latencyMs = Math.round(performance.now() - startedMs);
  }
  return reply;
}

function limitTime(
  caller: AbortSignal,
  timeoutMs: number,
): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController();
  const stop = () => controller.abort();
  if (caller.aborted) stop();
  const timer = setTimeout(stop, timeoutMs);
  caller.addEventListener('abort', stop, { once: true });
  const end = () => {
    clearTimeout(timer);
    caller.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, end };
}

/** The bytes as they came: nothing is unpacked, so nothing can unpack to more than it is. */
async function readHead(answer: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= readBytes) break;
  }
  signal.throwIfAborted();
  const encoding = answer.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return `(${String(encoding).slice(0, 40)}, not read)`;
  return storable(Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8'));
}

function keepHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const kept = Object.entries(headers)
    .filter(([name, value]) => value !== undefined && name !== 'set-cookie')
    .slice(0, keptHeaders);
  return Object.fromEntries(
    kept.map(([name, value]) => [
      storable(name.slice(0, 100)),
      storable(String(value).slice(0, 300)),
    ]),
  );
}

const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

const resetCodes = new Set([
  'ECONNRESET',
  'EPIPE',
  'UND_ERR_SOCKET',
  'UND_ERR_ABORTED',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
]);
const connectCodes = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

function markerOf(error: unknown): string {
  const causes =
    error instanceof AggregateError ? error.errors : [error, (error as Error | undefined)?.cause];
  if (causes.some((cause) => cause instanceof RefusedAddress)) return 'address';
  const code =
    causes
      .map((cause) => (cause as { code?: unknown } | undefined)?.code)
      .find((found) => typeof found === 'string') ?? '';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns';
  if (connectCodes.has(code)) return 'connect';
  if (code.includes('TIMEOUT') || code === 'ETIMEDOUT') return 'timeout';
  if (resetCodes.has(code)) return 'reset';
  if (
    code.startsWith('ERR_TLS') ||
    code.startsWith('ERR_SSL') ||
    code.includes('CERT') ||
    code.includes('SIGNATURE')
  )
    return 'tls';
  const isUnreadable =
    code.startsWith('HPE_') ||
    code === 'UND_ERR_HEADERS_OVERFLOW' ||
    causes.some((cause) => cause instanceof errors.HTTPParserError);
  return isUnreadable ? 'protocol' : 'network';
}
