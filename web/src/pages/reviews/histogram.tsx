import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { formatCount, formatCountry, formatDay, formatShare } from '#web/format.ts';
import type { RatingDay } from '#web/queries/reviews.ts';
import styles from './reviews-page.module.css';

/** All ratings of a country by stars. */
export function Histogram({ day }: { day: RatingDay }) {
  const { t } = useTranslation();
  const counts = day.histogram ?? [];
  const all = counts.reduce((sum, count) => sum + count, 0);
  return (
    <Card
      title={t('reviews.histogram')}
      lead={t('reviews.histogramLead', {
        country: formatCountry(day.country),
        day: formatDay(day.date, true),
      })}
    >
      <dl className={styles.histogram}>
        {[5, 4, 3, 2, 1].map((star) => {
          const count = counts[star - 1] ?? 0;
          const share = all === 0 ? 0 : count / all;
          return (
            <div key={star}>
              <dt>{star} ★</dt>
              <dd className={styles.bar} aria-hidden>
                <span data-star={star} style={{ width: `${share * 100}%` }} />
              </dd>
              <dd className="num">
                {formatCount(count)} <span className="muted">{formatShare(share)}</span>
              </dd>
            </div>
          );
        })}
      </dl>
    </Card>
  );
}
