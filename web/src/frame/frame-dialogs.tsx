import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { showSuccess } from '../components/toasts/toasts.tsx';
import { withTexts } from '../i18n.ts';
import { useViews } from '../views/use-views.ts';
import { LazyViewDialog } from '../views/lazy-view-dialog.ts';
import { openFrameDialog, useFrameDialog } from '#web/frame-dialog.ts';

const Palette = lazy(async () => ({ default: (await import('./palette/palette.tsx')).Palette }));
const ConflictDialog = lazy(async () => ({
  default: (await withTexts(['conflict'], () => import('../conflict/conflict-dialog.tsx'))())
    .ConflictDialog,
}));
const KeyMap = lazy(async () => ({ default: (await import('../keys/key-map.tsx')).KeyMap }));

const close = () => openFrameDialog(null);

/** Dialogs of every page, loaded on first use. */
export function FrameDialogs({ app }: { app: App | undefined }) {
  const { t } = useTranslation();
  const dialog = useFrameDialog();
  const saved = useViews(app?.id);
  const save = async (name: string) => {
    if (await saved.add(name)) showSuccess(t('views.saved', { name }));
  };
  return (
    <Suspense>
      {(dialog === 'palette' || dialog === 'apps') && (
        <Palette key={dialog} app={app} withAppsAlone={dialog === 'apps'} onClose={close} />
      )}
      {dialog === 'conflict' && <ConflictDialog />}
      {dialog === 'keys' && <KeyMap onClose={close} />}
      {dialog === 'view' && (
        <LazyViewDialog
          title={t('views.add')}
          initialName={saved.current?.name ?? document.title.replace(/ · Toprung$/, '')}
          onSave={(name) => void save(name)}
          onClose={close}
        />
      )}
    </Suspense>
  );
}
