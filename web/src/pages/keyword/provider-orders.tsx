import { useTranslation } from 'react-i18next';
import { formatOrder } from '#web/components/format-distance.ts';
import { formatProvider } from '#web/components/format-provider.ts';
import { formatCount, formatDecimal } from '#web/format.ts';
import type { ProviderComparison } from '#web/queries/providers.ts';
import { OwnPositions } from './own-positions.tsx';
import styles from './provider-card.module.css';
import { ProviderTable } from './provider-table.tsx';

/** The own positions, the distance in words, and both orders side by side. */
export function ProviderOrders({ comparison }: { comparison: ProviderComparison }) {
  const { t } = useTranslation();
  return (
    <>
      <section className={styles.part}>
        <h3>{t('providers.ownPositions')}</h3>
        <OwnPositions comparison={comparison} />
      </section>
      <section className={styles.part}>
        <h3>{t('providers.distance')}</h3>
        <Distance comparison={comparison} />
      </section>
      {comparison.items.length > 0 && (
        <section className={styles.part}>
          <h3>{t('providers.table')}</h3>
          <ProviderTable comparison={comparison} />
        </section>
      )}
    </>
  );
}

function Distance({
  comparison: { store, searches, distance },
}: {
  comparison: ProviderComparison;
}) {
  const { t } = useTranslation();
  const [a, b] = searches
    .filter(({ state }) => state === 'ok')
    .map(({ provider }) => formatProvider(store, provider, t));
  if (!distance || !a || !b) return <p className="muted">{t('providers.noDistance')}</p>;
  const { common, medianDistance, correlation } = distance;
  const sentences = [t('providers.common', { count: common, shown: formatCount(common), a, b })];
  if (medianDistance !== null)
    sentences.push(
      t('providers.apart', { count: medianDistance, shown: formatDecimal(medianDistance) }),
    );
  if (correlation !== null)
    sentences.push(
      t('providers.correlation', {
        order: formatOrder(correlation, t),
        shown: formatDecimal(correlation, 2),
      }),
    );
  return <p>{sentences.join(' ')}</p>;
}
