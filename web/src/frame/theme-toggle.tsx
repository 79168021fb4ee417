import { ActionIcon, useMantineColorScheme } from '@mantine/core';
import { Monitor } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MenuButton } from '../components/overlays/menu-button.tsx';
import { loadFrameOverlays } from './load-overlays.ts';
import { colorSchemes } from './color-schemes.ts';

export function ThemeToggle() {
  const { t } = useTranslation();
  const { colorScheme } = useMantineColorScheme();
  const Current = colorSchemes.find(([scheme]) => scheme === colorScheme)?.[1] ?? Monitor;
  return (
    <MenuButton
      load={loadFrameOverlays}
      position="bottom-end"
      width={180}
      button={(props) => (
        <ActionIcon
          {...props}
          className="touch"
          variant="default"
          radius="xl"
          size={34}
          aria-label={t('theme.label', { scheme: t(`theme.${colorScheme}`) })}
        >
          <Current size={16} aria-hidden />
        </ActionIcon>
      )}
      items={({ ThemeItems }) => <ThemeItems />}
    />
  );
}
