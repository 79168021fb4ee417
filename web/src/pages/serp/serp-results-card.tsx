import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { writeCsv } from '#lib/csv-writer.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { Card } from '#web/components/card.tsx';
import { CsvButtons } from '#web/components/csv-buttons.tsx';
import { formatProvider } from '#web/components/format-provider.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCompact, formatDay, formatDecimal } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { serpDiffQuery, serpQuery, type SerpItem } from '#web/queries/serp.ts';
import { FollowButton } from './follow-button.tsx';
import { Positions } from './position-move.tsx';
import styles from './serp-page.module.css';

interface Props {
  keywordId: number;
  date: string;
  comparedWith: string | null;
}

function toCsv(items: readonly SerpItem[]): string {
  const rows = items.map((item) => [
    item.position,
    item.storeAppId,
    item.name,
    item.developer,
    item.rating,
    item.ratingCount,
  ]);
  return writeCsv([
    ['position', 'storeAppId', 'name', 'developer', 'rating', 'ratingCount'],
    ...rows,
  ]);
}

/** The saved results of a day with changes since the other day. */
export function SerpResultsCard({ keywordId, date, comparedWith }: Props) {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const query = useQuery(serpQuery(keywordId, date));
  const [a, b] = comparedWith && comparedWith < date ? [comparedWith, date] : ['', ''];
  const diff = useQuery({ ...serpDiffQuery(keywordId, a, b), enabled: a !== '' });
  const before = new Map(
    [...(diff.data?.moved ?? []), ...(diff.data?.entered ?? [])].map((move) => [
      move.storeAppId,
      move,
    ]),
  );
  return (
    <Loaded query={query} height={640}>
      {({ items, depth, resultCount, provider }) => (
        <Card
          title={formatDay(date, true)}
          lead={[
            t(resultCount < depth ? 'serp.keptAll' : 'serp.kept', {
              count: items.length,
              all: resultCount,
            }),
            t('serp.by', { provider: formatProvider(app?.store, provider, t) }),
          ].join(' ')}
          action={
            <span className={styles.tools}>
              <CsvButtons
                label={formatDay(date, true)}
                fileName={`results-${keywordId}-${date}`}
                csv={() => toCsv(items)}
              />
            </span>
          }
        >
          <ol className={styles.list}>
            {items.map((item) => (
              <li
                key={item.position}
                className={styles.item}
                data-own={item.isOwn || undefined}
                data-key-row
              >
                <span className={styles.position}>{item.position}</span>
                <span className={styles.move}>
                  {before.has(item.storeAppId) && <Positions move={before.get(item.storeAppId)!} />}
                </span>
                <AppIcon
                  name={item.name ?? item.storeAppId}
                  store={app?.store}
                  iconUrl={item.iconUrl}
                  size={32}
                />
                <span className={styles.names}>
                  <bdi className={styles.name}>{item.name ?? item.storeAppId}</bdi>
                  <bdi className="muted">{item.developer ?? '–'}</bdi>
                </span>
                {item.rating !== null && (
                  <span className={styles.rating}>
                    <Star size={12} aria-hidden />
                    <span className="sr-only">{t('serp.rating')}</span>
                    {formatDecimal(item.rating)}
                    {item.ratingCount !== null && (
                      <span className="muted"> ({formatCompact(item.ratingCount)})</span>
                    )}
                  </span>
                )}
                {item.isOwn || item.isCompetitor ? (
                  <span className={styles.mark}>
                    {item.isOwn ? t('serp.own') : t('serp.competitor')}
                  </span>
                ) : (
                  app && <FollowButton appId={app.id} item={item} />
                )}
              </li>
            ))}
          </ol>
        </Card>
      )}
    </Loaded>
  );
}
