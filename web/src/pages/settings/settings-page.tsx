import { useTranslation } from 'react-i18next';
import { PageHead } from '#web/components/page-head.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { useSearchChoice } from '#web/search-value.ts';
import { AccountCard } from './account-card.tsx';
import { AuditCard } from './audit-card.tsx';
import { DangerCard } from './danger-card.tsx';
import { DisplayCard } from './display-card.tsx';
import { GeneralCard } from './general-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { PopularityCard } from './popularity-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import styles from './settings-page.module.css';
import { McpSnippetsCard, SnippetsCard } from './snippets-card.tsx';
import { TagsCard } from './tags-card.tsx';
import { TokensCard } from './tokens-card.tsx';
import { UsageCard } from './usage-card.tsx';
import { WorkspaceCard } from './workspace-card.tsx';

const tabs = [
  'general',
  'display',
  'account',
  'tokens',
  'usage',
  'audit',
  'popularity',
  'tags',
  'workspace',
] as const;

export function SettingsPage() {
  const { t } = useTranslation();
  const [tab] = useSearchChoice('tab', tabs);
  return (
    <div className={styles.page}>
      <PageHead
        title={t('nav.settings')}
        tab={`${t(`settings.tab.${tab}`)} · ${t('nav.settings')}`}
      />
      <TabLinks
        label={t('settings.tabs')}
        tabs={tabs.map((id) => ({ id, label: t(`settings.tab.${id}`) }))}
        current={tab}
      />
      <div className="stack">
        {tab === 'general' && <GeneralCard />}
        {tab === 'display' && <DisplayCard />}
        {tab === 'account' && (
          <>
            <PasswordCard />
            <SessionsCard />
            <AccountCard />
          </>
        )}
        {tab === 'tokens' && (
          <>
            <TokensCard />
            <SnippetsCard />
            <McpSnippetsCard />
          </>
        )}
        {tab === 'usage' && <UsageCard />}
        {tab === 'audit' && <AuditCard />}
        {tab === 'popularity' && <PopularityCard />}
        {tab === 'tags' && <TagsCard />}
        {tab === 'workspace' && (
          <>
            <WorkspaceCard />
            <DangerCard />
          </>
        )}
      </div>
    </div>
  );
}
