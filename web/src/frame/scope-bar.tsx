import { Popover, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { formatDevice, formatSpan } from '../format.ts';
import { defaultDays, spanOfScope, type Scope } from '../scope.ts';
import { CountrySelect } from './country-select.tsx';
import { DaysSelect } from './days-select.tsx';
import { DeviceSelect } from './device-select.tsx';
import styles from './scope-bar.module.css';
import { useScope } from './use-scope.ts';

/**
 * Pages that show the current state and have no period. Of the competitors page, only the market
 * tab has one.
 */
const withoutDays = /\/(keywords|suggestions|keyword-field)$/;

/** Pages that show one country, by default the primary country of the app. */
const ofOneCountry = /\/suggestions$/;

/** Pages about keywords. The others do not differ by device. */
const withDevice =
  /^\/apps\/\d+(\/(keywords|distribution|competitors|suggestions|keyword-field))?$/;

/** Pages that show one device, by default the first one of the store. */
const ofOneDevice = /\/(suggestions|keyword-field)$/;

/** Country, device and period, kept in the address and shown on pages that use them. */
export function ScopeBar({ app }: { app: App | undefined }) {
  const navigate = useNavigate();
  const search: Record<string, unknown> = useSearch({ strict: false });
  const scope = useScope();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  const ofApp = path.startsWith('/apps/');
  const isNow =
    withoutDays.test(path) || (path.endsWith('/competitors') && search.tab !== 'market');
  const withDays = path.startsWith('/keywords/') || (ofApp && !isNow);
  const change = (next: Scope) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: true });
  const instead = ofOneCountry.test(path) ? app?.primaryCountry : undefined;
  const country = ofApp && (
    <CountrySelect appId={app?.id} instead={instead} scope={scope} onChange={change} />
  );
  const device = app && withDevice.test(path) && (
    <DeviceSelect app={app} isOne={ofOneDevice.test(path)} scope={scope} onChange={change} />
  );
  const days = withDays && <DaysSelect scope={scope} onChange={change} isInPopover={isNarrow} />;
  return (
    <div className={styles.bar}>
      {isNarrow && days ? (
        <ScopeButton scope={device ? scope : { ...scope, device: undefined }} withCountry={ofApp}>
          {country}
          {device}
          {days}
        </ScopeButton>
      ) : (
        <>
          {country}
          {device}
          {days}
        </>
      )}
    </div>
  );
}

/** On a phone, one button shows the selection and opens both fields. */
function ScopeButton({
  scope,
  withCountry,
  children,
}: {
  scope: Scope;
  withCountry: boolean;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const country = scope.country?.toUpperCase() ?? t('scope.all');
  const device = scope.device && formatDevice(scope.device);
  const days = scope.from
    ? formatSpan(spanOfScope(scope), true)
    : t('scope.span', { count: scope.days ?? defaultDays });
  const label = t(withCountry ? 'scope.open' : 'scope.openDays');
  return (
    <Popover width={260} position="bottom-start" trapFocus shadow="md">
      <Popover.Target>
        <UnstyledButton className={styles.button}>
          <SlidersHorizontal size={15} aria-hidden />
          <span className="sr-only">{label}</span>
          <span className={styles.chosen} data-range={scope.from ? true : undefined}>
            {[withCountry && country, withCountry && device, days].filter(Boolean).join(' · ')}
          </span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.opened} aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
