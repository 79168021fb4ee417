import type { Table } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Keyword } from '#web/api.ts';
import type { ColumnId, features } from './keyword-columns.tsx';
import styles from './keyword-table.module.css';

export type KeywordTableModel = Pick<Table<typeof features, Keyword>, 'getColumn'>;

function SortButton({ table, id }: { table: KeywordTableModel; id: ColumnId }) {
  const { t } = useTranslation();
  const column = table.getColumn(id);
  if (!column?.getCanSort()) return t(`column.${id}`);
  const sorted = column.getIsSorted() || undefined;
  const Icon = sorted === 'asc' ? ArrowUp : sorted === 'desc' ? ArrowDown : ChevronsUpDown;
  return (
    <button
      type="button"
      className={styles.sort}
      data-sorted={sorted}
      onClick={() => column.toggleSorting()}
      title={t(`column.${id}.hint`)}
    >
      {t(`column.${id}`)}
      <Icon size={13} aria-hidden className={sorted ? undefined : styles.unsorted} />
    </button>
  );
}

const directions = { asc: 'ascending', desc: 'descending' } as const;

interface Props {
  table: KeywordTableModel;
  visible: readonly ColumnId[];
  /** Number of selected rows among all shown rows. */
  ticked: number;
  total: number;
  onTickAll: (isOn: boolean) => void;
}

export function KeywordHead({ table, visible, ticked, total, onTickAll }: Props) {
  const { t } = useTranslation();
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.headRow}>
        <span role="columnheader" className={styles.tick}>
          <input
            type="checkbox"
            aria-label={t('keywords.selectAll')}
            checked={ticked > 0 && ticked === total}
            ref={(box) => {
              if (box) box.indeterminate = ticked > 0 && ticked < total;
            }}
            onChange={() => onTickAll(ticked < total)}
          />
        </span>
        <span role="columnheader" className={styles.star}>
          <span className="sr-only">{t('column.favorite')}</span>
        </span>
        {visible.map((id) => {
          const sorted = table.getColumn(id)?.getIsSorted();
          return (
            <span
              key={id}
              role="columnheader"
              data-column={id}
              aria-sort={sorted ? directions[sorted] : undefined}
              className={styles.cell}
            >
              <SortButton table={table} id={id} />
            </span>
          );
        })}
      </div>
    </div>
  );
}
