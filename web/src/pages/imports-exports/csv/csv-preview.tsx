import { useTranslation } from 'react-i18next';
import { MarketChip } from '#web/components/market-chip.tsx';
import { formatCount, formatDay } from '#web/format.ts';
import styles from '../imports-exports-page.module.css';
import type { CsvKind } from './mapping.ts';
import { keyOf, type Fault, type PlannedRow } from './plan-rows.ts';

const maxShown = 8;

/** The position as charts will show it. Null if the row is a gap. */
function showPosition({ position, depth }: PlannedRow): string | null {
  if (position !== '') return position;
  return depth === '' ? null : `>${depth}`;
}

function countRowErrors(rows: readonly PlannedRow[]): [Fault, PlannedRow[]][] {
  const found = new Map<Fault, PlannedRow[]>();
  for (const row of rows)
    if (row.fault) found.set(row.fault, [...(found.get(row.fault) ?? []), row]);
  return [...found];
}

/** The parsed file: a summary, rejected rows with reasons, and the first rows. */
export function CsvPreview({ rows, kind }: { rows: readonly PlannedRow[]; kind: CsvKind }) {
  const { t } = useTranslation();
  const good = rows.filter((row) => row.fault === null);
  const days = good.map((row) => row.date).toSorted();
  const keywords = new Set(good.map(keyOf)).size;
  const unchecked =
    kind === 'history' ? good.filter((row) => showPosition(row) === null).length : 0;
  return (
    <div className={styles.preview}>
      <h3>{t('csv.preview')}</h3>
      <p className="num">
        {kind === 'history' && days.length > 0
          ? t('csv.summary', {
              rows: formatCount(good.length),
              keywords: formatCount(keywords),
              from: formatDay(days[0]!, true),
              to: formatDay(days.at(-1)!, true),
            })
          : t('csv.summaryKeywords', {
              rows: formatCount(good.length),
              keywords: formatCount(keywords),
            })}
      </p>
      {unchecked > 0 && (
        <p className="muted num">
          {t('csv.unchecked', { count: unchecked, shown: formatCount(unchecked) })}
        </p>
      )}
      {countRowErrors(rows).map(([fault, wrong]) => (
        <p key={fault} className={styles.fault}>
          {t(`csv.error.${fault}`, {
            count: wrong.length,
            shown: formatCount(wrong.length),
            where: wrong
              .slice(0, 5)
              .map(({ row }) => formatCount(row))
              .join(', '),
          })}
        </p>
      ))}
      <div className="table-scroll" role="region" aria-label={t('csv.preview')} tabIndex={0}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('csv.field.phrase')}</th>
              <th scope="col">{t('csv.field.country')}</th>
              {kind === 'history' && <th scope="col">{t('csv.field.date')}</th>}
              {kind === 'history' && <th scope="col">{t('csv.field.position')}</th>}
              <th scope="col">{t('csv.field.depth')}</th>
              {kind === 'keywords' && <th scope="col">{t('csv.field.tags')}</th>}
            </tr>
          </thead>
          <tbody>
            {good.slice(0, maxShown).map((row) => (
              <tr key={row.row}>
                <td dir="auto">{row.phrase}</td>
                <td>
                  <MarketChip of={row} />
                </td>
                {kind === 'history' && <td className="num">{formatDay(row.date, true)}</td>}
                {kind === 'history' && (
                  <td className="num">
                    {showPosition(row) ?? <span className="muted">{t('csv.noCheck')}</span>}
                  </td>
                )}
                <td className="num">{row.depth || '–'}</td>
                {kind === 'keywords' && <td>{row.tags || '–'}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
