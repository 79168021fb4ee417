import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Listing } from '../../api.ts';
import { AppAvatar } from '../../components/app-avatar.tsx';
import { CountryChip } from '../../components/country-chip.tsx';
import { formatCompact, formatDecimal } from '../../format.ts';
import styles from './steps.module.css';

/** The app as the store shows it. */
export function ListingCard({ listing }: { listing: Listing }) {
  const { t } = useTranslation();
  return (
    <section className={styles.listing} aria-label={t('welcome.app.detected')}>
      <AppAvatar name={listing.name} store={listing.store} size={64} />
      <div className={styles.names}>
        <h2 className={styles.listingName}>{listing.name}</h2>
        {(listing.subtitle ?? listing.summary) && (
          <p className={styles.clip}>{listing.subtitle ?? listing.summary}</p>
        )}
        <p className={styles.facts}>
          <span>{t(`store.${listing.store}`)}</span>
          <CountryChip code={listing.country} />
          {listing.developer && <span>{listing.developer}</span>}
          {listing.category && <span>{listing.category}</span>}
          {listing.rating !== null && (
            <span className={styles.rating}>
              <Star size={12} aria-hidden />
              <span className="sr-only">{t('serp.rating')}</span>
              {formatDecimal(listing.rating)}
              {listing.ratingCount !== null && ` (${formatCompact(listing.ratingCount)})`}
            </span>
          )}
          {listing.tracked && <span>{t('welcome.app.tracked')}</span>}
        </p>
      </div>
    </section>
  );
}
