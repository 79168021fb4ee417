import { useTranslation } from 'react-i18next';
import { PageHead } from '../../components/page-head.tsx';
import { TabLinks } from '../../components/tab-links.tsx';
import { useSearchChoice } from '../../search-value.ts';
import { CsvImportCard } from './csv/csv-import-card.tsx';
import styles from './data-page.module.css';
import { AppExportCard } from './exports/app-export-card.tsx';
import { WorkspaceExportCard } from './exports/workspace-export-card.tsx';
import { WorkspaceImportCard } from './workspace/workspace-import-card.tsx';

const tabs = ['export', 'import'] as const;

export function DataPage() {
  const { t } = useTranslation();
  const [tab] = useSearchChoice('tab', tabs);
  return (
    <div className={styles.page}>
      <PageHead title={t('data.title')} lead={t('data.lead')} />
      <TabLinks
        label={t('data.title')}
        tabs={tabs.map((id) => ({ id, label: t(`data.tab.${id}`) }))}
        current={tab}
      />
      <div className="stack">
        {tab === 'export' ? (
          <>
            <AppExportCard />
            <WorkspaceExportCard />
          </>
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
