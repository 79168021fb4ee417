import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useRouterState, useSearch } from '@tanstack/react-router';
import type { App } from '../api.ts';
import type { Scope } from '../scope.ts';
import { CountrySelect } from './country-select.tsx';
import { DaysSelect } from './days-select.tsx';
import { DeviceSelect } from './device-select.tsx';
import styles from './scope-bar.module.css';
import { ScopeButton } from './scope-button.tsx';
import { useDeviceChoice } from './use-device-choice.ts';
import { useFirstDay } from './use-first-day.ts';
import { useScope } from './use-scope.ts';

/**
 * Pages that show the current state and have no period. Of the competitors page, only the market
 * tab has one.
 */
const withoutDays = /\/(keywords|suggestions|keyword-field|listing-drafts)$/;

/** Pages that show one country, by default the primary country of the app. */
const ofOneCountry = /\/suggestions$/;

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
  const firstDay = useFirstDay(app?.id, scope);
  const country = ofApp && (
    <CountrySelect appId={app?.id} instead={instead} scope={scope} onChange={change} />
  );
  const choice = useDeviceChoice(app, path, scope);
  const device = choice && <DeviceSelect choice={choice} scope={scope} onChange={change} />;
  const days = withDays && (
    <DaysSelect scope={scope} onChange={change} isInPopover={isNarrow} firstDay={firstDay} />
  );
  return (
    <div className={styles.bar}>
      {isNarrow && (days || device) ? (
        <ScopeButton
          scope={{
            ...scope,
            country: scope.country ?? instead,
            device: scope.device ?? choice?.initial,
          }}
          shown={{ country: ofApp, device: device !== null, days: withDays }}
        >
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
