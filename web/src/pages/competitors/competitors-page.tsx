import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/components/page-head.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { AddCompetitor } from './add-competitor.tsx';
import { CompareTab } from './compare-tab.tsx';
import { GapsTab } from './gaps-tab.tsx';
import { MarketTab } from './market-tab.tsx';
import { MatrixTab } from './matrix-tab.tsx';
import { CompetitorsTab } from './competitors-tab.tsx';

const tabs = ['competitors', 'matrix', 'gaps', 'compare', 'market'] as const;

export function CompetitorsPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const [tab] = useSearchChoice('tab', tabs);
  const [adding, dialog] = useDisclosure(false);
  const { canWrite, reason } = useWriteAccess();
  return (
    <>
      <PageHead title={t('competitors.title')} lead={t(`competitors.lead.${tab}`)} isLeadOptional>
        <Tooltip label={reason} disabled={canWrite}>
          <Button
            className="touch"
            leftSection={<Plus size={15} aria-hidden />}
            data-disabled={!canWrite || undefined}
            aria-disabled={!canWrite}
            onClick={() => canWrite && dialog.open()}
          >
            {t('competitors.add')}
          </Button>
        </Tooltip>
      </PageHead>
      <TabLinks
        label={t('competitors.parts')}
        tabs={tabs.map((id) => ({ id, label: t(`competitors.tab.${id}`) }))}
        current={tab}
      />
      {tab === 'competitors' && <CompetitorsTab appId={appId} onAdd={dialog.open} />}
      {tab === 'matrix' && <MatrixTab appId={appId} />}
      {tab === 'gaps' && <GapsTab appId={appId} />}
      {tab === 'compare' && <CompareTab appId={appId} />}
      {tab === 'market' && <MarketTab appId={appId} />}
      <AddCompetitor appId={appId} opened={adding} onClose={dialog.close} />
    </>
  );
}
