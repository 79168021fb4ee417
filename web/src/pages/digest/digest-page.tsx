import { useQuery } from '@tanstack/react-query';
import { Newspaper } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isUtcDay } from '#lib/dates.ts';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { formatDay } from '#web/format.ts';
import { digestQuery, type Digest } from '#web/queries/digests.ts';
import { useSearchValue } from '#web/search-value.ts';
import { AppWeek } from './app-week.tsx';
import styles from './digest-page.module.css';
import { EventsCard } from './events-card.tsx';
import { EmailPreviewCard } from './email-preview-card.tsx';
import { SendCard } from './send-card.tsx';
import { WeekPicker } from './week-picker.tsx';

function Week({ digest }: { digest: Digest }) {
  const { t } = useTranslation();
  return (
    <div className="stack">
      {digest.apps.length === 0 && (
        <EmptyState icon={Newspaper} title={t('digest.emptyTitle')} text={t('digest.emptyText')} />
      )}
      {digest.apps.map((app) => (
        <AppWeek key={app.appId} app={app} digest={digest} />
      ))}
      {digest.moreApps > 0 && (
        <p className="muted">{t('digest.moreApps', { count: digest.moreApps })}</p>
      )}
      <EventsCard digest={digest} />
      <div className={styles.pair} data-print="hidden">
        <EmailPreviewCard key={digest.week} week={digest.week} />
        <SendCard />
      </div>
    </div>
  );
}

export function DigestPage() {
  const { t } = useTranslation();
  const [asked] = useSearchValue('week');
  const week = asked !== null && asked.startsWith('2') && isUtcDay(asked) ? asked : undefined;
  const query = useQuery(digestQuery(week));
  const digest = query.data;
  return (
    <>
      <PageHead
        title={t('digest.title')}
        lead={
          digest
            ? t('digest.span', { from: formatDay(digest.from), to: formatDay(digest.to, true) })
            : t('digest.lead')
        }
      >
        <WeekPicker day={digest?.week ?? week ?? ''} />
      </PageHead>
      <Loaded query={query} height={640}>
        {(found) => <Week digest={found} />}
      </Loaded>
    </>
  );
}
