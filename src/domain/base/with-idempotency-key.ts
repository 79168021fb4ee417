import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  claimKey,
  findKey,
  markCommitted,
  releaseClaim,
  renewClaim,
  deleteIdempotencyKey,
  deleteExpiredIdempotencyKeys,
  saveResponse,
  type KeyClaim,
} from '#db/queries/idempotency/idempotency.ts';
import { withLastStep, type Tx } from '#db/database.ts';
import type { Services } from './context.ts';
import { AppError } from './errors.ts';
import { PaymentError, StoreError } from './ports.ts';

const keptMs = 24 * 3_600_000;
/** Work whose process is alive renews its claim three times meanwhile, so that it runs once. */
const abandonedMs = 180_000;
const renewEveryMs = abandonedMs / 3;
const waitMaxMs = 12_000;
const waitStepMs = 40;

export interface SentResponse {
  status: number;
  body: string;
}

export interface KeyedRequest {
  workspaceId: number;
  /** `METHOD /path/{param}`: a key belongs to an operation. */
  operation: string;
  /** As the caller sent it. */
  key: string;
  /** The complete request: the same key with another one is an error. */
  text: string;
  /** AUTH_SECRET. */
  secret: string;
}

/** The databases of the work: their transactions record in the key's row that they committed. */
export type KeyedDatabases = Pick<Services, 'appDb' | 'systemDb'>;

export interface KeyedWork {
  run: (databases: KeyedDatabases) => Promise<SentResponse>;
  /** The part of the response that is stored and repeated. */
  toReplay: (response: SentResponse) => SentResponse;
}

/**
 * Runs the work once per key in 24 hours; repeats return the stored response byte for byte. Work
 * that was committed without a response is not run again: throws idempotency_response_lost.
 */
export async function withIdempotencyKey(
  services: Services,
  request: KeyedRequest,
  work: KeyedWork,
): Promise<SentResponse> {
  const now = services.clock.now();
  const claim: KeyClaim = {
    workspaceId: request.workspaceId,
    key: hashText(`${request.operation}\n${request.key}`).toString('hex'),
    requestHash: hashText(request.text),
    now,
    retainedSince: new Date(now.getTime() - keptMs),
    abandonedBefore: new Date(now.getTime() - abandonedMs),
  };
  const cipher = createResponseCipher(request, claim);
  const earlier = await claimOrWait(services, claim);
  if (earlier) return { status: earlier.status, body: cipher.open(earlier.response) };
  return runAndSave(services, claim, cipher, work);
}

/**
 * Null: the caller runs the work. Otherwise the stored response, which is awaited while the work is
 * in flight.
 */
async function claimOrWait(
  { systemDb }: Services,
  claim: KeyClaim,
): Promise<{ status: number; response: string } | null> {
  const waitUntilMs = performance.now() + waitMaxMs;
  while (performance.now() < waitUntilMs) {
    if (await claimKey(systemDb, claim)) return null;
    const kept = await findKey(systemDb, claim);
    if (kept && !kept.requestHash.equals(claim.requestHash))
      throw new AppError('idempotency_mismatch');
    if (kept?.status && kept.response !== null)
      return { status: kept.status, response: kept.response };
    if (kept?.isLost) throw new AppError('idempotency_response_lost');
    await pause(waitStepMs);
  }
  throw new AppError(
    'unavailable',
    'The first request with this Idempotency-Key is still in progress.',
    { retryAfterSeconds: 5 },
  );
}

/** Errors are not stored, because nothing was done and the cause may be fixed. */
async function runAndSave(
  services: Services,
  claim: KeyClaim,
  cipher: ResponseCipher,
  work: KeyedWork,
): Promise<SentResponse> {
  const { systemDb, log, clock } = services;
  const { workspaceId, key } = claim;
  const renewing = setInterval(
    () => void renewClaim(systemDb, claim, clock.now()).catch(() => undefined),
    renewEveryMs,
  ).unref();
  let response: SentResponse;
  try {
    response = await work.run(markingDatabases(services, claim));
  } catch (error) {
    // After other errors, such as a connection lost with the commit, the work may be done.
    const end = isRefusal(error)
      ? deleteIdempotencyKey(systemDb, workspaceId, key)
      : releaseClaim(systemDb, claim);
    await end.catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewing);
  }
  try {
    const { status, body } = work.toReplay(response);
    await saveResponse(systemDb, { workspaceId, key, status, response: cipher.close(body) });
    await deleteExpiredIdempotencyKeys(systemDb, workspaceId, claim.retainedSince);
  } catch (error) {
    log.warn(
      { error: (error as Error).message },
      'a response could not be stored for its Idempotency-Key',
    );
    await releaseClaim(systemDb, claim).catch(() => undefined);
  }
  return response;
}

function markingDatabases({ appDb, systemDb, clock }: Services, claim: KeyClaim): KeyedDatabases {
  const mark = (tx: Tx) => markCommitted(tx, claim, clock.now());
  return { appDb: withLastStep(appDb, mark), systemDb: withLastStep(systemDb, mark) };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof AppError || error instanceof StoreError || error instanceof PaymentError;

interface ResponseCipher {
  close(text: string): string;
  open(text: string): string;
}

/** A stored response can be read only with AUTH_SECRET and the caller's own key. */
function createResponseCipher(request: KeyedRequest, claim: KeyClaim): ResponseCipher {
  const secret = Buffer.from(
    hkdfSync(
      'sha256',
      request.secret,
      claim.requestHash,
      `idempotency ${request.workspaceId} ${request.key}`,
      32,
    ),
  );
  return {
    close: (text) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce);
      return Buffer.concat([
        nonce,
        cipher.update(text),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64');
    },
    open: (text) => {
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(-16));
      try {
        return Buffer.concat([
          decipher.update(bytes.subarray(12, -16)),
          decipher.final(),
        ]).toString();
      } catch {
        throw new AppError(
          'idempotency_mismatch',
          'The stored response was encrypted with another AUTH_SECRET; use a new key.',
        );
      }
    },
  };
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
