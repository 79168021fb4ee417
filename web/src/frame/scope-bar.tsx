import { Popover, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { defaultDays, readScope, type Scope } from '../scope.ts';
import styles from './scope-bar.module.css';
import { CountrySelect, DaysSelect } from './scope-selects.tsx';

/** Pages that look at today, or at a thing that has no days. */
const withoutDays = /\/(keywords|discover|keyword-field)$/;

/** Pages of one country: the app's own until another is chosen. */
const ofOneCountry = /\/discover$/;

/** Country and span of days live in the address; each is shown where it means something. */
export function ScopeBar({ app }: { app: App | undefined }) {
  const navigate = useNavigate();
  const scope = readScope(useSearch({ strict: false }));
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  const ofApp = path.startsWith('/apps/');
  const withDays = path.startsWith('/keywords/') || (ofApp && !withoutDays.test(path));
  const change = (next: Scope) => void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true });
  const instead = ofOneCountry.test(path) ? app?.primaryCountry : undefined;
  const country = ofApp && <CountrySelect appId={app?.id} instead={instead} scope={scope} onChange={change} />;
  const days = withDays && <DaysSelect scope={scope} onChange={change} />;
  return (
    <div className={styles.bar}>
      {isNarrow && country && days ? (
        <ScopeButton scope={scope}>
          {country}
          {days}
        </ScopeButton>
      ) : (
        <>
          {country}
          {days}
        </>
      )}
    </div>
  );
}

/** A phone has no room for two selects beside one another: it says what is chosen, and opens them. */
function ScopeButton({ scope, children }: { scope: Scope; children: ReactNode }) {
  const { t } = useTranslation();
  const country = scope.country?.toUpperCase() ?? t('scope.all');
  return (
    <Popover width={260} position="bottom-start" trapFocus shadow="md">
      <Popover.Target>
        <UnstyledButton className={styles.button}>
          <SlidersHorizontal size={15} aria-hidden />
          <span className="sr-only">{t('scope.open')}</span>
          <span className={styles.chosen}>
            {country} · {t('scope.span', { count: scope.days ?? defaultDays })}
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.opened} aria-label={t('scope.open')}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
