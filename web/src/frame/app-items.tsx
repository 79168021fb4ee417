import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useRouterState } from '@tanstack/react-router';
import { Check, Plus, Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { openFrameDialog } from '#web/frame-dialog.ts';
import type { App } from '../api.ts';
import { appsQuery } from '../queries/apps.ts';
import { AppLine } from './app-line.tsx';
import { forgetFinishedSetups } from './finished-setups.ts';
import { appPages } from './pages.ts';

const maxWithoutSearch = 8;

/** Menu items of the apps. Switching apps keeps the page. */
export function AppItems({ app }: { app: App | undefined }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(appsQuery);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const page = appPages.find(({ to }) => to === path.replace(/^\/apps\/\d+/, '/apps/$appId'));
  const isLong = (data?.items.length ?? 0) > maxWithoutSearch;
  return (
    <>
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
          <AppLine app={item} />
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
        onClick={forgetFinishedSetups}
        renderRoot={(props) => <Link to="/welcome" {...props} />}
      >
        {t('frame.addApp')}
      </Menu.Item>
    </>
  );
}
