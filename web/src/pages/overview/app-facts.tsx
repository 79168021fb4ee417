import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '#web/api.ts';
import { Ago } from '#web/components/ago.tsx';
import { Card } from '#web/components/card.tsx';
import { Facts, type Fact } from '#web/components/facts.tsx';
import { formatCompact, formatCountry, formatDecimal, formatMoney } from '#web/format.ts';
import styles from './app-facts.module.css';

/** The listing of the app; unknown values are dashes. */
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
      : formatDecimal(app.rating, 2) +
        (app.ratingCount === null ? '' : ` (${formatCompact(app.ratingCount)})`);
  const facts: Fact[] = [
    [t('facts.store'), profileOf(app.store).name],
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
