import { useNavigate } from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { listenForKeys } from '../keys/listen.ts';
import type { KeyCommand } from '../keys/registry.ts';
import { useKeys } from '../keys/use-keys.ts';
import { focusSearch, focusNextRow, toggleRow } from '../keys/walk-rows.ts';
import { openFrameDialog } from '#web/frame-dialog.ts';
import { watchMenuFocus } from '#web/focus-origin.ts';
import { appPages } from './pages.ts';
import { useWorkspacePages } from './use-workspace-pages.ts';

/** Shortcuts that work on every page. */
export function useFrameKeys(app: App | undefined): void {
  const { t } = useTranslation();
  const navigate = useNavigate();
  useLayoutEffect(listenForKeys, []);
  useLayoutEffect(watchMenuFocus, []);
  const ofApp = appPages.map(({ to, label, key }): KeyCommand => {
    const run = () => void navigate({ to, params: { appId: String(app?.id ?? 0) } });
    return { keys: `g ${key}`, label: t(label), group: 'go', run };
  });
  const ofWorkspace = useWorkspacePages().map(({ to, label, key }): KeyCommand => ({
    keys: `g ${key}`,
    label: t(label),
    group: 'go',
    run: () => void navigate({ to }),
  }));
  useKeys(
    [
      {
        keys: 'mod+k',
        label: t('keys.palette'),
        group: 'anywhere',
        run: () => openFrameDialog('palette'),
      },
      {
        keys: '/',
        label: t('keys.search'),
        group: 'anywhere',
        run: () => focusSearch() || openFrameDialog('palette'),
      },
      { keys: 's', label: t('keys.apps'), group: 'anywhere', run: () => openFrameDialog('apps') },
      { keys: 'v', label: t('keys.view'), group: 'anywhere', run: () => openFrameDialog('view') },
      { keys: '?', label: t('keys.map'), group: 'anywhere', run: () => openFrameDialog('keys') },
      { keys: 'j', label: t('keys.next'), group: 'rows', run: () => focusNextRow(1) },
      { keys: 'k', label: t('keys.previous'), group: 'rows', run: () => focusNextRow(-1) },
      { keys: 'x', label: t('keys.tick'), group: 'rows', run: toggleRow },
      ...(app ? ofApp : []),
      ...ofWorkspace,
    ],
    true,
  );
}
