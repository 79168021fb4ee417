import { Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './app-frame.module.css';
import { useCurrentApp } from './current-app.ts';
import { Sidebar } from './sidebar.tsx';
import { TopBar } from './top-bar.tsx';
import { WorkspaceBanner } from './workspace-banner.tsx';

export function AppFrame() {
  const { t } = useTranslation();
  const app = useCurrentApp();
  const [opened, { open, close }] = useDisclosure(false);
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(close, [path, close]);
  return (
    <div className={styles.frame}>
      <aside className={styles.sidebar} aria-label={t('frame.menu')}>
        <Sidebar app={app} />
      </aside>
      <Drawer
        opened={opened}
        onClose={close}
        size={280}
        padding={0}
        title={t('frame.menu')}
        classNames={{ header: styles.drawerHeader, body: styles.drawerBody }}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Sidebar app={app} />
      </Drawer>
      <div className={styles.column}>
        <TopBar app={app} onMenu={open} menuOpened={opened} />
        <WorkspaceBanner />
        <main id="main" tabIndex={-1} className={styles.main}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}
