import { Drawer } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { App } from '../api.ts';
import { FocusReturn } from '../use-focus-return.ts';
import styles from './menu-drawer.module.css';
import { Sidebar } from './sidebar.tsx';

interface Props {
  app: App | undefined;
  opened: boolean;
  onClose: () => void;
}

/** The sidebar on narrow screens. */
export function MenuDrawer({ app, opened, onClose }: Props) {
  const { t } = useTranslation();
  // A drawer that is open when it is mounted does not return the focus.
  const [shown, setShown] = useState(false);
  useLayoutEffect(() => setShown(opened), [opened]);
  return (
    <Drawer
      opened={shown}
      onClose={onClose}
      size={280}
      padding={0}
      title={t('frame.menu')}
      classNames={{ header: styles.header, body: styles.body }}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {/* A menu of it that closes just before it takes the focus back into it. */}
      <FocusReturn />
      <Sidebar app={app} onLeave={onClose} />
    </Drawer>
  );
}
