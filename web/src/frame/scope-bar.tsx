import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { CalendarDays, Globe } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { formatCountry } from '../format.ts';
import { marketsQuery } from '../queries/apps.ts';
import { defaultDays, readScope, spans } from '../scope.ts';
import styles from './scope-bar.module.css';

/** Pages that look at today, or at a thing that has no days. */
const withoutDays = /\/(keywords|discover|keyword-field)$/;

/** Country and span of days live in the address; each is shown where it means something. */
export function ScopeBar({ app }: { app: App | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const scope = readScope(useSearch({ strict: false }));
  const path = useRouterState({ select: (state) => state.location.pathname });
  const ofApp = path.startsWith('/apps/');
  const withDays = path.startsWith('/keywords/') || (ofApp && !withoutDays.test(path));
  const { data } = useQuery({ ...marketsQuery(app?.id ?? 0), enabled: ofApp && app !== undefined });
  const countries = data?.items ?? [];
  const change = (next: Record<string, unknown>) => void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true });
  return (
    <div className={styles.bar}>
      {ofApp && (
        <Select
          aria-label={t('scope.country')}
          className={styles.country}
          leftSection={<Globe size={15} aria-hidden />}
          value={scope.country ?? ''}
          onChange={(value) => change({ country: value || undefined })}
          data={[
            { value: '', label: t('scope.allCountries') },
            ...countries.map((row) => ({ value: row.country, label: formatCountry(row.country) })),
            ...(scope.country && !countries.some((row) => row.country === scope.country)
              ? [{ value: scope.country, label: formatCountry(scope.country) }]
              : []),
          ]}
          allowDeselect={false}
          searchable={countries.length > 8}
          comboboxProps={{ width: 220, position: 'bottom-start', withinPortal: false }}
        />
      )}
      {withDays && (
        <Select
          aria-label={t('scope.days')}
          className={styles.days}
          leftSection={<CalendarDays size={15} aria-hidden />}
          value={String(scope.days ?? defaultDays)}
          onChange={(value) => change({ days: Number(value) === defaultDays ? undefined : Number(value) })}
          data={spans.map((days) => ({ value: String(days), label: t('scope.lastDays', { count: days }) }))}
          allowDeselect={false}
        />
      )}
    </div>
  );
}
