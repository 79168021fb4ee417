import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { claimKey, findKey, forgetKey, forgetOldKeys, keepAnswer, type KeyClaim } from '../../db/queries/idempotency.ts';
import { AppError } from '../../domain/errors.ts';
import { stringifyExact } from '../../lib/json.ts';
import type { Route } from '../route.ts';

const keptMs = 24 * 3_600_000;
const abandonedMs = 60_000;
const waitMaxMs = 12_000;
const waitStepMs = 40;

export interface SentAnswer {
  status: number;
  body: string;
}

/** With an Idempotency-Key a POST is done once in 24 hours; its answer is given again, to the byte. */
export async function answerOnce(route: Route, request: FastifyRequest, handle: () => Promise<SentAnswer>): Promise<SentAnswer> {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return handle();
  const given = readKey(header);
  const { services } = request.server.api;
  const { workspaceId, actor } = request.identity!;
  const now = services.clock.now();
  const claim: KeyClaim = {
    workspaceId,
    key: hashText(`${route.key}\n${given}`).toString('hex'),
    requestHash: hashText([request.method, request.url, actor.userId, stringifyExact(request.body ?? null)].join('\n')),
    now,
    keptSince: new Date(now.getTime() - keptMs),
    abandonedBefore: new Date(now.getTime() - abandonedMs),
  };
  const seal = sealWith(request.server.api.authSecret, claim, given);
  const earlier = await claimOrWait(request, claim);
  if (earlier) return { status: earlier.status, body: seal.open(earlier.response) };
  return handleAndKeep(request, claim, seal, handle);
}

function readKey(header: string | string[]): string {
  if (typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header)) return header;
  throw new AppError('invalid_request', 'Idempotency-Key: 1 to 128 visible ASCII characters', {
    issues: [{ path: 'headers.idempotency-key', rule: '1 to 128 visible ASCII characters', limit: 128, actual: null }],
  });
}

/** Null: the caller is to do the work. Otherwise the answer of the one who did it, waited for when it is still at work. */
async function claimOrWait(request: FastifyRequest, claim: KeyClaim): Promise<{ status: number; response: string } | null> {
  const { systemDb } = request.server.api.services;
  const giveUpAtMs = performance.now() + waitMaxMs;
  while (performance.now() < giveUpAtMs) {
    if (await claimKey(systemDb, claim)) return null;
    const kept = await findKey(systemDb, claim.workspaceId, claim.key);
    if (kept && !kept.requestHash.equals(claim.requestHash)) throw new AppError('idempotency_mismatch');
    if (kept?.status && kept.response !== null) return { status: kept.status, response: kept.response };
    await pause(waitStepMs);
  }
  throw new AppError('unavailable', 'The first request with this Idempotency-Key is still at work.', { retryAfterSeconds: 5 });
}

/** A refusal is not kept: nothing was done, and what was wrong may be put right. */
async function handleAndKeep(request: FastifyRequest, claim: KeyClaim, seal: Seal, handle: () => Promise<SentAnswer>): Promise<SentAnswer> {
  const { systemDb, log } = request.server.api.services;
  const { workspaceId, key } = claim;
  let answer: SentAnswer;
  try {
    answer = await handle();
  } catch (error) {
    await forgetKey(systemDb, workspaceId, key).catch(() => undefined);
    throw error;
  }
  try {
    await keepAnswer(systemDb, { workspaceId, key, status: answer.status, response: seal.close(answer.body) });
    await forgetOldKeys(systemDb, workspaceId, claim.keptSince);
  } catch (error) {
    log.warn({ error: (error as Error).message }, 'an answer could not be kept for its Idempotency-Key');
  }
  return answer;
}

interface Seal {
  close(text: string): string;
  open(text: string): string;
}

/** The answer of POST /tokens holds the token: at rest it can be read only with AUTH_SECRET and the caller's own key. */
function sealWith(authSecret: string, claim: KeyClaim, given: string): Seal {
  const secret = Buffer.from(hkdfSync('sha256', authSecret, claim.requestHash, `idempotency ${claim.workspaceId} ${given}`, 32));
  return {
    close: (text) => {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', secret, nonce);
      return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64');
    },
    open: (text) => {
      const bytes = Buffer.from(text, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, 12));
      decipher.setAuthTag(bytes.subarray(-16));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString();
      } catch {
        throw new AppError('idempotency_mismatch', 'The kept answer was sealed with another AUTH_SECRET; use a new key.');
      }
    },
  };
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
