import { useTranslation } from 'react-i18next';
import type { Store } from '../api.ts';
import styles from './screenshots.module.css';
import { StoreImage } from './store-image.tsx';

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
        const state = states?.[index] ?? null;
        return (
          <li key={url} className={styles.screenshot} data-state={state ?? undefined}>
            <span className={styles.frame}>
              <span aria-hidden>{index + 1}</span>
              <StoreImage
                store={store}
                kind="screenshot"
                url={url}
                alt={t('screenshots.one', { number: index + 1 })}
              />
            </span>
            {state && <strong>{state}</strong>}
          </li>
        );
      })}
    </ol>
  );
}
