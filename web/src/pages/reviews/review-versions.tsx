import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Loaded } from '#web/components/loaded.tsx';
import { formatInstant } from '#web/format.ts';
import { reviewQuery } from '#web/queries/reviews.ts';
import styles from './review-row.module.css';
import { Stars } from './stars.tsx';

/** Previous versions of an edited review, oldest first. */
export function ReviewVersions({ reviewId }: { reviewId: number }) {
  const { t } = useTranslation();
  const query = useQuery(reviewQuery(reviewId));
  return (
    <Loaded query={query} height={80}>
      {({ history }) =>
        history.length === 0 ? (
          <p className="muted">{t('reviews.noVersions')}</p>
        ) : (
          <ol className={styles.versions}>
            {history.map((version) => (
              <li key={version.replacedAt}>
                <p className={styles.foot}>
                  <Stars rating={version.rating} />
                  <span>{t('reviews.until', { at: formatInstant(version.replacedAt) })}</span>
                </p>
                {version.title && (
                  <p className={styles.title} dir="auto">
                    {version.title}
                  </p>
                )}
                <p className={styles.body} dir="auto">
                  {version.body}
                </p>
              </li>
            ))}
          </ol>
        )
      }
    </Loaded>
  );
}
