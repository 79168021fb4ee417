import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/mantine.css';
import 'virtual:theme.css';
import './styles/base.css';
import './styles/print.css';
import { openBelowBasePath } from './base-path.ts';
import { startDensity } from './density.ts';
import { startI18n } from './i18n.ts';
import { ToastRegion } from './components/toasts/toast-region.tsx';
import { hideAllToasts } from './components/toasts/toast-store.ts';
import { createQueryClient } from './queries/client.ts';
import { preloadPage } from './preload-page.ts';
import { startPrinting } from './printing.ts';
import { createAppRouter } from './router.tsx';
import { theme } from './theme.ts';

openBelowBasePath();
startDensity();
startPrinting();
const texts = startI18n();

/** A slow connection sees the frame of the page after that. */
const maxDelayMs = 300;

const queryClient = createQueryClient(() => {
  const { latestLocation } = router;
  // Pages that need no session stay; the hash of their address may be a secret.
  if (!router.matchRoutes(latestLocation).some(({ routeId }) => routeId === '/signed-in')) return;
  hideAllToasts();
  queryClient.removeQueries();
  void router.navigate({ to: '/sign-in', search: { next: latestLocation.href, ended: true } });
});
const router = createAppRouter(queryClient);
// Session, page and data load at the same time as the first texts.
preloadPage(router, queryClient);
const loading = router.load();
await texts;
// Drawn once with its data, the page takes less time than with and after its placeholders.
await Promise.race([loading, new Promise((resolve) => setTimeout(resolve, maxDelayMs))]);
const colorSchemeManager = localStorageColorSchemeManager({ key: 'toprung.color-scheme' });

const root = createRoot(document.getElementById('root')!);
// In steps between which the page responds.
startTransition(() =>
  root.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemeManager}
        withCssVariables={false}
        withGlobalClasses={false}
        withStaticClasses={false}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <ToastRegion />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  ),
);
