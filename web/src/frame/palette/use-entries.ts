import { apiPath } from '#web/base-path.ts';
import { useMantineColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  AppWindow,
  Bookmark,
  BookOpenText,
  Contrast,
  KeyRound,
  Keyboard,
  Languages,
  ListPlus,
  Plus,
  Rows3,
  UserPlus,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { profileOf } from '#stores/profiles.ts';
import type { App } from '../../api.ts';
import { showError } from '../../components/toasts/toasts.tsx';
import { densities, setDensity } from '../../density.ts';
import { openFrameDialog } from '#web/frame-dialog.ts';
import { forgetFinishedSetups } from '../finished-setups.ts';
import { appPages } from '../pages.ts';
import { useWorkspacePages } from '../use-workspace-pages.ts';
import { languageNames, languages, setLanguage } from '../../i18n.ts';
import { appsQuery } from '../../queries/apps.ts';
import { useHasDocs } from '../../queries/session.ts';
import { useViews } from '../../views/use-views.ts';

export interface Entry {
  /** Stable over days, so that it can be remembered. */
  id: string;
  group: 'recent' | 'app' | 'workspace' | 'views' | 'apps' | 'actions' | 'keywords';
  label: string;
  detail: string;
  icon: LucideIcon;
  keys?: string;
  run: () => void;
}

const schemes = ['light', 'dark', 'auto'] as const;

/** All entries except keywords. */
export function useEntries(app: App | undefined): Entry[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: apps } = useQuery(appsQuery);
  const { setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const { views, open } = useViews(app?.id);
  const workspacePages = useWorkspacePages();
  const hasDocs = useHasDocs();
  const appId = String(app?.id ?? 0);
  const action = (
    id: string,
    label: string,
    icon: LucideIcon,
    run: () => void,
    keys?: string,
  ): Entry => ({
    id: `action:${id}`,
    group: 'actions',
    label,
    detail: '',
    icon,
    run,
    ...(keys && { keys }),
  });
  return [
    ...(app ? appPages : []).map(({ id, to, label, icon, key }): Entry => {
      const run = () => void navigate({ to, params: { appId } });
      return {
        id: `page:${id}`,
        group: 'app',
        label: t(label),
        detail: '',
        icon,
        keys: `g ${key}`,
        run,
      };
    }),
    ...workspacePages.map(({ id, to, label, icon, key }): Entry => {
      return {
        id: `page:${id}`,
        group: 'workspace',
        label: t(label),
        detail: '',
        icon,
        keys: `g ${key}`,
        run: () => void navigate({ to }),
      };
    }),
    ...views.map((view): Entry => {
      return {
        id: `view:${view.id}`,
        group: 'views',
        label: view.name,
        detail: '',
        icon: Bookmark,
        run: () => open(view),
      };
    }),
    ...(apps?.items ?? []).map((item): Entry => {
      const run = () => void navigate({ to: '/apps/$appId', params: { appId: String(item.id) } });
      return {
        id: `app:${item.id}`,
        group: 'apps',
        label: item.displayName ?? item.name,
        detail: profileOf(item.store).name,
        icon: AppWindow,
        run,
      };
    }),
    ...(app
      ? [
          action(
            'keywords',
            t('keywords.add'),
            ListPlus,
            () =>
              void navigate({
                to: '/apps/$appId/keywords',
                params: { appId },
                search: (before) => ({ ...before, add: '1' }),
              }),
          ),
        ]
      : []),
    action('app', t('frame.addApp'), Plus, () => {
      forgetFinishedSetups();
      void navigate({ to: '/welcome' });
    }),
    action(
      'token',
      t('tokens.create'),
      KeyRound,
      () => void navigate({ to: '/settings', search: (before) => ({ ...before, tab: 'tokens' }) }),
    ),
    action('invite', t('members.invite'), UserPlus, () => void navigate({ to: '/members' })),
    action('view', t('views.add'), Bookmark, () => openFrameDialog('view'), 'v'),
    action('keys', t('keys.title'), Keyboard, () => openFrameDialog('keys'), '?'),
    ...(hasDocs
      ? [
          action('reference', t('nav.reference'), BookOpenText, () =>
            window.open(`${apiPath}/docs`, '_blank', 'noreferrer'),
          ),
        ]
      : []),
    ...schemes.map((scheme) =>
      action(
        `colours-${scheme}`,
        t('theme.label', { scheme: t(`theme.${scheme}`) }),
        Contrast,
        () => setColorScheme(scheme),
      ),
    ),
    ...densities.map((density) =>
      action(
        `density-${density}`,
        t('density.choose', { density: t(`density.${density}`) }),
        Rows3,
        () => setDensity(density),
      ),
    ),
    ...languages.map((language) =>
      action(
        `language-${language}`,
        t('language.choose', { language: languageNames[language] }),
        Languages,
        () => {
          setLanguage(language).catch(showError);
        },
      ),
    ),
  ];
}
