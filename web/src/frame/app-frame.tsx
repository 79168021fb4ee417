import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../components/lazy-part.tsx';
import { useLiveUpdates } from '../live/use-live-updates.ts';
import styles from './app-frame.module.css';
import { ConfirmBanner } from './confirm-banner.tsx';
import { useCurrentApp } from './current-app.ts';
import { FrameDialogs } from './frame-dialogs.tsx';
import { SettingsLinks, useIsSettings } from './settings-links.tsx';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { usePageFocus } from './use-page-focus.ts';
import { useFrameKeys } from './use-frame-keys.ts';
import { WorkspaceBanner } from './workspace-banner.tsx';

const MenuDrawer = lazyPart(async () => (await import('./menu-drawer.tsx')).MenuDrawer);

export function AppFrame() {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const [wasOpened, setWasOpened] = useState(false);
  const [opened, { open, close }] = useDisclosure(false, { onOpen: () => setWasOpened(true) });
  // A saved view may be the same page with other search parameters.
  const href = useRouterState({ select: (state) => state.location.href });
  useEffect(close, [href, close]);
  useFrameKeys(app);
  useLiveUpdates();
  const arrived = usePageFocus();
  const isSettings = useIsSettings();
  return (
    <div className={styles.frame} data-frame="page">
      <aside className={styles.sidebar} data-frame="aside" aria-label={t('frame.menu')}>
        <Sidebar app={app} />
      </aside>
      {wasOpened && (
        <MenuDrawer
          app={app}
          opened={opened}
          onClose={close}
          onFail={() => {
            close();
            setWasOpened(false);
          }}
        />
      )}
      <div className={styles.column}>
        <TopBar app={app} onMenu={open} menuOpened={opened} />
        <WorkspaceBanner />
        <ConfirmBanner />
        <main id="main" tabIndex={-1} className={styles.main}>
          {isSettings && <SettingsLinks />}
          <Outlet />
        </main>
      </div>
      <p className="sr-only" role="status">
        {arrived}
      </p>
      <FrameDialogs app={app} />
    </div>
  );
}
