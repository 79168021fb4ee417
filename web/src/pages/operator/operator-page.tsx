import { useTranslation } from 'react-i18next';
import { PageHead } from '../../components/page-head.tsx';
import { TabLinks } from '../../components/tab-links.tsx';
import { useSearchChoice } from '../../search-value.ts';
import { CapacityCards } from './capacity-cards.tsx';
import { StoresCard } from './stores-card.tsx';
import { WaysOutCard } from './ways-out-card.tsx';
import { WorkspacesCard } from './workspaces-card.tsx';

const tabs = ['workspaces', 'capacity', 'stores'] as const;

/** The whole instance, for who runs it. */
export function OperatorPage() {
  const { t } = useTranslation();
  const [tab] = useSearchChoice('tab', tabs);
  return (
    <>
      <PageHead
        title={t('nav.operator')}
        tab={`${t(`operator.tab.${tab}`)} · ${t('nav.operator')}`}
        lead={t('operator.lead')}
      />
      <TabLinks
        label={t('operator.tabs')}
        tabs={tabs.map((id) => ({ id, label: t(`operator.tab.${id}`) }))}
        current={tab}
      />
      <div className="stack">
        {tab === 'workspaces' && <WorkspacesCard />}
        {tab === 'capacity' && <CapacityCards />}
        {tab === 'stores' && (
          <>
            <StoresCard />
            <WaysOutCard />
          </>
        )}
      </div>
    </>
  );
}
