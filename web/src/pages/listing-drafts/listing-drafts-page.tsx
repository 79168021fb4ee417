import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { FilePenLine } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '#web/api.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { draftQuery, draftsQuery, liveListingsQuery } from '#web/queries/listing-drafts.ts';
import { useSearchChoice, useSearchValue } from '#web/search-value.ts';
import { DraftBar } from './draft-bar.tsx';
import styles from './listing-drafts-page.module.css';
import { StorefrontsCard } from './storefronts-card.tsx';
import { Workbench } from './workbench.tsx';

const tabs = ['texts', 'storefronts'] as const;

export function ListingDraftsPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const app = useCurrentApp();
  const [tab] = useSearchChoice('tab', tabs);
  if (!app) return <Skeleton height={560} radius={14} />;
  const hasStorefronts = profileOf(app.store).texts.keywordField !== null;
  return (
    <>
      <PageHead title={t('listingDrafts.title')} lead={t('listingDrafts.lead')} isLeadOptional />
      {hasStorefronts && (
        <TabLinks
          label={t('listingDrafts.title')}
          tabs={tabs.map((id) => ({ id, label: t(`listingDrafts.tabs.${id}`) }))}
          current={tab}
        />
      )}
      {hasStorefronts && tab === 'storefronts' ? (
        <StorefrontsCard store={app.store} />
      ) : (
        <Drafts key={appId} app={app} />
      )}
    </>
  );
}

function Drafts({ app }: { app: App }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useSearchValue('draft');
  const query = useQuery(draftsQuery(app.id));
  return (
    <Loaded query={query} height={560}>
      {({ items }) => {
        const chosen =
          items.find(({ id }) => String(id) === asked) ??
          items.find(({ current }) => current) ??
          items[0];
        const bar = (
          <DraftBar
            appId={app.id}
            drafts={items}
            chosen={chosen}
            onChoose={(id) => setAsked(id === null ? null : String(id))}
          />
        );
        return chosen ? (
          <div className={styles.stack}>
            {bar}
            <DraftOf key={chosen.id} app={app} id={chosen.id} />
          </div>
        ) : (
          <EmptyState
            icon={FilePenLine}
            title={t('listingDrafts.noneTitle')}
            text={t('listingDrafts.noneText')}
          >
            {bar}
          </EmptyState>
        );
      }}
    </Loaded>
  );
}

function DraftOf({ app, id }: { app: App; id: number }) {
  const draft = useQuery(draftQuery(id));
  const live = useQuery(liveListingsQuery(app.id));
  return (
    <Loaded query={draft} height={560}>
      {(saved) => (
        <Loaded query={live} height={560}>
          {({ items }) => <Workbench appId={app.id} store={app.store} draft={saved} live={items} />}
        </Loaded>
      )}
    </Loaded>
  );
}
