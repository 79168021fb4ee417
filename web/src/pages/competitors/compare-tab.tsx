import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Swords } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { AppIcon } from '#web/components/app-icon.tsx';
import { Card } from '#web/components/card.tsx';
import { EmptyState } from '#web/components/empty-state.tsx';
import { Loaded } from '#web/components/loaded.tsx';
import { Screenshots } from '#web/components/screenshots.tsx';
import {
  formatCompact,
  formatCountry,
  formatDay,
  formatDecimal,
  formatMoney,
  zonedDayOf,
} from '#web/format.ts';
import { useCurrentApp } from '#web/frame/current-app.ts';
import { comparisonQuery, type Comparison } from '#web/queries/competitor-analysis.ts';
import { readScope } from '#web/scope.ts';
import styles from './competitors-page.module.css';

type Snapshot = NonNullable<Comparison['items'][number]['snapshot']>;

const fields = [
  'name',
  'subtitle',
  'summary',
  'category',
  'price',
  'rating',
  'ratingCount',
  'installs',
  'version',
  'updatedAt',
  'releaseNotes',
  'languages',
  'screenshotUrls',
  'contentRating',
  'description',
] as const;

/**
 * Values that apps choose from the same set. All others, such as texts and versions, differ between
 * any two apps.
 */
const comparable: ReadonlySet<(typeof fields)[number]> = new Set([
  'category',
  'price',
  'contentRating',
]);

/** Formats a field; null if the store does not provide it. */
function show(field: (typeof fields)[number], snapshot: Snapshot, free: string): string | null {
  switch (field) {
    case 'price':
      return snapshot.price === null
        ? null
        : snapshot.price === 0
          ? free
          : formatMoney(snapshot.price, snapshot.currency ?? 'USD');
    case 'rating':
      return snapshot.rating === null ? null : formatDecimal(snapshot.rating, 2);
    case 'ratingCount':
    case 'installs': {
      const count = snapshot[field];
      return count === null ? null : formatCompact(count);
    }
    case 'updatedAt':
      return snapshot.updatedAt === null ? null : formatDay(zonedDayOf(snapshot.updatedAt), true);
    case 'languages':
      return snapshot.languages.length === 0 ? null : snapshot.languages.join(', ');
    case 'screenshotUrls':
      return String(snapshot.screenshotUrls.length);
    default:
      return snapshot[field];
  }
}

/** The listings side by side, with values marked that differ from those of the own app. */
export function CompareTab({ appId }: { appId: number }) {
  const { t } = useTranslation();
  const { country } = readScope(useSearch({ strict: false }));
  const query = useQuery(comparisonQuery(appId, country));
  return (
    <Loaded query={query} height={480}>
      {(comparison) => (
        <Card
          title={t('competitors.tab.compare')}
          lead={t('competitors.compareLead', { country: formatCountry(comparison.country) })}
          foldsLead
        >
          {comparison.items.length < 2 ? (
            <EmptyState
              icon={Swords}
              title={t('competitors.emptyTitle')}
              text={t('competitors.emptyText')}
            />
          ) : (
            <Table comparison={comparison} />
          )}
        </Card>
      )}
    </Loaded>
  );
}

function Table({ comparison: { items } }: { comparison: Comparison }) {
  const { t } = useTranslation();
  const store = useCurrentApp()?.store;
  const cell = (snapshot: Snapshot | null, field: (typeof fields)[number]): ReactNode => {
    if (snapshot === null) return <span className="muted">{t('competitors.notRead')}</span>;
    if (field === 'screenshotUrls' && store && snapshot.screenshotUrls.length > 0)
      return (
        <Screenshots
          store={store}
          urls={snapshot.screenshotUrls}
          label={t('competitors.fieldName.screenshotUrls')}
        />
      );
    return show(field, snapshot, t('facts.free')) ?? <span className="muted">–</span>;
  };
  const own = items.find(({ competitorId }) => competitorId === null)?.snapshot ?? null;
  const differs = (snapshot: Snapshot | null, field: (typeof fields)[number]): boolean => {
    if (!comparable.has(field) || snapshot === null || own === null) return false;
    const [theirs, ours] = [show(field, snapshot, ''), show(field, own, '')];
    return theirs !== null && ours !== null && theirs !== ours;
  };
  return (
    <div
      className="table-scroll"
      role="region"
      aria-label={t('table.region', { label: t('competitors.tab.compare') })}
      tabIndex={0}
    >
      <table className={`plain-table ${styles.compare}`}>
        <thead>
          <tr>
            <th scope="col">{t('competitors.field')}</th>
            {items.map(({ storeAppId, name, iconUrl, competitorId }) => (
              <th key={storeAppId} scope="col">
                <span className={styles.headIcon}>
                  <AppIcon name={name} store={store} iconUrl={iconUrl} size={26} />
                </span>
                <bdi className={styles.headName} title={name}>
                  {name}
                </bdi>{' '}
                {competitorId === null && <span className={styles.mark}>{t('serp.own')}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{t(`competitors.fieldName.${field}`)}</th>
              {items.map(({ storeAppId, snapshot }) => (
                <td key={storeAppId}>
                  <div
                    className={styles.text}
                    {...(field === 'description' && {
                      tabIndex: 0,
                      role: 'group',
                      'aria-label': t('competitors.fieldName.description'),
                    })}
                  >
                    {differs(snapshot, field) && (
                      <>
                        <span className={styles.differs} aria-hidden>
                          {'≠ '}
                        </span>
                        <span className="sr-only">{t('competitors.differs')}: </span>
                      </>
                    )}
                    {cell(snapshot, field)}
                  </div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
