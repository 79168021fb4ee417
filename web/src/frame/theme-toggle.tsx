import { ActionIcon, Menu, useMantineColorScheme } from '@mantine/core';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { densities, setDensity, useDensity } from '../density.ts';

const choices = [
  ['light', Sun],
  ['dark', Moon],
  ['auto', Monitor],
] as const;

export function ThemeToggle() {
  const { t } = useTranslation();
  // Otherwise the library disables transitions with a <style> tag, which the CSP blocks.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const density = useDensity();
  const Current = choices.find(([scheme]) => scheme === colorScheme)?.[1] ?? Monitor;
  return (
    <Menu position="bottom-end" width={180}>
      <Menu.Target>
        <ActionIcon
          className="touch"
          variant="default"
          radius="xl"
          size={34}
          aria-label={t('theme.label', { scheme: t(`theme.${colorScheme}`) })}
        >
          <Current size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup
          value={colorScheme}
          onChange={(scheme) =>
            setColorScheme(choices.find(([name]) => name === scheme)?.[0] ?? 'auto')
          }
        >
          {choices.map(([scheme, Icon]) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              rightSection={<Icon size={15} aria-hidden />}
            >
              {t(`theme.${scheme}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Label>{t('density.label')}</Menu.Label>
        <Menu.RadioGroup
          value={density}
          onChange={(chosen) =>
            setDensity(densities.find((name) => name === chosen) ?? 'comfortable')
          }
        >
          {densities.map((name) => (
            <Menu.RadioItem key={name} value={name}>
              {t(`density.${name}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
