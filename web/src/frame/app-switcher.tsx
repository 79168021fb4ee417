import { Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronsUpDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { MenuButton } from '../components/overlays/menu-button.tsx';
import { loadFrameOverlays } from './load-overlays.ts';
import { appsQuery } from '../queries/apps.ts';
import { AppLine } from './app-line.tsx';
import styles from './app-switcher.module.css';

export function AppSwitcher({ app }: { app: App | undefined }) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(appsQuery);
  if (isPending) return <Skeleton height={48} radius={10} />;
  return (
    <MenuButton
      load={loadFrameOverlays}
      width={232}
      position="bottom-start"
      dropdownClass={styles.dropdown}
      button={(props) => (
        <UnstyledButton {...props} className={styles.button}>
          <span className="sr-only">{t('frame.switch')}</span>
          {app ? (
            <AppLine app={app} />
          ) : (
            <span className={styles.names}>
              {data?.items.length ? t('frame.choose') : t('frame.noApp')}
            </span>
          )}
          <ChevronsUpDown size={15} aria-hidden className={styles.chevron} />
        </UnstyledButton>
      )}
      items={({ AppItems }) => <AppItems app={app} />}
    />
  );
}
