import { Button, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RefreshCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { call, type Keyword } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { followJob } from '#web/components/job-toast.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { PublishedFacts } from '#web/components/published-facts.tsx';
import { ScoreEvidence } from '#web/components/score-evidence.tsx';
import { showError } from '#web/components/toasts/toasts.tsx';
import { scoresQuery, type Score } from '#web/queries/scores.ts';
import { useWriteAccess } from '#web/queries/write-guard.ts';
import { spanOf } from '#web/scope.ts';
import { nameKeywordFile } from './name-keyword-file.ts';
import { ScoreHistory } from './score-history.tsx';

/** Scores are calculated weekly, so a shorter period would show only a few. */
const scoreDays = 365;

/** Traffic and difficulty with their evidence and history. */
export function ScoreCard({ keyword }: { keyword: Keyword }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { canWrite, reason } = useWriteAccess();
  const query = useQuery(scoresQuery(keyword.id, spanOf(scoreDays)));
  const score = useMutation({
    mutationFn: () =>
      call('POST /keywords/{keywordId}/score', { params: { keywordId: keyword.id } }),
    onSuccess: ({ job }) =>
      void followJob(job.id, t('score.working', { phrase: keyword.phrase }), queryClient),
    onError: showError,
  });
  const refusal = reason ?? (keyword.paused ? t('score.paused') : undefined);
  return (
    <Card
      title={t('score.title')}
      lead={
        <>
          {t('score.lead')} <Link to="/methodology">{t('score.how')}</Link>
        </>
      }
      action={
        <Tooltip label={refusal ?? t('score.againHint')} multiline maw={280}>
          <Button
            className="touch"
            variant="default"
            size="xs"
            leftSection={<RefreshCw size={14} aria-hidden />}
            loading={score.isPending}
            data-disabled={refusal !== undefined || undefined}
            aria-disabled={refusal !== undefined}
            onClick={() => canWrite && !keyword.paused && score.mutate()}
          >
            {t('score.again')}
          </Button>
        </Tooltip>
      }
    >
      <PublishedFacts published={keyword.published} country={keyword.country} />
      <Loaded query={query} height={[1_090, 1_600]}>
        {({ items }) =>
          items[0] ? (
            <div className="stack">
              <NewestScore score={items[0]} />
              {items.length > 1 && (
                <ScoreHistory scores={items} fileName={nameKeywordFile(keyword)} />
              )}
            </div>
          ) : (
            <p className="muted">{t('score.none')}</p>
          )
        }
      </Loaded>
    </Card>
  );
}

/** An imported score may come without its evidence. */
function NewestScore({ score }: { score: Score }) {
  const { t } = useTranslation();
  const { provenance } = score;
  if (provenance) return <ScoreEvidence score={{ ...score, provenance }} />;
  return <p className="muted">{t('score.noEvidence')}</p>;
}
