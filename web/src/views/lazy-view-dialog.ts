import { lazy } from 'react';

/** Loaded on first use; it needs a `Suspense` around it. */
export const LazyViewDialog = lazy(async () => ({
  default: (await import('./view-dialog.tsx')).ViewDialog,
}));
