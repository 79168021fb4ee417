import { useTranslation } from 'react-i18next';
import type { Store } from '../api.ts';
import styles from './screenshots.module.css';
import { imageAddress, useStoreImage } from './use-store-image.ts';

interface Props {
  store: Store;
  /** As the API has them: addresses in the store, in their order. */
  urls: readonly string[];
  /** For screen readers: `Screenshots of Lumen`. */
  label: string;
  /** The state of each, where two sets are compared. */
  states?: readonly (string | null)[];
}

/** Screenshots in a row that scrolls sideways, with their numbers. */
export function Screenshots({ store, urls, label, states }: Props) {
  const { t } = useTranslation();
  return (
    <ol className={styles.screenshots} aria-label={label} tabIndex={0}>
      {urls.map((url, index) => {
        const source = imageAddress(store, 'screenshot', url);
        const state = states?.[index] ?? null;
        return (
          <li key={url} className={styles.screenshot} data-state={state ?? undefined}>
            <span className={styles.frame}>
              <span className={styles.number} aria-hidden>
                {index + 1}
              </span>
              {source && (
                <Picture source={source} label={t('screenshots.one', { number: index + 1 })} />
              )}
            </span>
            {state && <span className={styles.state}>{state}</span>}
          </li>
        );
      })}
    </ol>
  );
}

function Picture({ source, label }: { source: string; label: string }) {
  const { key, isLoaded, properties } = useStoreImage(source);
  return (
    <img
      key={key}
      {...properties}
      alt={label}
      className={styles.picture}
      data-loaded={isLoaded || undefined}
    />
  );
}
