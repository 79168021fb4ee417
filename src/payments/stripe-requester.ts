import type { Stripe } from 'stripe';
import { PaymentError } from '#domain/base/ports.ts';
import type { Logger } from '#lib/logger.ts';

/** The limit for one request. A checkout sends up to four, one after another. */
const timeoutMs = 4_500;

export interface StripeAccess {
  secretKey: string;
  /** The address of a test server instead of Stripe: scheme, host and port only. */
  baseUrl: string | null;
  log: Logger;
}

export interface StripeRequester {
  /** Throws PaymentError when there is no usable response in time. */
  ask<T>(question: (stripe: Stripe) => Promise<T>): Promise<T>;
  /** The library, for verifying signed events. */
  library(): Promise<Stripe>;
}

/** Loads the library with the first request, because it is large. */
export function createStripeRequester({ secretKey, baseUrl, log }: StripeAccess): StripeRequester {
  let opening: Promise<Stripe> | null = null;
  const library = () => (opening ??= open(secretKey, baseUrl));
  return {
    library,
    ask: async (question) => {
      const stripe = await library();
      try {
        return await within(timeoutMs, question(stripe));
      } catch (error) {
        if (!(error instanceof stripe.errors.StripeError || error instanceof Late)) throw error;
        const { code, param, type, requestId } = error as Partial<Stripe.errors.StripeError>;
        log.warn(
          { error: error.message, type, code, request: requestId },
          'request to Stripe failed',
        );
        const isCustomer = code === 'resource_missing' && (param === 'customer' || param === 'id');
        throw new PaymentError(isCustomer ? 'unknown_customer' : 'unavailable', error.message, {
          cause: error,
        });
      }
    },
  };
}

async function open(secretKey: string, baseUrl: string | null): Promise<Stripe> {
  const { Stripe: Library } = await import('stripe');
  return new Library(secretKey, {
    apiVersion: '2026-10-28.endive',
    telemetry: false,
    timeout: timeoutMs,
    // Callers retry, and Stripe sends its events again.
    maxNetworkRetries: 0,
    ...(baseUrl !== null && addressOf(new URL(baseUrl))),
  });
}

function addressOf({ protocol, hostname, port }: URL): {
  protocol: 'http' | 'https';
  host: string;
  port: string;
} {
  const isPlain = protocol === 'http:';
  return {
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port || (isPlain ? '80' : '443'),
  };
}

class Late extends Error {}

/**
 * Limits the whole request, because the library's own timeout restarts with each chunk of a
 * response.
 */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Late(`Stripe took longer than ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
