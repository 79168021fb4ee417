import { UnstyledButton } from '@mantine/core';
import { ChevronRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import { AppIcon } from '#web/components/app-icon.tsx';
import { formatCompact, formatCountry } from '#web/format.ts';
import type { StoreApp } from './search-by-name.ts';
import styles from './steps.module.css';

/** Apps found by name in both stores. */
export function Found({
  apps,
  country,
  onPick,
}: {
  apps: StoreApp[];
  country: string;
  onPick: (app: StoreApp) => void;
}) {
  const { t } = useTranslation();
  if (apps.length === 0)
    return (
      <p className={styles.hint} role="status">
        {t('welcome.app.none', { country: formatCountry(country) })}
      </p>
    );
  return (
    <ul className={styles.found} aria-label={t('welcome.app.found')}>
      {apps.map((app) => (
        <li key={`${app.store}${app.storeAppId}`}>
          <UnstyledButton className={styles.foundItem} onClick={() => onPick(app)}>
            <AppIcon name={app.name} store={app.store} iconUrl={app.iconUrl} size={36} />
            <span className={styles.names}>
              <bdi className={styles.name}>{app.name}</bdi>
              <span className="muted">
                {[
                  app.developer,
                  profileOf(app.store).name,
                  app.ratingCount !== null &&
                    t('listing.ratings', {
                      count: app.ratingCount,
                      shown: formatCompact(app.ratingCount),
                    }),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
            <ChevronRight size={16} aria-hidden className="muted" />
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
