import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ResponseOf } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { MarketChip } from '#web/components/market-chip.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { Move } from '#web/components/move.tsx';
import { drawDescription, drawWords, WordLegend } from '#web/components/phrase-words.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import type { WaitingHeight } from '#web/components/waiting.tsx';
import { formatDay } from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { moversQuery, type Span } from '#web/queries/apps.ts';
import { comparisonTotalsQuery, distributionQuery } from '#web/queries/rankings.ts';
import { type MarketFilter, marketOf, spanOfScope } from '#web/scope.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { followedOf } from '../distribution/bands.ts';
import { comparedSpan, findCompleteDays, findLastDays } from '../distribution/complete-days.ts';
import styles from './movers-card.module.css';
import { useScope } from '#web/frame/use-scope.ts';

type Movers = ResponseOf<'GET /apps/{id}/rankings/movers'>;
type Row = Movers['gained'][number];
type Kind = 'gained' | 'lost' | 'entered' | 'left';

function Rows({
  rows,
  kindOf,
  title,
  empty,
}: {
  rows: Row[];
  kindOf: (row: Row) => Kind;
  title: string;
  empty: string;
}) {
  const { t } = useTranslation();
  return (
    <Card title={title}>
      {rows.length === 0 && <p className="muted">{empty}</p>}
      <ul className={styles.rows}>
        {rows.map((row) => (
          <li key={row.keywordId}>
            <Link
              to="/keywords/$keywordId"
              params={{ keywordId: String(row.keywordId) }}
              className={styles.phrase}
            >
              <bdi>{drawWords(row.phrase, row.words, t)}</bdi>
            </Link>
            {drawDescription(row.words, t)}
            <MarketChip of={row} />
            <span className={styles.path}>
              <PositionText cell={row.from} size="sm" />
              <span aria-hidden className="muted">
                {' '}
                →{' '}
              </span>
              <PositionText cell={row.to} size="sm" />
            </span>
            <span className={styles.move}>
              <Move change={{ kind: kindOf(row), positionsGained: row.change, from: row.from }} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const choices = ['range', 'day'] as const;
const height: WaitingHeight = [395, 806];

/** The largest gains and losses over the period, or since the checked day before the latest. */
export function MoversCard({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const scope = useScope();
  const [choice, choose] = useSearchChoice('moves', choices);
  const market = marketOf(scope);
  const asked = spanOfScope(scope);
  const distribution = useQuery(distributionQuery(appId, market, comparedSpan(asked)));
  // If the period begins before the first check, the first checked day is compared.
  const { items, segments } = distribution.data ?? { items: [], segments: [] };
  const found = choice === 'day' ? findLastDays(items) : findCompleteDays(items, asked, segments);
  const compared = found ? { from: found.first.date, to: found.last.date } : asked;
  const query = useQuery({
    ...moversQuery(appId, market, compared),
    enabled: distribution.data !== undefined,
  });
  return (
    <div className={styles.movers}>
      <div className={styles.bar}>
        {found ? (
          <Checked appId={appId} market={market} span={compared} all={followedOf(found.last)} />
        ) : (
          <p className={styles.checked} />
        )}
        <SegmentedControl
          size="xs"
          aria-label={t('movers.over')}
          value={choice}
          onChange={choose}
          data={choices.map((value) => ({ value, label: t(`movers.over.${value}`) }))}
        />
      </div>
      {distribution.data ? (
        <Loaded query={query} height={height}>
          {(movers) => <Pair movers={movers} />}
        </Loaded>
      ) : (
        <Loaded query={distribution} height={height}>
          {() => null}
        </Loaded>
      )}
    </div>
  );
}

/** How many keywords the comparison covers. */
function Checked({
  appId,
  market,
  span: { from, to },
  all,
}: {
  appId: number;
  market: MarketFilter;
  span: Span;
  /** The keywords tracked on the last day. */
  all: number;
}) {
  const { t } = useTranslation();
  const { data } = useQuery(comparisonTotalsQuery(appId, market, from, to));
  const both = data?.totals.checkedOnBoth ?? 0;
  return (
    <p className={styles.checked} role="status">
      {data && t('movers.checked', { both, count: all, from: formatDay(from), to: formatDay(to) })}
      {both < all && ` ${t('movers.reach')}`}
    </p>
  );
}

function Pair({ movers }: { movers: Movers }) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const shown = [movers.gained, movers.entered, movers.lost, movers.left].flat();
  const span = t('movers.span', { from: formatDay(movers.from), to: formatDay(movers.to) });
  return (
    <>
      {movers.notComparable > 0 && (
        <p className={styles.checked}>
          {t('movers.notComparable', { count: movers.notComparable })}
        </p>
      )}
      <div className={styles.pair} data-print="column">
        <Rows
          title={`${t('movers.up')} · ${span}`}
          empty={t(movers.compared > 0 ? 'movers.noneUp' : 'movers.noneCompared')}
          rows={[...movers.gained, ...movers.entered].slice(0, 8)}
          kindOf={(row) => (movers.gained.includes(row) ? 'gained' : 'entered')}
        />
        <Rows
          title={`${t('movers.down')} · ${span}`}
          empty={t(movers.compared > 0 ? 'movers.noneDown' : 'movers.noneCompared')}
          rows={[...movers.lost, ...movers.left].slice(0, 8)}
          kindOf={(row) => (movers.lost.includes(row) ? 'lost' : 'left')}
        />
      </div>
      {shown.length > 0 && <WordLegend store={store} />}
    </>
  );
}
