import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CountryChip } from '#web/components/country-chip.tsx';
import { Move } from '#web/components/move.tsx';
import { PositionText } from '#web/components/position-text.tsx';
import { formatCountry } from '#web/format.ts';
import type { ChartColumn, Pivot, PivotPosition } from '#web/queries/charts.ts';
import { writeCell, type SelectedCell } from './selected-cell.ts';
import styles from './charts-page.module.css';

type Read = Exclude<NonNullable<PivotPosition>, { state: 'not_checked' }>;

/** The change since the previous reading. Without a previous reading there is no change. */
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
  chosen: SelectedCell | null;
  nameOf: (column: ChartColumn) => string;
}

/** Countries as rows, charts as columns. Each cell selects its history. */
export function PivotTable({ pivot, chosen, nameOf }: Props) {
  const { t } = useTranslation();
  const current = chosen && writeCell(chosen.country, chosen.column);
  return (
    <div className="table-scroll" role="region" aria-label={t('charts.pivot')} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('charts.country')}</th>
            {pivot.columns.map((column) => (
              <th key={writeCell('', column)} scope="col" className={`end ${styles.chartName}`}>
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
  cell: PivotPosition;
  name: string;
  label: string;
  isCurrent: boolean;
}) {
  const { t } = useTranslation();
  if (cell === null)
    return (
      <span className="muted" title={t('charts.noChart')}>
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
        <span className="muted" title={t(`charts.gap.${cell.reason}`)}>
          <span aria-hidden>–</span>
          <span className="sr-only">{t(`charts.gap.${cell.reason}`)}</span>
        </span>
      ) : (
        <>
          <PositionText cell={cell} />
          <Move change={{ kind: kindOf(cell), positionsGained: cell.change, from: cell.before }} />
        </>
      )}
    </Link>
  );
}
