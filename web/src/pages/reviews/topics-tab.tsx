import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { DataTable, type DataColumn } from '#web/components/data-table.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { ToggleChip } from '#web/components/toggle-chip.tsx';
import { formatCount, formatDecimal } from '#web/format.ts';
import { reviewTopicsQuery, type ReviewTopic } from '#web/queries/reviews.ts';
import { readScope, spanOfScope } from '#web/scope.ts';
import { useSearchValue } from '#web/search-value.ts';
import styles from './reviews-page.module.css';

const negative = '1,2';
const positive = '4,5';

export function TopicsTab({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const scope = readScope(useSearch({ strict: false }));
  const [asked, setStars] = useSearchValue('of');
  const stars = asked === negative || asked === positive ? asked : undefined;
  const query = useQuery(reviewTopicsQuery(appId, scope.country, spanOfScope(scope), stars));
  const columns: DataColumn<ReviewTopic>[] = [
    {
      id: 'phrase',
      head: t('reviews.topic'),
      cell: ({ phrase }) => (
        <Link
          to="."
          search={(before) => ({ ...before, tab: undefined, q: phrase, stars })}
          className={styles.topic}
        >
          <bdi>{phrase}</bdi>
        </Link>
      ),
      sortBy: ({ phrase }) => phrase,
    },
    {
      id: 'count',
      head: t('reviews.saidBy'),
      cell: ({ count }) => formatCount(count),
      sortBy: ({ count }) => count,
      isEnd: true,
    },
    {
      id: 'average',
      head: t('reviews.averageStars'),
      cell: ({ average }) => formatDecimal(average, 2),
      sortBy: ({ average }) => average,
      isEnd: true,
    },
    {
      id: 'stars',
      head: t('reviews.spread'),
      cell: ({ stars: counts }) => <Spread counts={counts} />,
      csv: ({ stars: counts }) => counts.join(' '),
    },
  ];
  return (
    <Card title={t('reviews.topics')} lead={t('reviews.topicsLead')} foldsLead>
      <div className={styles.chips} role="group" aria-label={t('reviews.byStars')}>
        <ToggleChip
          pressed={stars === negative}
          onPress={() => setStars(stars === negative ? null : negative)}
        >
          {t('reviews.onlyNegative')}
        </ToggleChip>
        <ToggleChip
          pressed={stars === positive}
          onPress={() => setStars(stars === positive ? null : positive)}
        >
          {t('reviews.onlyPositive')}
        </ToggleChip>
      </div>
      <Loaded query={query} height={360}>
        {({ items, examined, total }) => (
          <div className={styles.topics}>
            <p className={styles.examined}>
              {t('reviews.examined', {
                examined: formatCount(examined),
                total: formatCount(total),
              })}
            </p>
            <DataTable
              label={t('reviews.topics')}
              rows={items}
              columns={columns}
              keyOf={({ phrase }) => phrase}
              initialSort="-count"
              fileName={`review-topics-${appId}`}
            />
          </div>
        )}
      </Loaded>
    </Card>
  );
}

/** The ratings of the reviews that contain the phrase, as one bar with five parts. */
function Spread({ counts }: { counts: readonly number[] }) {
  const { t } = useTranslation();
  const label = counts
    .map((count, index) => t('reviews.starCount', { star: index + 1, count }))
    .join(', ');
  return (
    <span className={styles.spread} role="img" aria-label={label}>
      {counts.map((count, index) =>
        count === 0 ? null : (
          <span key={index} data-star={index + 1} style={{ flexGrow: count }} aria-hidden />
        ),
      )}
    </span>
  );
}
