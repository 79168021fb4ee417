import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  errorCatalogue,
  type ErrorCode,
  type ErrorEnvelope,
  type Issue,
} from '#contract/errors.ts';
import type { Operation } from '#contract/operation.ts';
import { AppError, invalid, notFound, type ErrorDetail } from '#domain/base/errors.ts';
import { PaymentError, StoreError } from '#domain/base/ports.ts';
import { stringifyExact } from '#lib/json.ts';
import { safetyHeaders } from './headers.ts';

const databaseRetrySeconds = 2;
const paymentRetrySeconds = 10;

const invalidCursor: Issue = {
  path: 'query.cursor',
  code: 'invalid',
  message: 'a cursor that this list returned',
  limit: null,
  actual: null,
};

function envelope(
  code: ErrorCode,
  path: string,
  now: Date,
  message?: string,
  detail: ErrorDetail = {},
  status?: number,
): ErrorEnvelope {
  const kind = errorCatalogue[code];
  const statusCode = status ?? kind.status;
  return {
    statusCode,
    error: STATUS_CODES[statusCode] ?? 'Error',
    message: message ?? kind.meaning,
    code,
    path,
    timestamp: now.toISOString(),
    ...(statusCode === 400 && { issues: code === 'invalid_cursor' ? [invalidCursor] : [] }),
    ...detail,
  };
}

/** The reason with which the work of a request is aborted when its client disconnects. */
export class ClientLeftError extends Error {
  constructor() {
    super('the client disconnected');
    this.name = 'ClientLeftError';
  }
}

/**
 * Turns every error into a response. Unexpected errors are logged, and their details are not sent.
 */
export function installErrors(app: FastifyInstance, validateResponses: boolean): void {
  app.setErrorHandler((thrown: FastifyError, request, reply) => {
    const error = asAppError(thrown);
    request.wasAborted = thrown instanceof ClientLeftError;
    if (error === null) {
      app.api.services.log.error(
        {
          error: describe(thrown),
          stack: thrown.stack,
          operation: request.routeOptions.config.key,
        },
        'a request failed',
      );
    }
    sendError(
      request,
      reply,
      error ?? new AppError('internal', validateResponses ? thrown.message : undefined),
    );
  });
}

function sendError(request: FastifyRequest, reply: FastifyReply, error: AppError): void {
  const { services } = request.server.api;
  const body = envelope(
    error.code,
    pathOf(request.raw.url),
    services.clock.now(),
    error.message,
    locateIssues(error.detail, request),
  );
  if (body.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(body.retryAfterSeconds));
  if (body.etag !== undefined) reply.header('etag', body.etag);
  if (body.statusCode === 401) reply.header('www-authenticate', challengeOf(request));
  if (body.statusCode === 413) reply.header('connection', 'close');
  // Those of a stream that failed before its head was sent.
  reply.removeHeader('content-encoding').removeHeader('content-disposition');
  reply.code(body.statusCode).type('application/json; charset=utf-8').send(stringifyExact(body));
}

/** Verbs name a parameter without knowing where it was sent. */
function locateIssues(detail: ErrorDetail, request: FastifyRequest): ErrorDetail {
  const operation = request.routeOptions.config?.operation;
  if (!detail.issues || !operation) return detail;
  const issues = detail.issues.map((issue) => ({ ...issue, path: locate(issue.path, operation) }));
  return { ...detail, issues };
}

function locate(path: string, { query, params, body }: Operation): string {
  const isMember = (schema: Operation['query']) =>
    path in ((schema as { shape?: object } | undefined)?.shape ?? {});
  if (body && isMember(body)) return path;
  if (isMember(query)) return `query.${path}`;
  return isMember(params) ? `params.${path}` : path;
}

/** Feed readers support only Basic authentication. */
function challengeOf(request: FastifyRequest): string {
  return request.routeOptions.config?.operation?.basicAuth
    ? 'Basic realm="toprung", charset="UTF-8"'
    : 'Bearer realm="toprung"';
}

/** The response to a known error; null for an unexpected one. */
export function asAppError(error: FastifyError): AppError | null {
  if (error instanceof AppError) return withRetry(error);
  if (error instanceof ClientLeftError)
    return new AppError('invalid_request', 'The client left before its response.');
  if (error instanceof StoreError) return fromStore(error);
  if (error instanceof PaymentError)
    return new AppError('unavailable', 'The payment provider gave no usable response.', {
      retryAfterSeconds: paymentRetrySeconds,
    });
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new AppError('unsupported_media_type');
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('payload_too_large');
  // A path that leads out of a folder of files, as `..`, names nothing.
  if (error.code === 'FST_STATIC_FORBIDDEN_PATH') return notFound();
  if (isDeletedMeanwhile(error)) return notFound();
  if (isSecondOpenJob(error))
    return invalid('jobId', 'the same work is already open as a newer job');
  if (isDatabaseUnavailable(error))
    return new AppError('unavailable', undefined, { retryAfterSeconds: databaseRetrySeconds });
  const isOurs = error.code?.startsWith('FST_ERR_CTP') || error.code === 'FST_ERR_BAD_URL';
  if (isOurs)
    return new AppError('invalid_request', undefined, {
      issues: [
        {
          path: '',
          code: 'wrong_form',
          message: 'a well-formed request',
          limit: null,
          actual: null,
        },
      ],
    });
  return null;
}

/**
 * A job was retried while new work with its key was accepted. New work never violates this index:
 * it joins the open job.
 */
function isSecondOpenJob({ code, constraint }: FastifyError & { constraint?: string }): boolean {
  return code === '23505' && constraint === 'jobs_deduped';
}

/** The app, keyword or webhook was deleted after the request had found it. */
function isDeletedMeanwhile({ code, constraint }: FastifyError & { constraint?: string }): boolean {
  return code === '23503' && /_(app|keyword|webhook)_id_fkey$/.test(constraint ?? '');
}

function withRetry(error: AppError): AppError {
  const { status } = errorCatalogue[error.code];
  const needsRetry =
    (status === 429 || status === 503) && error.detail.retryAfterSeconds === undefined;
  return needsRetry
    ? new AppError(error.code, error.message, {
        ...error.detail,
        retryAfterSeconds: databaseRetrySeconds,
      })
    : error;
}

function fromStore(error: StoreError): AppError {
  if (error.failure === 'not_offered') return new AppError('store_app_not_found');
  if (error.failure === 'bad_request') {
    return new AppError('invalid_request', undefined, {
      issues: [{ path: '', message: 'a query that the store supports', limit: null, actual: null }],
    });
  }
  return new AppError('store_unavailable', undefined, {
    retryAfterSeconds: error.retryAfterSeconds,
  });
}

const databaseDownCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // too many connections, shutting down, starting up, statement or lock timeout, serialisation,
  // deadlock, disk or memory full
  '53300',
  '53100',
  '53200',
  '57P01',
  '57P02',
  '57P03',
  '57014',
  '55P03',
  '40001',
  '40P01',
  '25006',
]);
const databaseDownTexts = [
  'timeout exceeded when trying to connect',
  'connection terminated',
  'client has encountered a connection error',
  'after calling end on the pool',
  'query read timeout',
];

export function isDatabaseUnavailable(error: FastifyError): boolean {
  const code = String(error.code ?? '');
  return (
    databaseDownCodes.has(code) ||
    code.startsWith('08') ||
    databaseDownTexts.some((text) => error.message?.toLowerCase().includes(text))
  );
}

/**
 * `detail` of a database error may quote the values of a row. Message and code are enough to find
 * the cause.
 */
function describe(error: FastifyError): object {
  return { name: error.name, message: error.message, code: error.code };
}

/** Omits the query string, which may contain secrets. */
function pathOf(url: string | undefined): string {
  const path = (url ?? '').split('?')[0] ?? '';
  return path.isWellFormed() ? path : '';
}

/** Writes the error envelope directly to the socket when a request is not valid HTTP. */
export function sendClientError(error: Error & { code?: string }, socket: Socket, now: Date): void {
  if (!socket.writable || socket.destroyed) return;
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? 431
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 408
        : 400;
  const issue: Issue = {
    path: '',
    code: 'wrong_form',
    message: status === 431 ? 'headers of at most 16 KiB' : 'a well-formed HTTP request',
    limit: null,
    actual: null,
  };
  const body = JSON.stringify(
    envelope('invalid_request', '', now, STATUS_CODES[status], { issues: [issue] }, status),
  );
  const type = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const head = Object.entries({ ...safetyHeaders, ...type }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...head, '', body].join('\r\n'));
}
