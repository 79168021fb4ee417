import { Link, useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import tabs from '../components/tab-links.module.css';
import { useCurrentInView } from '../components/use-current-in-view.ts';
import { workspacePages } from './pages.ts';

const settingsPages = workspacePages.filter(
  ({ id, group }) => id === 'settings' || group === 'settings',
);

/** True on the settings and on the pages that are listed with them. */
export const useIsSettings = (): boolean =>
  useRouterState({
    select: ({ location }) => settingsPages.some(({ to }) => to === location.pathname),
  });

/** The settings and the pages about the workspace that are reached from them. */
export function SettingsLinks() {
  const { t } = useTranslation();
  const strip = useCurrentInView();
  return (
    <nav ref={strip} aria-label={t('nav.settingsPages')} className={tabs.tabs}>
      {[...settingsPages]
        .toSorted((a, b) => Number(b.id === 'settings') - Number(a.id === 'settings'))
        .map(({ id, to, label }) => (
          <Link
            key={id}
            to={to}
            className={tabs.tab}
            activeOptions={{ exact: true, includeSearch: false }}
            activeProps={{ 'aria-current': 'page', 'data-current': true }}
          >
            {t(label)}
          </Link>
        ))}
    </nav>
  );
}
