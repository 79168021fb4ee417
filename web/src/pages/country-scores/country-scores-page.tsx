import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Earth } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { defaultDeviceOf } from '#stores/profiles.ts';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { PageHead } from '#web/components/page-head.tsx';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { useScope } from '#web/frame/use-scope.ts';
import { countryScoresQuery } from '#web/queries/country-scores.ts';
import { useSearchValue } from '#web/search-value.ts';
import { Results } from './results.tsx';
import { ScoreForm } from './score-form.tsx';
import { ScoreProgress } from './score-progress.tsx';

/** Scores phrases in many countries before they are tracked. */
export function CountryScoresPage() {
  const { t } = useTranslation();
  const appId = Number(useParams({ strict: false }).appId) || 0;
  const app = useCurrentApp();
  const scope = useScope();
  const [phrase] = useSearchValue('phrase');
  const device = app ? (scope.device ?? defaultDeviceOf(app.store)) : '';
  const query = useQuery(countryScoresQuery(appId, device));
  const waiting = query.data?.waiting ?? 0;
  return (
    <>
      <PageHead title={t('countryScores.title')} lead={t('countryScores.lead')} />
      <div className="stack">
        {app && (
          <ScoreForm
            key={`${appId} ${device} ${phrase}`}
            appId={appId}
            device={device}
            phrase={phrase ?? ''}
            waiting={waiting}
          />
        )}
        <Card title={t('countryScores.results')} lead={t('countryScores.resultsLead')}>
          {waiting > 0 && <ScoreProgress appId={appId} />}
          <Loaded query={query} height={360}>
            {({ items }) =>
              items.length === 0 ? (
                <EmptyState
                  icon={Earth}
                  title={t('countryScores.emptyTitle')}
                  text={t('countryScores.emptyText')}
                />
              ) : (
                <Results key={`${appId} ${device}`} appId={appId} items={items} />
              )
            }
          </Loaded>
        </Card>
      </div>
    </>
  );
}
