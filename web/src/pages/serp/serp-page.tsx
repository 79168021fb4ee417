import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams, useSearch } from '@tanstack/react-router';
import { ChevronLeft, ListX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { formatDay } from '#web/format.ts';
import { keywordQuery } from '#web/queries/keywords.ts';
import { serpDatesQuery, type SerpDay } from '#web/queries/serp.ts';
import { readScope, spanOfScope } from '#web/scope.ts';
import { useSearchValue } from '#web/search-value.ts';
import { findDayBefore } from './find-day-before.ts';
import { DiffCard } from './diff-card.tsx';
import { SerpResultsCard } from './serp-results-card.tsx';
import styles from './serp-page.module.css';

export function SerpPage() {
  const { t } = useTranslation();
  const keywordId = Number(useParams({ strict: false }).keywordId) || 0;
  const keyword = useQuery(keywordQuery(keywordId));
  const days = useQuery(
    serpDatesQuery(keywordId, spanOfScope(readScope(useSearch({ strict: false })))),
  );
  const phrase = keyword.data?.phrase ?? '';
  return (
    <>
      <Link
        to="/keywords/$keywordId"
        params={{ keywordId: String(keywordId) }}
        className={styles.back}
      >
        <ChevronLeft size={15} aria-hidden />
        {phrase ? <bdi>{phrase}</bdi> : t('serp.back')}
      </Link>
      <PageHead
        title={phrase ? t('serp.of', { phrase }) : t('serp.title')}
        lead={
          keyword.data && (
            <>
              <MarketChip of={keyword.data} named />
            </>
          )
        }
      />
      <Loaded query={days} height={480}>
        {(kept) =>
          kept.length === 0 ? (
            <Card title={t('serp.title')}>
              <EmptyState icon={ListX} title={t('serp.noneTitle')} text={t('serp.noneText')} />
            </Card>
          ) : (
            <Days keywordId={keywordId} days={kept} />
          )
        }
      </Loaded>
    </>
  );
}

function Days({ keywordId, days }: { keywordId: number; days: SerpDay[] }) {
  const { t } = useTranslation();
  const dates = days.map(({ date }) => date);
  const [askedDay, setDay] = useSearchValue('day');
  const [askedWith, setWith] = useSearchValue('with');
  const day = askedDay && dates.includes(askedDay) ? askedDay : dates[0]!;
  const other =
    askedWith && dates.includes(askedWith) && askedWith !== day
      ? askedWith
      : findDayBefore(days, day);
  const options = (list: string[]) =>
    list.map((value) => ({ value, label: formatDay(value, true) }));
  return (
    <div className="stack">
      <div className={styles.toolbar}>
        <Select
          label={t('serp.day')}
          className={styles.pick}
          data={options(dates)}
          value={day}
          onChange={(value) => setDay(value)}
          allowDeselect={false}
        />
        {other && (
          <Select
            label={t('serp.with')}
            className={styles.pick}
            data={options(dates.filter((date) => date !== day))}
            value={other}
            onChange={(value) => setWith(value)}
            allowDeselect={false}
          />
        )}
      </div>
      <div className={styles.pair}>
        <SerpResultsCard keywordId={keywordId} date={day} comparedWith={other} />
        {other ? (
          <DiffCard
            keywordId={keywordId}
            a={other < day ? other : day}
            b={other < day ? day : other}
          />
        ) : (
          <p className="muted">{t('serp.oneDay')}</p>
        )}
      </div>
    </div>
  );
}
