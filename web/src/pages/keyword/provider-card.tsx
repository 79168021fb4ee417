import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Keyword, Store } from '#web/api.ts';
import { Card } from '#web/components/card.tsx';
import { formatProvider } from '#web/components/format-provider.ts';
import { Loaded } from '#web/components/loaded.tsx';
import { comparisonQuery, providersQuery, type StoreProviders } from '#web/queries/providers.ts';
import { CompareButton } from './compare-button.tsx';
import styles from './provider-card.module.css';
import { ProviderOrders } from './provider-orders.tsx';

type Provider = StoreProviders['providers'][number];

/** The search providers of the store, and a comparison of their orders on request. */
export function ProviderCard({ keyword, store }: { keyword: Keyword; store: Store | undefined }) {
  const { t } = useTranslation();
  const { data } = useQuery(providersQuery);
  const comparison = useQuery(comparisonQuery(keyword.id));
  const ofStore = data?.items.find((item) => item.store === store);
  if (!ofStore || ofStore.providers.filter(({ isConfigured }) => isConfigured).length < 2)
    return null;
  const isSearching = comparison.isFetching;
  return (
    <Card
      title={t('providers.title')}
      lead={
        <>
          {t('providers.lead')}{' '}
          <Link to="/methodology" hash="providers">
            {t('providers.how')}
          </Link>
        </>
      }
    >
      <div className={styles.parts}>
        <Providers ofStore={ofStore} />
        <CompareButton
          keywordId={keyword.id}
          store={ofStore.store}
          isSearching={isSearching}
          hasCompared={comparison.data !== undefined}
          onCompare={() => void comparison.refetch()}
        />
        {(isSearching || comparison.error || comparison.data) && (
          <Loaded query={comparison} height={420}>
            {(compared) => <ProviderOrders comparison={compared} />}
          </Loaded>
        )}
      </div>
    </Card>
  );
}

function Providers({ ofStore: { store, providers } }: { ofStore: StoreProviders }) {
  const { t } = useTranslation();
  const useOf = ({ isOfPositions, isConfigured }: Provider) => {
    if (isOfPositions) return t('providers.ofPositions');
    return isConfigured ? t('providers.inReserve') : t('providers.notConfigured');
  };
  return (
    <ul className={styles.providers} aria-label={t('providers.title')}>
      {providers.map((each) => (
        <li key={each.provider}>
          <strong>{formatProvider(store, each.provider, t)}</strong>
          <span className="muted">{useOf(each)}</span>
        </li>
      ))}
    </ul>
  );
}
