import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/components/page-head.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { useSearchChoice } from '#web/search-value.ts';
import { EventsTab } from './events/events-tab.tsx';
import { RulesTab } from './rules/rules-tab.tsx';
import { WebhooksTab } from './webhooks/webhooks-tab.tsx';

const tabs = ['events', 'rules', 'webhooks'] as const;

export function AlertsPage() {
  const { t } = useTranslation();
  const [tab] = useSearchChoice('tab', tabs);
  return (
    <>
      <PageHead title={t('nav.alerts')} lead={t(`alerts.lead.${tab}`)} />
      <TabLinks
        label={t('alerts.parts')}
        tabs={tabs.map((id) => ({ id, label: t(`alerts.tab.${id}`) }))}
        current={tab}
      />
      {tab === 'events' && <EventsTab />}
      {tab === 'rules' && <RulesTab />}
      {tab === 'webhooks' && <WebhooksTab />}
    </>
  );
}
