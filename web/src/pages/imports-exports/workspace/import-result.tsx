import { Link } from '@tanstack/react-router';
import { CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { DataTable } from '#web/components/data-table.tsx';
import { formatCount } from '#web/format.ts';
import styles from '../imports-exports-page.module.css';
import type { ImportReport } from './import-file.ts';

type TableRow = ImportReport['tables'][number];

/** The result of each table with the reasons of the API. */
export function ImportResult({ report }: { report: ImportReport }) {
  const { t } = useTranslation();
  const describe = ({ reason, anew }: TableRow) =>
    [reason, ...anew.map(({ member, reason: why }) => `${member}: ${why}`)]
      .filter(Boolean)
      .join('; ');
  return (
    <section className={styles.preview} aria-labelledby="import-result">
      <h3 id="import-result" className={styles.done}>
        <CircleCheck size={17} aria-hidden />
        {t('imports.done')}
      </h3>
      <p role="status">
        <Link to="/">{t('imports.toStart')}</Link>
      </p>
      <DataTable
        label={t('imports.result')}
        fileName="import-result"
        rows={report.tables}
        keyOf={(row) => row.table}
        columns={[
          {
            id: 'table',
            head: t('imports.table'),
            cell: (row) => <code>{row.table}</code>,
            sortBy: (row) => row.table,
          },
          {
            id: 'rows',
            head: t('imports.rows'),
            isEnd: true,
            cell: (row) => formatCount(row.rows),
            sortBy: (row) => row.rows,
          },
          {
            id: 'imported',
            head: t('imports.imported'),
            isEnd: true,
            cell: (row) => formatCount(row.imported),
            sortBy: (row) => row.imported,
          },
          {
            id: 'reason',
            head: t('imports.reason'),
            cell: (row) => (
              <span lang="en" className={styles.reason}>
                {describe(row) || '–'}
              </span>
            ),
            csv: describe,
          },
        ]}
      />
      {report.omitted.length > 0 && (
        <details>
          <summary>{t('imports.omitted')}</summary>
          <ul lang="en">
            {report.omitted.map(({ table, reason }) => (
              <li key={table}>
                <code>{table}</code>: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
