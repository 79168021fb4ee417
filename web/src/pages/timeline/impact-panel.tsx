import { SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Facts, type Fact } from '#web/components/facts.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { formatCountry, formatDay, formatDecimal, formatSigned } from '#web/format.ts';
import { impactQuery, type ChangeImpact } from '#web/queries/timeline.ts';
import styles from './impact-panel.module.css';
import { IntervalBar } from './interval-bar.tsx';

const windows = ['7', '14', '28'] as const;

/** Positions before and after a change, of affected and unaffected keywords. */
export function ImpactPanel({ changeId }: { changeId: number }) {
  const { t } = useTranslation();
  const [days, setDays] = useState<(typeof windows)[number]>('14');
  const query = useQuery({
    ...impactQuery(changeId, Number(days)),
    placeholderData: keepPreviousData,
  });
  return (
    <div className={styles.panel}>
      <SegmentedControl
        size="xs"
        aria-label={t('impact.window')}
        value={days}
        onChange={(value) => setDays(value)}
        data={windows.map((value) => ({
          value,
          label: t('impact.days', { count: Number(value) }),
        }))}
      />
      <Loaded query={query} height={220}>
        {(impact) => <Measured impact={impact} />}
      </Loaded>
    </div>
  );
}

function Measured({ impact }: { impact: ChangeImpact }) {
  const { t } = useTranslation();
  const { before, after, words, difference, interval, reason, otherChanges, complete, change } =
    impact;
  const spanOf = ({ from, to }: { from: string; to: string }) =>
    t('movers.span', { from: formatDay(from), to: formatDay(to) });
  const facts: Fact[] = [
    [t('impact.where'), formatCountry(change.country)],
    [t('impact.before'), spanOf(before)],
    [
      t('impact.after'),
      after ? `${spanOf(after)}${complete ? '' : ` · ${t('impact.running')}`}` : t('impact.notYet'),
    ],
  ];
  if (words.gained.length > 0) facts.push([t('impact.wordsGained'), words.gained.join(', ')]);
  if (words.lost.length > 0) facts.push([t('impact.wordsLost'), words.lost.join(', ')]);
  if (otherChanges > 0)
    facts.push([t('impact.others'), t('impact.otherChanges', { count: otherChanges })]);
  return (
    <div className={styles.measured} aria-live="polite">
      <p className={styles.verdict}>
        {difference === null
          ? t(`impact.reason.${reason ?? 'too_early'}`)
          : t(difference >= 0 ? 'impact.gained' : 'impact.lost', {
              positions: formatDecimal(Math.abs(difference)),
            })}
        {interval && (
          <span className="num">
            {' '}
            {t('impact.interval', {
              low: formatSigned(interval.low),
              high: formatSigned(interval.high),
            })}
          </span>
        )}
        {difference !== null && reason && <span> {t(`impact.reason.${reason}`)}</span>}
      </p>
      {difference !== null && interval && (
        <IntervalBar difference={difference} interval={interval} />
      )}
      <GroupTable impact={impact} />
      <Facts facts={facts} className={styles.facts} />
      <p className={styles.caution}>{t('impact.caution')}</p>
    </div>
  );
}

const columns = [
  'keywords',
  'compared',
  'meanBefore',
  'meanAfter',
  'meanGain',
  'entered',
  'left',
] as const;

function GroupTable({ impact }: { impact: ChangeImpact }) {
  const { t } = useTranslation();
  const show = (group: ChangeImpact['affected'], column: (typeof columns)[number]) => {
    const value = group[column];
    return value === null
      ? '–'
      : column === 'meanGain'
        ? formatSigned(value)
        : formatDecimal(value);
  };
  return (
    <div className="table-scroll" role="region" aria-label={t('impact.table')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('impact.group')}</th>
            {columns.map((column) => (
              <th key={column} scope="col" className="end">
                {t(`impact.column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(['affected', 'control'] as const).map((group) => (
            <tr key={group}>
              <th scope="row">{t(`impact.group.${group}`)}</th>
              {columns.map((column) => (
                <td key={column} className="end num">
                  {show(impact[group], column)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
