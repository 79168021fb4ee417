import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '../../components/country-chip.tsx';
import { Move } from '../../components/move.tsx';
import { PositionText } from '../../components/position-text.tsx';
import { formatCountry } from '../../format.ts';
import type { ChartColumn, Pivot, PivotCell } from '../../queries/charts.ts';
import { writeCell, type ChosenCell } from './chosen-cell.ts';
import styles from './category-ranks-page.module.css';

type Read = Exclude<NonNullable<PivotCell>, { state: 'not_checked' }>;

/** What became of a place since the day before; who was not read then is not said to have moved. */
function kindOf({
  position,
  before,
  change,
}: Read): 'gained' | 'lost' | 'same' | 'entered' | 'left' | 'unknown' {
  if (!before) return 'unknown';
  if (position === null) return before.position === null ? 'same' : 'left';
  if (before.position === null) return 'entered';
  return change === null ? 'unknown' : change > 0 ? 'gained' : change < 0 ? 'lost' : 'same';
}

interface Props {
  pivot: Pivot;
  chosen: ChosenCell | null;
  nameOf: (column: ChartColumn) => string;
}

/** Countries down, charts across. Each cell leads to its past. */
export function PivotTable({ pivot, chosen, nameOf }: Props) {
  const { t } = useTranslation();
  const current = chosen && writeCell(chosen.country, chosen.column);
  return (
    <div className="table-scroll" role="region" aria-label={t('categoryRanks.pivot')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('categoryRanks.country')}</th>
            {pivot.columns.map((column) => (
              <th key={writeCell('', column)} scope="col" className="end">
                {nameOf(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {pivot.rows.map(({ country, cells }) => (
            <tr key={country} data-key-row>
              <th scope="row" className={styles.country}>
                <CountryChip code={country} /> {formatCountry(country)}
              </th>
              {pivot.columns.map((column, index) => {
                const name = writeCell(country, column);
                return (
                  <td key={name} className="end" data-chosen={name === current || undefined}>
                    <Cell
                      cell={cells[index] ?? null}
                      name={name}
                      label={`${formatCountry(country)}, ${nameOf(column)}`}
                      isCurrent={name === current}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({
  cell,
  name,
  label,
  isCurrent,
}: {
  cell: PivotCell;
  name: string;
  label: string;
  isCurrent: boolean;
}) {
  const { t } = useTranslation();
  if (cell === null)
    return (
      <span className="muted" title={t('categoryRanks.noChart')}>
        {'–'}
      </span>
    );
  return (
    <Link
      to="."
      search={(before) => ({ ...before, cell: name })}
      className={styles.cell}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span className="sr-only">{label}: </span>
      {cell.state === 'not_checked' ? (
        <span className="muted" title={t(`categoryRanks.gap.${cell.reason}`)}>
          <span aria-hidden>–</span>
          <span className="sr-only">{t(`categoryRanks.gap.${cell.reason}`)}</span>
        </span>
      ) : (
        <>
          <PositionText cell={cell} />
          <Move change={{ kind: kindOf(cell), places: cell.change, from: cell.before }} />
        </>
      )}
    </Link>
  );
}
