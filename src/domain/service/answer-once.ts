import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  claimKey,
  findKey,
  forgetKey,
  forgetOldKeys,
  keepAnswer,
  type KeyClaim,
} from '../../db/queries/idempotency.ts';
import type { Services } from '../context.ts';
import { AppError } from '../errors.ts';

const keptMs = 24 * 3_600_000;
/** Longer than any request may take (a store has 120 s): one that is still at work is never done a second time. */
const abandonedMs = 180_000;
const waitMaxMs = 12_000;
const waitStepMs = 40;

export interface SentAnswer {
  status: number;
  body: string;
}

export interface KeyedRequest {
  workspaceId: number;
  /** `METHOD /path/{param}`: a key belongs to an operation. */
  operation: string;
  /** As the caller sent it. */
  key: string;
  /** Who asks for what, in full: the same key for anything else is a mistake. */
  text: string;
  /** AUTH_SECRET. */
  secret: string;
}

/** Does the work once in 24 hours for a key; gives the first answer again, to the byte. */
export async function answerOnce(
  services: Services,
  request: KeyedRequest,
  work: () => Promise<SentAnswer>,
): Promise<SentAnswer> {
  const now = services.clock.now();
  const claim: KeyClaim = {
    workspaceId: request.workspaceId,
    key: hashText(`${request.operation}\n${request.key}`).toString('hex'),
    requestHash: hashText(request.text),
    now,
    keptSince: new Date(now.getTime() - keptMs),
    abandonedBefore: new Date(now.getTime() - abandonedMs),
  };
  const seal = sealWith(request, claim);
  const earlier = await claimOrWait(services, claim);
  if (earlier) return { status: earlier.status, body: seal.open(earlier.response) };
  return workAndKeep(services, claim, seal, work);
}

/** Null: the caller is to do the work. Otherwise the answer of the one who did it, waited for when it is still at work. */
async function claimOrWait(
  { systemDb }: Services,
  claim: KeyClaim,
): Promise<{ status: number; response: string } | null> {
  const giveUpAtMs = performance.now() + waitMaxMs;
  while (performance.now() < giveUpAtMs) {
    if (await claimKey(systemDb, claim)) return null;
    const kept = await findKey(systemDb, claim.workspaceId, claim.key);
    if (kept && !kept.requestHash.equals(claim.requestHash))
      throw new AppError('idempotency_mismatch');
    if (kept?.status && kept.response !== null)
      return { status: kept.status, response: kept.response };
    await pause(waitStepMs);
  }
  throw new AppError(
    'unavailable',
    'The first request with this Idempotency-Key is still at work.',
    { retryAfterSeconds: 5 },
  );
}

/** A refusal is not kept: nothing was done, and what was wrong may be put right. */
async function workAndKeep(
  { systemDb, log }: Services,
  claim: KeyClaim,
  seal: Seal,
  work: () => Promise<SentAnswer>,
): Promise<SentAnswer> {
  const { workspaceId, key } = claim;
  let answer: SentAnswer;
  try {
    answer = await work();
  } catch (error) {
    await forgetKey(systemDb, workspaceId, key).catch(() => undefined);
    throw error;
  }
  try {
    await keepAnswer(systemDb, {
      workspaceId,
      key,
      status: answer.status,
      response: seal.close(answer.body),
    });
    await forgetOldKeys(systemDb, workspaceId, claim.keptSince);
  } catch (error) {
    log.warn(
      { error: (error as Error).message },
      'an answer could not be kept for its Idempotency-Key',
    );
  }
  return answer;
}

interface Seal {
  close(text: string): string;
  open(text: string): string;
}

/** The answer of POST /tokens holds the token: at rest it can be read only with AUTH_SECRET and the caller's own key. */
function sealWith(request: KeyedRequest, claim: KeyClaim): Seal {
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
          'The kept answer was sealed with another AUTH_SECRET; use a new key.',
        );
      }
    },
  };
}

function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
