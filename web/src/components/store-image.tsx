import { useState } from 'react';
import { imageIdentityOf, type ImageKind } from '#stores/profiles.ts';
import type { Store } from '../api.ts';
import { apiPath } from '../base-path.ts';
import styles from './store-image.module.css';

/** The server fetches a picture after the first request for it. */
const lookAgainMs = [1_500, 4_000, 10_000, 30_000];

interface Props {
  store: Store;
  kind: ImageKind;
  /** The address in the store. */
  url: string;
  alt?: string;
}

/**
 * A picture of a store from our own origin, over what is behind it. Nothing until it has loaded; it
 * is looked for again, a few times.
 */
export function StoreImage({ store, kind, url, alt = '' }: Props) {
  const [loaded, setLoaded] = useState('');
  const [tries, setTries] = useState(0);
  if (imageIdentityOf(store, url) === null) return null;
  const waitMs = lookAgainMs[tries];
  return (
    <img
      key={url + tries}
      className={styles.image}
      src={`${apiPath}/images?${new URLSearchParams({ store, kind, url }).toString()}`}
      alt={alt}
      loading="lazy"
      data-loaded={loaded === url || undefined}
      onLoad={() => setLoaded(url)}
      onError={() => waitMs && setTimeout(() => setTries(tries + 1), waitMs)}
    />
  );
}
