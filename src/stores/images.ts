import {
  StoreError,
  type Clock,
  type ImageKind,
  type ImageSource,
  type StoreImage,
  type StoreName,
} from '#domain/base/ports.ts';
import { EgressError, fetchBytes, type EgressBytes } from './egress/fetch.ts';
import type { EgressPool } from './egress/pool.ts';
import type { Grant, Pacer } from './pace.ts';
import { profileOf } from './profiles.ts';
import { readImage } from './read-image.ts';
import { failureByStatus } from './refusals.ts';
import { badRequest, notOffered, unavailable, unreadable } from './store-errors.ts';
import { hostRoot } from './urls.ts';

/** A thumbnail has 5 to 60 KB. */
const maxImageBytes = 512 * 1024;
const timeoutMs = 15_000;

export interface ImageSourceOptions {
  /** As in `StoresOptions`. */
  baseUrl: string | null;
  pacer: Pacer;
  egress: EgressPool;
  clock: Clock;
}

/**
 * The image servers of the stores. Each has a pace of its own, so pictures take nothing from
 * checks, and a failure there says nothing about an egress endpoint or the store.
 */
export function createImageSource(options: ImageSourceOptions): ImageSource {
  const root = hostRoot(options.baseUrl);
  return {
    async read({ store, kind, identity }, signal) {
      const { host, path } = addressOf(store, kind, identity);
      const grant = await options.pacer.acquire(store, { signal, lane: 'run', host });
      const counted = { requests: 1, bytes: 0, refused: 0 };
      try {
        const reply = await fetchImage(options, `${root(host)}${path}`, grant, signal);
        counted.bytes = reply.wireBytes;
        const image = evaluate(store, reply, options.clock);
        options.pacer.succeeded(grant);
        return image;
      } catch (error) {
        if (error instanceof EgressError) counted.bytes = error.wireBytes;
        const failed =
          error instanceof EgressError ? unavailable(store, error.marker, error.cause) : error;
        if (failed instanceof StoreError && failed.failure === 'refused') {
          counted.refused = 1;
          await options.pacer.refused(grant, failed).catch(() => {});
        }
        throw failed;
      } finally {
        options.pacer.counted(store, 'image', counted);
      }
    },
  };
}

function addressOf(store: StoreName, kind: ImageKind, identity: string) {
  const { images } = profileOf(store);
  if (images === null || !identity.startsWith('/'))
    throw badRequest(store, 'image', 'the path of a picture');
  return { host: images.host, path: `${identity}${images.size[kind]}` };
}

function fetchImage(
  { egress }: ImageSourceOptions,
  url: string,
  { endpoint }: Grant,
  signal: AbortSignal,
): Promise<EgressBytes> {
  return fetchBytes({
    url,
    method: 'GET',
    headers: { accept: 'image/webp,image/png,image/jpeg' },
    body: null,
    dispatcher: egress.dispatcher(endpoint),
    signal,
    timeoutMs,
    maxBodyBytes: maxImageBytes,
  });
}

/** Redirects are failures: they are never followed. */
function evaluate(store: StoreName, reply: EgressBytes, clock: Clock): StoreImage {
  const { bytes, ...received } = reply;
  // Pages of refusals are short; a picture is not a text.
  const body = reply.status === 200 ? '' : bytes.subarray(0, 16_384).toString('utf8');
  const failure = failureByStatus(store, { ...received, body }, clock.now());
  if (failure !== null) throw failure;
  if (reply.status !== 200) throw notOffered(store, String(reply.status), 'no such picture');
  const image = readImage(bytes);
  if (image === null) throw unreadable(store, 'image', 'no PNG, JPEG or WebP of a sane size');
  return image;
}
