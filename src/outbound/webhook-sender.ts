import { Agent, errors, request, type Dispatcher } from 'undici';
import type { WebhookReply, WebhookRequest, WebhookSender } from '#domain/base/ports.ts';
import { inChildSpan } from '#lib/tracing.ts';
import { createAddressRules } from './address-rules.ts';
import { createConnector, BlockedAddressError, type Lookup } from './connector.ts';
import { checkUrlForSsrf } from './ssrf-guard.ts';
import { createLookup } from './lookup.ts';

export interface SenderOptions {
  allowedSubnets: readonly string[];
  /** Ports of our own services, blocked on private addresses. */
  ownPorts?: readonly number[];
  /** Tests inject their own lookup. */
  lookup?: Lookup;
}

/** The maximum number of bytes that are read from a response. */
const readBytes = 64 * 1024;
const maxStoredBytes = 4 * 1024;
const maxStoredHeaders = 40;

export function createWebhookSender(
  options: SenderOptions,
): WebhookSender & { close(): Promise<void> } {
  const lookup = options.lookup ?? createLookup();
  const rules = createAddressRules({
    allowedSubnets: options.allowedSubnets,
    ownPorts: options.ownPorts ?? [],
  });
  // Each delivery has its own connection, because the receiver may close a pooled one while we
  // write.
  const agent = new Agent({
    connect: createConnector(rules, lookup),
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    checkUrl: (url) => checkUrlForSsrf(url, rules, lookup),
    send: (question) => sendInSpan(question, agent),
    close: () => agent.destroy(),
  };
}

/** Receivers get no trace context: it is ours, and the address is a workspace's. */
function sendInSpan(question: WebhookRequest, agent: Dispatcher): Promise<WebhookReply> {
  const attributes = { 'http.request.method': 'POST' };
  return inChildSpan({ name: 'POST', kind: 'client', attributes }, async (span) => {
    const reply = await send(question, agent);
    if (reply.status !== null) span?.set({ 'http.response.status_code': reply.status });
    if (reply.error !== null) span?.fail(reply.error);
    else if (reply.status !== null && reply.status >= 400) span?.fail(String(reply.status));
    return reply;
  });
}

async function send(question: WebhookRequest, dispatcher: Dispatcher): Promise<WebhookReply> {
  const startedMs = performance.now();
  const limit = limitTime(question.signal, question.timeoutMs);
  const reply: WebhookReply = { status: null, error: null, latencyMs: 0, headers: {}, head: '' };
  try {
    const { url, headers, body } = question;
    const response = await request(url, {
      method: 'POST',
      headers,
      body,
      dispatcher,
      signal: limit.signal,
      reset: true,
    });
    reply.status = response.statusCode;
    reply.headers = pickHeaders(response.headers);
    reply.head = await readHead(response, limit.signal);
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

/** Reads the raw bytes. Nothing is decompressed, so nothing can expand. */
async function readHead(response: Dispatcher.ResponseData, signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response.body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes >= readBytes) break;
  }
  signal.throwIfAborted();
  const encoding = response.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    return `(${String(encoding).slice(0, 40)}, not read)`;
  return storable(Buffer.concat(chunks).subarray(0, maxStoredBytes).toString('utf8'));
}

function pickHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const kept = Object.entries(headers)
    .filter(([name, value]) => value !== undefined && name !== 'set-cookie')
    .slice(0, maxStoredHeaders);
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
  if (causes.some((cause) => cause instanceof BlockedAddressError)) return 'address';
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
