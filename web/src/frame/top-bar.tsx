import { ActionIcon } from '@mantine/core';
import { Menu as MenuIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { AlertsBell } from './alerts-bell.tsx';
import { RunPill } from './run-pill.tsx';
import { ScopeBar } from './scope-bar.tsx';
import { ThemeToggle } from './theme-toggle.tsx';
import styles from './top-bar.module.css';

interface Props {
  app: App | undefined;
  onMenu: () => void;
  menuOpened: boolean;
}

export function TopBar({ app, onMenu, menuOpened }: Props) {
  const { t } = useTranslation();
  return (
    <header className={styles.bar} data-frame="top">
      <ActionIcon
        className={styles.burger}
        variant="default"
        size={40}
        aria-label={t('frame.openMenu')}
        aria-expanded={menuOpened}
        onClick={onMenu}
      >
        <MenuIcon size={18} aria-hidden />
      </ActionIcon>
      <ScopeBar app={app} />
      <div className={styles.end}>
        <RunPill />
        <AlertsBell />
        <ThemeToggle />
      </div>
    </header>
  );
}
