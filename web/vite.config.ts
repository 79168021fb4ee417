import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { buildForUse } from './build-swap.ts';
import { writeThemeCss } from './src/theme-css.ts';

/** The theme's CSS variables become a static file: no <style> tag, so the page lives under `style-src 'self'`. */
function themeCss(): Plugin {
  const name = 'virtual:theme.css';
  return {
    name: 'toprung-theme-css',
    resolveId: (id) => (id === name ? `\0${name}` : undefined),
    load: (id) => (id === `\0${name}` ? writeThemeCss() : undefined),
  };
}

/**
 * Left alone, the bundler cuts a file for each set of pages that share a module: 110 before the first page is drawn. What is
 * needed before any page is one file, and so are all signs. Nothing else is put together: files would wait for one another.
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
  plugins: [buildForUse(), react(), themeCss()],
  build: {
    target: 'es2023',
    manifest: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting } },
  },
  server: {
    port: 5173,
    proxy: { '/api/backend': process.env.WEB_API_PROXY ?? 'http://127.0.0.1:3000' },
  },
});
