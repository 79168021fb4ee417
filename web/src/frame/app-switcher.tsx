import { Menu, Skeleton, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Check, ChevronsUpDown, Plus, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '../api.ts';
import { AppIcon } from '../components/app-icon.tsx';
import { appsQuery } from '../queries/apps.ts';
import styles from './app-switcher.module.css';
import { openFrameDialog } from '#web/frame-dialog.ts';
import { appPages } from './pages.ts';

const maxWithoutSearch = 8;

function AppOption({ app }: { app: App }) {
  return (
    <span className={styles.line}>
      <AppIcon
        name={app.displayName ?? app.name}
        store={app.store}
        iconUrl={app.iconUrl}
        size={30}
      />
      <span className={styles.names}>
        <bdi className={styles.name}>{app.displayName ?? app.name}</bdi>
        <span className={styles.store}>{profileOf(app.store).name}</span>
      </span>
    </span>
  );
}

export function AppSwitcher({ app }: { app: App | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data, isPending } = useQuery(appsQuery);
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Switching apps keeps the page.
  const page = appPages.find(({ to }) => to === path.replace(/^\/apps\/\d+/, '/apps/$appId'));
  const isLong = (data?.items.length ?? 0) > maxWithoutSearch;
  if (isPending) return <Skeleton height={48} radius={10} />;
  return (
    <Menu width={232} position="bottom-start">
      <Menu.Target>
        <UnstyledButton className={styles.button}>
          <span className="sr-only">{t('frame.switch')}</span>
          {app ? (
            <AppOption app={app} />
          ) : (
            <span className={styles.names}>
              {data?.items.length ? t('frame.choose') : t('frame.noApp')}
            </span>
          )}
          <ChevronsUpDown size={15} aria-hidden className={styles.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown className={styles.dropdown}>
        {data?.items.map((item) => (
          <Menu.Item
            key={item.id}
            rightSection={
              item.id === app?.id ? <Check size={15} aria-label={t('frame.current')} /> : null
            }
            onClick={() =>
              void navigate({
                to: page?.to ?? '/apps/$appId/keywords',
                params: { appId: String(item.id) },
              })
            }
          >
            <AppOption app={item} />
          </Menu.Item>
        ))}
        {data && data.items.length > 0 && <Menu.Divider />}
        {isLong && (
          <Menu.Item
            leftSection={<Search size={16} aria-hidden />}
            onClick={() => openFrameDialog('apps')}
          >
            {t('frame.findApp')}
          </Menu.Item>
        )}
        <Menu.Item
          leftSection={<Plus size={16} aria-hidden />}
          renderRoot={(props) => <Link to="/welcome" {...props} />}
        >
          {t('frame.addApp')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
