import {
  DEFAULT_THEME,
  convertCssVariables,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import { cssVariablesResolver, theme } from './theme.ts';

/** Palettes of the library that no page uses; half of the file would be theirs. */
const unusedColor = /^--mantine-color-(pink|grape|violet|blue|cyan|green|lime|yellow|orange)-/;

const keepUsed = (variables: Record<string, string>) =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !unusedColor.test(name)));

/** The theme as a CSS file; runs at build time, in Node. */
export function writeThemeCss(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  const all = deepMerge(defaultCssVariablesResolver(merged), cssVariablesResolver(merged));
  return convertCssVariables(
    { variables: keepUsed(all.variables), light: keepUsed(all.light), dark: keepUsed(all.dark) },
    ':root',
  );
}
