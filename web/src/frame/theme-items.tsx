import { Menu, useMantineColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { densities, setDensity, useDensity } from '../density.ts';
import { colorSchemes } from './color-schemes.ts';

/** Menu items of the colour schemes and densities. */
export function ThemeItems() {
  const { t } = useTranslation();
  // Otherwise the library disables transitions with a <style> tag, which the CSP blocks.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  const density = useDensity();
  return (
    <>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) =>
          setColorScheme(colorSchemes.find(([name]) => name === scheme)?.[0] ?? 'auto')
        }
      >
        {colorSchemes.map(([scheme, Icon]) => (
          <Menu.RadioItem key={scheme} value={scheme} rightSection={<Icon size={15} aria-hidden />}>
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
    </>
  );
}
