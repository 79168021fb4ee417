import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { buildForUse } from './build-swap.ts';
import { eventTexts } from './event-texts.ts';
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

/**
 * By default the bundler creates a file for each set of pages that share a module, which is 110
 * files before the first page. The code of the frame and the icons are one file each; other files
 * are not merged, because they would wait for each other.
 */
const codeSplitting = {
  groups: [
    { name: 'first', tags: ['$initial' as const] },
    { name: 'icons', test: /lucide-react/ },
  ],
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/',
  cacheDir: fileURLToPath(new URL('../.tmp/vite', import.meta.url)),
  plugins: [buildForUse(), react(), themeCss(), eventTexts()],
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting } },
  },
});
