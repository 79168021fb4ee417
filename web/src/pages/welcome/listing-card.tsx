import { Star } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { Listing } from '#web/api.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { CountryChip } from '#web/components/country-chip.tsx';
import { formatCompact, formatDecimal } from '#web/format.ts';
import styles from './steps.module.css';

export function ListingCard({ listing }: { listing: Listing }) {
  const { t } = useTranslation();
  return (
    <section className={styles.listing} aria-label={t('welcome.app.detected')}>
      <AppIcon name={listing.name} store={listing.store} iconUrl={listing.iconUrl} size={64} />
      <div className={styles.names}>
        <h2 className={styles.listingName}>{listing.name}</h2>
        {(listing.subtitle ?? listing.summary) && (
          <p className={styles.clip}>{listing.subtitle ?? listing.summary}</p>
        )}
        <p className={styles.facts}>
          <span>{profileOf(listing.store).name}</span>
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
