import { Skeleton } from '@mantine/core';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { MarketChip } from '#web/components/market-chip.tsx';
import { drawDescription, drawWords, WordLegend } from '#web/components/phrase-words.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { drawSparkline } from '#web/components/sparkline.tsx';
import { ErrorNotice } from '#web/components/error-notice.tsx';
import type { Store } from '#web/api.ts';
import { isApiError } from '#web/describe-error.ts';
import { keywordQuery } from '#web/queries/keywords.ts';
import styles from './action-detail.module.css';

const maxShown = 8;

const isFailed = ({ data, error }: Pick<UseQueryResult, 'data' | 'error'>): boolean =>
  !data && error !== null && !isApiError(error, 'not_found');

/** The keywords of an action with their positions and 30-day trends. */
export function ActionKeywords({
  ids,
  store,
}: {
  ids: readonly number[];
  store: Store | undefined;
}) {
  const { t } = useTranslation();
  const shown = ids.slice(0, maxShown);
  const results = useQueries({ queries: shown.map((id) => keywordQuery(id)) });
  if (ids.length === 0) return null;
  const failed = results.filter(isFailed);
  return (
    <section className={styles.part} aria-label={t('actions.keywords')}>
      <h3>{t('actions.keywords')}</h3>
      <ul className={styles.keywords}>
        {results.map((result, index) => {
          const { data, error } = result;
          if (isFailed(result)) return null;
          return (
            <li key={shown[index]}>
              {data ? (
                <>
                  <Link
                    to="/keywords/$keywordId"
                    params={{ keywordId: String(data.id) }}
                    className={styles.phrase}
                  >
                    <bdi>{drawWords(data.phrase, data.words, t)}</bdi>
                  </Link>
                  {drawDescription(data.words, t)}
                  <MarketChip of={data} />
                  <span className={styles.spark}>{drawSparkline(data.spark, t)}</span>
                  <PositionText cell={data.latest} size="sm" />
                </>
              ) : error ? (
                <span className="muted">{t('actions.keywordGone')}</span>
              ) : (
                <Skeleton height={26} />
              )}
            </li>
          );
        })}
      </ul>
      {failed[0] && (
        <ErrorNotice
          error={failed[0].error}
          onRetry={() => failed.forEach(({ refetch }) => void refetch())}
        />
      )}
      {results.some(({ data }) => data) && <WordLegend store={store} />}
      {ids.length > shown.length && (
        <p className="muted">{t('actions.moreKeywords', { count: ids.length - shown.length })}</p>
      )}
    </section>
  );
}
