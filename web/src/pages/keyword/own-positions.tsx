import { useTranslation } from 'react-i18next';
import { formatProvider } from '#web/components/format-provider.ts';
import { PositionText } from '#web/components/position-text.tsx';
import { State } from '#web/components/state.tsx';
import type { ProviderComparison } from '#web/queries/providers.ts';
import { formatAds } from './format-ads.ts';
import styles from './provider-card.module.css';

type Search = ProviderComparison['searches'][number];

/** The position of the keyword's app by each provider, with its ads; or why there is none. */
export function OwnPositions({ comparison }: { comparison: ProviderComparison }) {
  const { t } = useTranslation();
  return (
    <dl className={styles.own}>
      {comparison.searches.map((search) => (
        <div key={search.provider}>
          <dt>{formatProvider(comparison.store, search.provider, t)}</dt>
          {search.state === 'ok' ? (
            <>
              <dd>
                <PositionText cell={search} size="lg" />
              </dd>
              <dd className="muted">
                {t('history.examined', { depth: search.depth })}
                {search.ads && ` · ${formatAds(search.ads, t)}`}
              </dd>
            </>
          ) : (
            <Failure search={search} />
          )}
        </div>
      ))}
    </dl>
  );
}

function Failure({ search }: { search: Extract<Search, { state: 'failed' }> }) {
  const { t } = useTranslation();
  return (
    <dd>
      <State tone="warn" wraps>
        {t(`providers.failure.${search.failure}`)}
        <code>{search.marker}</code>
      </State>
    </dd>
  );
}
