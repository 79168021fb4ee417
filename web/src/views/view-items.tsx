import { Menu } from '@mantine/core';
import { Pencil, Pin, PinOff, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { SavedView } from '../queries/views.ts';

interface Props {
  view: SavedView;
  onRename: () => void;
  onPin: () => void;
  onDelete: () => void;
}

/** Menu items of a saved view. */
export function ViewItems({ view, onRename, onPin, onDelete }: Props) {
  const { t } = useTranslation();
  const PinIcon = view.pinned ? PinOff : Pin;
  return (
    <>
      <Menu.Item leftSection={<Pencil size={14} aria-hidden />} onClick={onRename}>
        {t('views.rename')}
      </Menu.Item>
      <Menu.Item leftSection={<PinIcon size={14} aria-hidden />} onClick={onPin}>
        {t(view.pinned ? 'views.unpin' : 'views.pin')}
      </Menu.Item>
      <Menu.Item leftSection={<Trash2 size={14} aria-hidden />} onClick={onDelete}>
        {t('views.delete')}
      </Menu.Item>
    </>
  );
}
