import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const indigo: MantineColorsTuple = [
  '#eef2ff',
  '#e0e7ff',
  '#c7d2fe',
  '#a5b4fc',
  '#818cf8',
  '#6366f1',
  '#5457e6',
  '#4f46e5',
  '#4338ca',
  '#3730a3',
];
const dark: MantineColorsTuple = [
  '#e6e9ef',
  '#c3cad6',
  '#9ba4b4',
  '#7b8496',
  '#3a4150',
  '#2a303b',
  '#1e232c',
  '#15181e',
  '#101318',
  '#0b0d11',
];

/**
 * Contrast that passes axe in both schemes, unlike the light badges and filled red of the default
 * theme.
 */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input);
  const color = input.color ?? input.theme.primaryColor;
  if (input.variant === 'light' && color in input.theme.colors) {
    return {
      ...resolved,
      color:
        `light-dark(color-mix(in oklab, var(--mantine-color-${color}-9), black 25%), ` +
        `var(--mantine-color-${color}-2))`,
    };
  }
  if (input.variant === 'filled' && color === 'red') {
    return {
      ...resolved,
      background: 'var(--mantine-color-red-9)',
      hover: 'color-mix(in oklab, var(--mantine-color-red-9), black 12%)',
      color: 'var(--mantine-color-white)',
    };
  }
  return resolved;
};

const inputs = { defaultProps: { size: 'sm' } };

export const theme = createTheme({
  autoContrast: true,
  luminanceThreshold: 0.18,
  primaryColor: 'indigo',
  primaryShade: { light: 7, dark: 8 },
  colors: { indigo, dark },
  black: '#171a21',
  variantColorResolver,
  respectReducedMotion: true,
  fontFamily:
    '"Inter Toprung", ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, ' +
    '"Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  defaultRadius: 'md',
  headings: { fontWeight: '620' },
  components: {
    TextInput: inputs,
    PasswordInput: inputs,
    // base.css locks scrolling, because the library would write a <style> tag, which the CSP
    // blocks. The <header> of the library is not a banner landmark.
    Modal: {
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        lockScroll: false,
        centered: true,
        radius: 'lg',
        transitionProps: { duration: 120 },
        classNames: { inner: 'dialog-inner', content: 'dialog-content' },
      },
    },
    Drawer: {
      defaultProps: {
        attributes: { header: { role: 'presentation' } },
        lockScroll: false,
        classNames: { inner: 'drawer-inner' },
      },
    },
    Tooltip: {
      defaultProps: {
        openDelay: 250,
        withArrow: true,
        events: { hover: true, focus: true, touch: true },
      },
    },
    // Rendered in place, so that an open list stays in the landmark of its field.
    Select: { defaultProps: { comboboxProps: { withinPortal: false } } },
    // Rendered in place, so that it stays in its landmark. The focus moves to its first item.
    Menu: {
      defaultProps: {
        shadow: 'md',
        radius: 'md',
        withinPortal: false,
        withInitialFocusPlaceholder: false,
      },
    },
  },
});

/** The variant colours and the surfaces of the design. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-8)',
    '--mantine-color-dimmed': '#596273',
    '--mantine-color-placeholder': '#6b7382',
    '--mantine-color-default-border': '#cdd3dc',
    '--mantine-color-error': '#b42318',
    '--mantine-color-disabled-color': '#6b7382',
  },
  dark: {
    '--mantine-color-body': '#15181e',
    '--mantine-color-anchor': 'var(--mantine-color-indigo-3)',
    '--mantine-color-dimmed': '#9ba4b4',
    '--mantine-color-placeholder': '#8a93a5',
    '--mantine-color-default': '#1b1f27',
    '--mantine-color-default-hover': '#232833',
    '--mantine-color-default-border': '#3a4150',
    '--mantine-color-error': '#ff9b90',
    '--mantine-color-disabled-color': '#8a93a5',
  },
});
