import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ChevronLeft, Pause, Play, Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, type Keyword, type Request } from '../../api.ts';
import { Ago } from '../../components/ago.tsx';
import { CountryChip } from '../../components/country-chip.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Move } from '../../components/move.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PositionText } from '../../components/position-text.tsx';
import { showError } from '../../components/toasts.tsx';
import { formatDay } from '../../format.ts';
import { useCurrentApp } from '../../frame/current-app.ts';
import { isWaiting, keywordQuery } from '../../queries/keywords.ts';
import { HistoryCard } from './history-card.tsx';
import styles from './keyword-page.module.css';
import { SerpCard } from './serp-card.tsx';

function Standing({ keyword }: { keyword: Keyword }) {
  const { t } = useTranslation();
  return (
    <dl className={styles.standing}>
      <div className={styles.main}>
        <dt>{t('column.position')}</dt>
        <dd>
          <PositionText cell={keyword.latest} size="lg" />
        </dd>
        <dd className="muted">
          {isWaiting(keyword) ? (
            t(`pending.${keyword.pending as 'queued' | 'running'}`)
          ) : keyword.latest ? (
            <Ago instant={keyword.latest.checkedAt} />
          ) : (
            t('position.notChecked')
          )}
        </dd>
      </div>
      {(['change1d', 'change7d', 'change30d'] as const).map((id) => (
        <div key={id}>
          <dt>{t(`column.${id}`)}</dt>
          <dd className={styles.figure}>
            <Move change={keyword[id]} />
          </dd>
        </div>
      ))}
      <div>
        <dt>{t('column.best')}</dt>
        <dd className={styles.figure}>{keyword.best?.position ?? '–'}</dd>
        {keyword.best && <dd className="muted">{formatDay(keyword.best.date, true)}</dd>}
      </div>
      <div>
        <dt>{t('history.depth')}</dt>
        <dd className={styles.figure}>{keyword.latest?.depth ?? keyword.depth}</dd>
        <dd className="muted">{t('keyword.depthNote')}</dd>
      </div>
    </dl>
  );
}

export function KeywordPage() {
  const { t } = useTranslation();
  const keywordId = Number(useParams({ strict: false }).keywordId) || 0;
  const queryClient = useQueryClient();
  const app = useCurrentApp();
  const {
    data: keyword,
    error,
    refetch,
  } = useQuery({ ...keywordQuery(keywordId), refetchInterval: ({ state }) => (state.data && isWaiting(state.data) ? 1_500 : false) });
  const update = useMutation({
    mutationFn: (body: Request<'PATCH /keywords/{keywordId}'>['body']) => call('PATCH /keywords/{keywordId}', { params: { keywordId }, body }),
    onSuccess(_answer) {
      void queryClient.invalidateQueries({ queryKey: keywordQuery(keywordId).queryKey, exact: true });
      void queryClient.invalidateQueries({ queryKey: ['apps', keyword?.appId, 'keywords'] });
    },
    onError: showError,
  });
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!keyword)
    return (
      <div className={styles.stack}>
        <Skeleton height={60} width={320} />
        <Skeleton height={110} />
        <Skeleton height={400} />
      </div>
    );
  return (
    <>
      <Link to="/apps/$appId/keywords" params={{ appId: String(keyword.appId) }} className={styles.back}>
        <ChevronLeft size={15} aria-hidden />
        {t('keywords.title')}
      </Link>
      <PageHead
        title={keyword.phrase}
        lead={
          <span className={styles.lead}>
            <CountryChip code={keyword.country} named />
            {keyword.paused && <span>{t('pending.paused')}</span>}
            {keyword.tags.map((tag) => (
              <span key={tag} className={styles.tag}>
                {tag}
              </span>
            ))}
          </span>
        }
      >
        <Button
          variant="default"
          aria-pressed={keyword.favorite}
          loading={update.isPending && update.variables.favorite !== undefined}
          leftSection={<Star size={15} aria-hidden className={keyword.favorite ? styles.starOn : undefined} />}
          onClick={() => update.mutate({ favorite: !keyword.favorite })}
        >
          {t('keyword.favorite')}
        </Button>
        <Button
          variant="default"
          loading={update.isPending && update.variables.paused !== undefined}
          leftSection={keyword.paused ? <Play size={15} aria-hidden /> : <Pause size={15} aria-hidden />}
          onClick={() => update.mutate({ paused: !keyword.paused })}
        >
          {keyword.paused ? t('bulk.resume') : t('bulk.pause')}
        </Button>
      </PageHead>
      <div className={styles.stack}>
        <Standing keyword={keyword} />
        <HistoryCard keywordId={keywordId} phrase={keyword.phrase} waiting={isWaiting(keyword)} />
        <SerpCard keywordId={keywordId} store={app?.store ?? 'ios'} />
      </div>
    </>
  );
}
