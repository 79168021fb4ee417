import {
  DEFAULT_THEME,
  convertCssVariables,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import { cssVariablesResolver, theme } from './theme.ts';

/** Unused palettes of the library, which would be half of the file. */
const unusedColor = /^--mantine-color-(pink|grape|violet|blue|cyan|green|lime|yellow|orange)-/;

const keepUsedVariables = (variables: Record<string, string>) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !unusedColor.test(name)));

/** The theme as a CSS file, created at build time in Node. */
export function writeThemeCss(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const all = deepMerge(defaultCssVariablesResolver(merged), cssVariablesResolver(merged));
  return convertCssVariables(
    {
      variables: keepUsedVariables(all.variables),
      light: keepUsedVariables(all.light),
      dark: keepUsedVariables(all.dark),
    },
    ':root',
  );
}
