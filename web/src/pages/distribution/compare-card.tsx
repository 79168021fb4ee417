import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { isUtcDay, utcDayOf } from '#lib/dates.ts';
import { Card } from '#web/components/card.tsx';
import { DayField } from '#web/components/day-field.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { ToggleChip } from '#web/components/toggle-chip.tsx';
import { formatCount } from '#web/format.ts';
import { compareQuery, type DistributionDay, type Segments } from '#web/queries/rankings.ts';
import { useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { CompareTable } from './compare-table.tsx';
import { findComparedDays } from './compared-days.ts';
import { kindOf, moves } from './comparison.ts';
import styles from './distribution-page.module.css';
import { formatCoverage } from './format-coverage.ts';
import type { MarketFilter } from '#web/scope.ts';
import type { Span } from '#web/queries/apps.ts';
import { useHashTarget } from './use-hash-target.ts';

/** Compares two days, by default the first and last complete day of the period. */
export function CompareCard({
  days,
  segments,
  span,
  appId,
  market,
}: {
  days: DistributionDay[];
  segments: Segments;
  span: Span;
  appId: number;
  market: MarketFilter;
}) {
  const { t } = useTranslation();
  const { first, last } = findComparedDays(days, span, segments);
  const [askedA, setA] = useSearchValue('a');
  const [askedB, setB] = useSearchValue('b');
  const [move, setMove] = useSearchChoice('move', moves);
  const a = askedA !== null && isUtcDay(askedA) ? askedA : first.date;
  const b = askedB !== null && isUtcDay(askedB) ? askedB : last.date;
  const coverage = [a, b]
    .flatMap((date) => days.find((day) => day.date === date) ?? [])
    .map((day) => formatCoverage(day, t));
  const query = useQuery({
    ...compareQuery(appId, market, a, b),
    placeholderData: keepPreviousData,
  });
  const today = utcDayOf(new Date());
  const card = useHashTarget('compare');
  return (
    <div ref={card} className={styles.target}>
      <Card title={t('compare.title')} lead={t('compare.lead')}>
        <div className={styles.dates}>
          {(
            [
              ['a', a, setA],
              ['b', b, setB],
            ] as const
          ).map(([id, value, set]) => (
            <DayField key={id} label={t(`compare.${id}`)} day={value} max={today} onChoose={set} />
          ))}
        </div>
        {coverage.length > 0 && <p className={styles.note}>{coverage.join(' · ')}</p>}
        <Loaded query={query} height={360}>
          {(comparison) => {
            const { items } = comparison;
            const counts = Map.groupBy(items, kindOf);
            const shown = move === 'all' ? items : (counts.get(move) ?? []);
            return (
              <div
                className={styles.compared}
                data-stale={query.isPlaceholderData || undefined}
                aria-busy={query.isPlaceholderData}
              >
                <div className={styles.moves} role="group" aria-label={t('compare.filter')}>
                  {moves.map((kind) => (
                    <ToggleChip key={kind} pressed={move === kind} onPress={() => setMove(kind)}>
                      {t(`compare.move.${kind}`)}{' '}
                      <span className="num">
                        {formatCount(
                          kind === 'all' ? items.length : (counts.get(kind)?.length ?? 0),
                        )}
                      </span>
                    </ToggleChip>
                  ))}
                </div>
                <CompareTable
                  rows={shown}
                  a={comparison.a}
                  b={comparison.b}
                  appId={appId}
                  wait={query.isPlaceholderData ? t('common.loading') : undefined}
                />
              </div>
            );
          }}
        </Loaded>
      </Card>
    </div>
  );
}
