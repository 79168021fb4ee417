import { Button, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call } from '#web/api.ts';
import { followJob } from '#web/components/job-toast.ts';
import { PageHead } from '#web/components/page-head.tsx';
import { TabLinks } from '#web/components/tab-links.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { useSearchChoice } from '#web/search-value.ts';
import { ListTab } from './list-tab.tsx';
import { RatingsTab } from './ratings-tab.tsx';
import { TopicsTab } from './topics-tab.tsx';

const tabs = ['reviews', 'ratings', 'topics'] as const;

export function ReviewsPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const [tab] = useSearchChoice('tab', tabs);
  return (
    <>
      <PageHead title={t('reviews.title')} lead={t('reviews.lead')} isLeadOptional>
        <SyncButton appId={appId} />
      </PageHead>
      <TabLinks
        label={t('reviews.parts')}
        tabs={tabs.map((id) => ({ id, label: t(`reviews.${id}`) }))}
        current={tab}
      />
      {tab === 'reviews' && <ListTab appId={appId} />}
      {tab === 'ratings' && <RatingsTab appId={appId} />}
      {tab === 'topics' && <TopicsTab appId={appId} />}
    </>
  );
}

function SyncButton({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const sync = useMutation({
    mutationFn: () => call('POST /apps/{id}/reviews/sync', { params: { id: appId } }),
    onSuccess: ({ job }) => void followJob(job.id, t('reviews.syncing'), queryClient),
    onError: showError,
  });
  return (
    <Tooltip label={reason ?? t('reviews.syncCost')}>
      <Button
        className="touch"
        variant="default"
        leftSection={<RefreshCw size={15} aria-hidden />}
        loading={sync.isPending}
        data-disabled={!canWrite || undefined}
        aria-disabled={!canWrite}
        onClick={() => canWrite && sync.mutate()}
      >
        {t('reviews.sync')}
      </Button>
    </Tooltip>
  );
}
