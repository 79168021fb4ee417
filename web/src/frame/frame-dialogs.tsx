import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { lazyPart } from '../components/lazy-part.tsx';
import { showSuccess } from '../components/toasts/toasts.tsx';
import { withTexts } from '../i18n.ts';
import { useViews } from '../views/use-views.ts';
import { LazyViewDialog } from '../views/lazy-view-dialog.ts';
import { openFrameDialog, useFrameDialog } from '#web/frame-dialog.ts';

const Palette = lazyPart(async () => (await import('./palette/palette.tsx')).Palette);
const fetchConflict = withTexts(['conflict'], () => import('../conflict/conflict-dialog.tsx'));
const ConflictDialog = lazyPart(async () => (await fetchConflict()).ConflictDialog);
const KeyMap = lazyPart(async () => (await import('../keys/key-map.tsx')).KeyMap);

const close = () => openFrameDialog(null);

/** Dialogs of every page, loaded on first use. */
export function FrameDialogs({ app }: { app: App | undefined }) {
  const { t } = useTranslation();
  const dialog = useFrameDialog();
  const saved = useViews(app?.id);
  const save = async (name: string) => {
    await saved.add(name);
    showSuccess(t('views.saved', { name }));
  };
  return (
    <>
      {(dialog === 'palette' || dialog === 'apps') && (
        <Palette
          key={dialog}
          app={app}
          withAppsAlone={dialog === 'apps'}
          onClose={close}
          onFail={close}
        />
      )}
      {dialog === 'conflict' && <ConflictDialog onFail={close} />}
      {dialog === 'keys' && <KeyMap onClose={close} onFail={close} />}
      {dialog === 'view' && (
        <LazyViewDialog
          title={t('views.add')}
          initialName={saved.current?.name ?? document.title.replace(/ · Toprung$/, '')}
          onSave={save}
          onClose={close}
          onFail={close}
        />
      )}
    </>
  );
}
