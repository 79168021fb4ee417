import { useTranslation } from 'react-i18next';
import type { App } from '../../api.ts';
import { Ago } from '../../components/ago.tsx';
import { Card } from '../../components/card.tsx';
import { Facts, type Fact } from '../../components/facts.tsx';
import { formatCompact, formatCountry, formatDecimal, formatMoney } from '../../format.ts';
import styles from './app-facts.module.css';

/** What the store says of the app; what it does not say is a dash. */
export function AppFacts({ app }: { app: App }) {
  const { t } = useTranslation();
  const price = app.free
    ? t('facts.free')
    : app.price !== null && app.currency
      ? formatMoney(app.price, app.currency)
      : '–';
  const rating =
    app.rating === null
      ? '–'
      : `${formatDecimal(app.rating, 2)}${app.ratingCount === null ? '' : ` (${formatCompact(app.ratingCount)})`}`;
  const facts: Fact[] = [
    [t('facts.store'), t(`store.${app.store}`)],
    [t('facts.developer'), app.developer ?? '–'],
    [t('facts.category'), app.category ?? '–'],
    [t('facts.rating'), rating],
    [t('facts.price'), price],
    [t('facts.version'), app.version ?? '–'],
    ...(app.installs === null ? [] : [[t('facts.installs'), formatCompact(app.installs)] as const]),
    [t('facts.country'), formatCountry(app.primaryCountry)],
  ];
  return (
    <Card
      title={t('facts.title')}
      lead={
        <>
          {t('facts.read')} <Ago instant={app.lastSnapshotAt} />
        </>
      }
    >
      <Facts facts={facts} className={styles.facts} />
    </Card>
  );
}
