import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api.ts';
import { Card } from '../../components/card.tsx';
import { CountryChip } from '../../components/country-chip.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Move } from '../../components/move.tsx';
import { PositionText } from '../../components/position-text.tsx';
import { formatDay } from '../../format.ts';
import { moversQuery } from '../../queries/apps.ts';
import { distributionQuery } from '../../queries/rankings.ts';
import { defaultDays, readScope, spanOf } from '../../scope.ts';
import { findFullDays } from './figures.ts';
import styles from './movers-card.module.css';

type Movers = Answer<'GET /apps/{id}/rankings/movers'>;
type Row = Movers['gained'][number];
type Kind = 'gained' | 'lost' | 'entered' | 'left';

function Rows({ rows, kindOf, title, empty }: { rows: Row[]; kindOf: (row: Row) => Kind; title: string; empty: string }) {
  return (
    <Card title={title}>
      {rows.length === 0 && <p className="muted">{empty}</p>}
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.keywordId}>
            <Link to="/keywords/$keywordId" params={{ keywordId: String(row.keywordId) }} className={styles.phrase}>
              <bdi>{row.phrase}</bdi>
            </Link>
            <CountryChip code={row.country} />
            <span className={styles.path}>
              <PositionText cell={row.from} size="sm" />
              <span aria-hidden className="muted">
                {' '}
                →{' '}
              </span>
              <PositionText cell={row.to} size="sm" />
            </span>
            <span className={styles.move}>
              <Move change={{ kind: kindOf(row), places: row.change, from: row.from }} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Who rose and who fell over the span in the address, as far as it was checked. */
export function MoversCard({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const { country, days = defaultDays } = readScope(useSearch({ strict: false }));
  const asked = spanOf(days);
  const distribution = useQuery(distributionQuery(appId, country, asked));
  // A span that begins before the keywords compares with nothing: the first day that was checked stands for it.
  const full = findFullDays(distribution.data?.items ?? []);
  const compared = full ? { from: full.first.date, to: full.last.date } : asked;
  const { data, error, refetch } = useQuery({ ...moversQuery(appId, country, compared), enabled: !distribution.isPending });
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={402} radius={14} />;
  const span = t('movers.span', { from: formatDay(data.from), to: formatDay(data.to) });
  return (
    <div className={styles.pair}>
      <Rows
        title={`${t('movers.up')} · ${span}`}
        empty={t('movers.noneUp')}
        rows={[...data.gained, ...data.entered].slice(0, 8)}
        kindOf={(row) => (data.gained.includes(row) ? 'gained' : 'entered')}
      />
      <Rows
        title={`${t('movers.down')} · ${span}`}
        empty={t('movers.noneDown')}
        rows={[...data.lost, ...data.left].slice(0, 8)}
        kindOf={(row) => (data.lost.includes(row) ? 'lost' : 'left')}
      />
    </div>
  );
}
