import { operations } from '#contract/index.ts';
import { listingDrafts } from '#contract/listing-drafts.ts';
import type { Operation } from '#contract/operation.ts';
import type { Credential, RawResponse, TestApi } from './api.ts';
import { findViolations } from './openapi-violations.ts';
import type { Described, Description } from './openapi.ts';
import { addressOf, type GeneratedRequest } from './openapi-requests.ts';
import { signEvent } from './stripe-stub.ts';

export interface Sender {
  /** Sends, checks and records. */
  send(
    operation: Described,
    request: GeneratedRequest,
    credential: Credential | null,
    on?: TestApi,
  ): Promise<RawResponse>;
  /** `key status` of every response so far. */
  seen: Set<string>;
  faults: string[];
}

/**
 * Each request comes from an address of its own, so that sign-in throttling does not count them.
 * Routes that need plans are sent to `metered`, a server over the same database.
 */
export function createSender({
  api,
  metered,
  description,
}: {
  api: TestApi;
  metered: TestApi;
  description: Description;
}): Sender {
  let sent = 0;
  const sender: Sender = {
    seen: new Set(),
    faults: [],
    send: async (
      operation,
      request,
      credential,
      on = policyOf(operation).metered ? metered : api,
    ) => {
      sent += 1;
      const isZip =
        policyOf(operation).streams !== undefined &&
        request.body === null &&
        request.invalid === null;
      const headers = {
        'x-forwarded-for':
          credential?.headers['x-forwarded-for'] ??
          `127.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
        ...(operation.rateClass === 'auth' && { 'sec-fetch-site': 'same-origin' }),
        ...(request.mediaType !== null && { 'content-type': request.mediaType }),
        ...(isZip && { 'content-type': 'application/zip' }),
        ...(policyOf(operation).signed &&
          isWhole(request) && {
            'stripe-signature': signEvent(request.body, { at: on.clock.now() }),
          }),
      };
      const plain = request.body === null ? null : Buffer.from(request.body);
      const body = isZip ? Buffer.from(zipExample, 'base64') : plain;
      const response = await on.raw(
        addressOf(request),
        { method: request.method, headers, body },
        credential,
      );
      sender.seen.add(`${operation.key} ${response.status}`);
      const found =
        response.status === 405 || (response.status === 404 && isElsewhere(request))
          ? []
          : findViolations(description, operation, request, response);
      if (found.length > 0 && (on === api || on === metered))
        sender.faults.push(
          `${operation.key}: ${found.join('; ')}\n  ${show(request)}\n  → ${response.status} ` +
            `${response.text.slice(0, 300).replace(/\s+/g, ' ')}`,
        );
      return response;
    },
  };
  return sender;
}

const zipExample = listingDrafts['POST /listing-drafts/{id}/zip/preview'].example.zip;
const policyOf = ({ key }: Described): Operation => (operations as Record<string, Operation>)[key]!;
/** A broken request on purpose is not signed. */
const isWhole = (request: GeneratedRequest): request is GeneratedRequest & { body: string } =>
  request.body !== null && request.invalid === null;

/** A path with an empty segment is another path, or none. */
const isElsewhere = (request: GeneratedRequest): boolean =>
  Object.values(request.path).some((text) => text === '' || text.includes('/'));

export const show = (request: GeneratedRequest): string =>
  `${request.method} ${addressOf(request).slice(0, 200)} ${request.mediaType ?? ''} ` +
  `${request.body?.slice(0, 300) ?? ''}`;
