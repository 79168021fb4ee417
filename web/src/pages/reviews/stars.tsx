import { useTranslation } from 'react-i18next';
import styles from './stars.module.css';

const all = [1, 2, 3, 4, 5];

/** One to five stars, with text. */
export function Stars({ rating }: { rating: number }) {
  const { t } = useTranslation();
  return (
    <span className={styles.stars} role="img" aria-label={t('reviews.stars', { count: rating })}>
      {all.map((star) => (
        <span key={star} aria-hidden data-full={star <= rating || undefined}>
          ★
        </span>
      ))}
    </span>
  );
}
