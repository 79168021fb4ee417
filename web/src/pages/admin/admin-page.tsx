import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/components/page-head.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { useSearchChoice } from '#web/search-value.ts';
import { BackupsCard } from './backups-card.tsx';
import { CapacityCards } from './capacity-cards.tsx';
import { DiagnosticsButton } from './diagnostics-button.tsx';
import { StoresCard } from './stores-card.tsx';
import { FieldsCard } from './fields-card.tsx';
import { EgressProxiesCard } from './egress-proxies-card.tsx';
import { UpdateNotice } from './update-notice.tsx';
import { WorkspacesCard } from './workspaces-card.tsx';

const tabs = ['workspaces', 'capacity', 'stores', 'backups'] as const;

export function AdminPage() {
  const { t } = useTranslation();
  const [tab] = useSearchChoice('tab', tabs);
  return (
    <>
      <PageHead
        title={t('nav.admin')}
        tab={`${t(`admin.tab.${tab}`)} · ${t('nav.admin')}`}
        lead={t('admin.lead')}
      >
        <DiagnosticsButton />
      </PageHead>
      <UpdateNotice />
      <TabLinks
        label={t('admin.tabs')}
        tabs={tabs.map((id) => ({ id, label: t(`admin.tab.${id}`) }))}
        current={tab}
      />
      <div className="stack">
        {tab === 'workspaces' && <WorkspacesCard />}
        {tab === 'capacity' && <CapacityCards />}
        {tab === 'backups' && <BackupsCard />}
        {tab === 'stores' && (
          <>
            <StoresCard />
            <EgressProxiesCard />
            <FieldsCard />
          </>
        )}
      </div>
    </>
  );
}
