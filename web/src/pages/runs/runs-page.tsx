import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/components/page-head.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { useSearchChoice } from '#web/search-value.ts';
import { DaysTab } from './days-tab.tsx';
import { JobsTab } from './jobs-tab.tsx';

const tabs = ['days', 'jobs'] as const;

export function RunsPage() {
  const { t } = useTranslation();
  const [tab] = useSearchChoice('tab', tabs);
  return (
    <>
      <PageHead title={t('nav.runs')} lead={t(`runs.lead.${tab}`)} />
      <TabLinks
        label={t('runs.parts')}
        tabs={tabs.map((id) => ({ id, label: t(`runs.tab.${id}`) }))}
        current={tab}
      />
      {tab === 'days' ? <DaysTab /> : <JobsTab />}
    </>
  );
}
