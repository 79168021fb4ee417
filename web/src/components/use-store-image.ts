import { useEffect, useState } from 'react';
import { imageIdentityOf, type ImageKind } from '#stores/profiles.ts';
import type { Store } from '../api.ts';
import { apiPath } from '../base-path.ts';

/** The server fetches a picture after the first request for it. */
const lookAgainMs = [1_500, 4_000, 10_000, 30_000];

/** The address of a store's picture on our own origin; null where the store has none to fetch. */
export function imageAddress(store: Store, kind: ImageKind, url: string | null | undefined) {
  if (!url || imageIdentityOf(store, url) === null) return null;
  return `${apiPath}/images?${new URLSearchParams({ store, kind, url }).toString()}`;
}

/**
 * The properties of an `img` that is shown once it has loaded: `isLoaded`. A picture that is not
 * on the server yet is looked for again, a few times.
 */
export function useStoreImage(source: string) {
  const [known, setKnown] = useState({ source, isLoaded: false, failures: 0, version: 0 });
  const state =
    known.source === source ? known : { source, isLoaded: false, failures: 0, version: 0 };
  const { isLoaded, failures, version } = state;
  useEffect(() => {
    const waitMs = lookAgainMs[failures - 1];
    if (waitMs === undefined || isLoaded) return;
    const stop = new AbortController();
    const again = { source, isLoaded, version };
    const timer = setTimeout(() => {
      // The response fills the browser's cache, from which a new element takes the picture.
      fetch(source, { cache: 'reload', signal: stop.signal })
        .then(async (response) => {
          await response.arrayBuffer();
          if (response.status === 200)
            setKnown({ ...again, version: version + 1, failures: lookAgainMs.length + 1 });
          else if (response.status === 202) setKnown({ ...again, failures: failures + 1 });
        })
        .catch(() => undefined);
    }, waitMs);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [source, isLoaded, failures, version]);
  return {
    isLoaded,
    key: `${source} ${version}`,
    properties: {
      src: source,
      alt: '',
      loading: 'lazy' as const,
      decoding: 'async' as const,
      onLoad: () => setKnown({ ...state, isLoaded: true }),
      onError: () => failures === 0 && setKnown({ ...state, failures: 1 }),
    },
  };
}
