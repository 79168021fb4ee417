import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { Check, Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';

const choices = [
  ['light', Sun],
  ['dark', Moon],
  ['auto', Monitor],
] as const;

export function ThemeToggle() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Current = choices.find(([scheme]) => scheme === colorScheme)?.[1] ?? Monitor;
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon className="touch" variant="default" radius="xl" size={34} aria-label={t('theme.label', { scheme: t(`theme.${colorScheme}`) })}>
          <Current size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map(([scheme, Icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon size={15} aria-hidden />}
            rightSection={scheme === colorScheme ? <Check size={15} aria-label={t('frame.current')} /> : null}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`theme.${scheme}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
