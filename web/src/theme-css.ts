import { DEFAULT_THEME, convertCssVariables, deepMerge, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { cssVariablesResolver, theme } from './theme.ts';

/** The theme as a CSS file; runs at build time, in Node. */
export function writeThemeCss(): string {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  return convertCssVariables(deepMerge(defaultCssVariablesResolver(merged), cssVariablesResolver(merged)), ':root');
}
