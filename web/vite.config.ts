import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { buildForUse } from './build-swap.ts';
import { codeSplitting } from './code-splitting.ts';
import { eventTexts } from './event-texts.ts';
import { flags } from './flags.ts';
import { mantineStyles } from './mantine-styles.ts';
import { preloadLinks } from './preload-links.ts';
import { serviceWorker } from './service-worker.ts';
import { shownProfiles } from './shown-profiles.ts';
import { writeThemeCss } from './src/theme-css.ts';

/** Writes the theme's CSS variables to a static file, because the CSP is `style-src 'self'`. */
function themeCss(): Plugin {
  const name = 'virtual:theme.css';
  return {
    name: 'toprung-theme-css',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? writeThemeCss() : undefined),
  };
}

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Files name one another relatively, so that they load below any path of PUBLIC_URL.
  base: './',
  cacheDir: fileURLToPath(new URL('../.tmp/vite', import.meta.url)),
  plugins: [
    buildForUse(),
    react(),
    themeCss(),
    mantineStyles(),
    eventTexts(),
    flags(),
    shownProfiles(),
    preloadLinks(),
    serviceWorker(),
  ],
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    cssCodeSplit: true,
    chunkSizeWarningLimit: 800,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting } },
  },
});
