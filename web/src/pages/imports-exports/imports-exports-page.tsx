import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/components/page-head.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { useSearchChoice } from '#web/search-value.ts';
import { CsvImportCard } from './csv-import-card.tsx';
import styles from './imports-exports-page.module.css';
import { AppExportCard } from './exports/app-export-card.tsx';
import { WorkspaceExportCard } from './exports/workspace-export-card.tsx';
import { ReportsCard } from './reports/reports-card.tsx';
import { WorkspaceImportCard } from './workspace/workspace-import-card.tsx';

const tabs = ['export', 'import', 'reports'] as const;

export function ImportsExportsPage() {
  const { t } = useTranslation();
  const [tab] = useSearchChoice('tab', tabs);
  return (
    <div className={styles.page}>
      <PageHead title={t('importsExports.title')} lead={t('importsExports.lead')} />
      <TabLinks
        label={t('importsExports.title')}
        tabs={tabs.map((id) => ({ id, label: t(`importsExports.tab.${id}`) }))}
        current={tab}
      />
      <div className="stack">
        {tab === 'export' ? (
          <>
            <AppExportCard />
            <WorkspaceExportCard />
          </>
        ) : tab === 'reports' ? (
          <ReportsCard />
        ) : (
          <>
            <CsvImportCard />
            <WorkspaceImportCard />
          </>
        )}
      </div>
    </div>
  );
}
