import { ActionIcon } from '@mantine/core';
import { Bookmark, EllipsisVertical, Pin } from 'lucide-react';
import { useState, type MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { withBasePath } from '../base-path.ts';
import { showUndo } from '../components/toasts/toasts.tsx';
import { MenuButton } from '../components/overlays/menu-button.tsx';
import { useWriteAccess } from '../queries/write-guard.ts';
import type { SavedView } from '../queries/views.ts';
import type { useViews } from './use-views.ts';
import { LazyViewDialog } from './lazy-view-dialog.ts';
import styles from './view-list.module.css';

const loadViewOverlays = () => import('./overlays.ts');

interface Props {
  label: string;
  saved: ReturnType<typeof useViews>;
  views: readonly SavedView[];
}

export function ViewList({ label, saved, views }: Props) {
  const { t } = useTranslation();
  const [renaming, setRenaming] = useState<SavedView | null>(null);
  const { canWrite } = useWriteAccess();
  const remove = async (view: SavedView) => {
    if (await saved.remove(view))
      showUndo(t('views.deleted', { name: view.name }), () => void saved.restore(view));
  };
  const go = (event: MouseEvent, view: SavedView) => {
    // Opening in a new tab or window is left to the browser.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    saved.open(view);
  };
  if (views.length === 0) return null;
  return (
    <>
      <ul aria-label={label} className={styles.list}>
        {views.map((view) => (
          <li key={view.id} className={styles.item}>
            <a
              href={withBasePath(view.path)}
              className={styles.link}
              aria-current={saved.href === view.path ? 'page' : undefined}
              onClick={(event) => go(event, view)}
            >
              {view.pinned ? (
                <Pin size={14} strokeWidth={1.8} aria-hidden />
              ) : (
                <Bookmark size={14} strokeWidth={1.8} aria-hidden />
              )}
              <bdi className={styles.name}>{view.name}</bdi>
            </a>
            {canWrite && (
              <MenuButton
                load={loadViewOverlays}
                position="bottom-end"
                width={160}
                button={(props) => (
                  <ActionIcon
                    {...props}
                    className={styles.more}
                    variant="subtle"
                    color="gray"
                    size={28}
                    aria-label={t('views.menu', { name: view.name })}
                  >
                    <EllipsisVertical size={15} aria-hidden />
                  </ActionIcon>
                )}
                items={({ ViewItems }) => (
                  <ViewItems
                    view={view}
                    onRename={() => setRenaming(view)}
                    onPin={() => void saved.pin(view)}
                    onDelete={() => void remove(view)}
                  />
                )}
              />
            )}
          </li>
        ))}
      </ul>
      {renaming && (
        <LazyViewDialog
          title={t('views.rename')}
          initialName={renaming.name}
          onSave={(name) => saved.rename(renaming, name)}
          onClose={() => setRenaming(null)}
          onFail={() => setRenaming(null)}
        />
      )}
    </>
  );
}
