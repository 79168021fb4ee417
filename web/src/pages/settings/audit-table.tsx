import { useTranslation } from 'react-i18next';
import { Ago } from '#web/components/ago.tsx';
import type { AuditEntry } from '#web/queries/workspace.ts';
import { formatActor, formatAuditDetail, formatSubject } from './format-audit.ts';
import styles from './settings-page.module.css';

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const { t } = useTranslation();
  return (
    <div
      className="table-scroll"
      role="region"
      aria-label={t('table.region', { label: t('settings.tab.audit') })}
      tabIndex={0}
    >
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{t('audit.when')}</th>
            <th scope="col">{t('audit.actor')}</th>
            <th scope="col">{t('audit.action')}</th>
            <th scope="col">{t('audit.subject')}</th>
            <th scope="col">{t('audit.detail')}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td>
                <Ago instant={entry.at} />
              </td>
              <td>
                {formatActor(entry.actor)}
                <span className={styles.credential}>
                  {t(`audit.by.${entry.credential.kind}`, { id: entry.credential.tokenId })}
                </span>
              </td>
              <td>{t(`audit.${entry.action}`)}</td>
              <td>{entry.subject === null ? '–' : formatSubject(entry.subject)}</td>
              <td className={styles.detail}>{formatAuditDetail(entry.detail) || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
