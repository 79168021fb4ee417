import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import './styles/mantine.css';
import 'virtual:theme.css';
import './styles/base.css';
import './styles/print.css';
import { openBelowBasePath } from './base-path.ts';
import { startDensity } from './density.ts';
import { startI18n } from './i18n.ts';
import { ToastRegion } from './components/toasts/toast-region.tsx';
import { createQueryClient } from './queries/client.ts';
import { preloadPage } from './preload-page.ts';
import { startPrinting } from './printing.ts';
import { createAppRouter } from './router.tsx';
import { theme } from './theme.ts';

openBelowBasePath();
startDensity();
startPrinting();
const texts = startI18n();

/** Pages that need no session. */
const publicPaths =
  /^\/(sign-in|sign-up|invite|forgot-password|reset-password|confirm-email|report)$/;

const queryClient = createQueryClient(() => {
  const { pathname, searchStr } = router.latestLocation;
  if (publicPaths.test(pathname)) return;
  queryClient.removeQueries();
  void router.navigate({ to: '/sign-in', search: { next: pathname + searchStr, ended: true } });
});
const router = createAppRouter(queryClient);
// Session, page and data load at the same time as the first texts.
preloadPage(router, queryClient);
void router.load();
await texts;
const colorSchemeManager = localStorageColorSchemeManager({ key: 'toprung.color-scheme' });

createRoot(document.getElementById('root')!).render(
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
);
