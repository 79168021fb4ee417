import { lazyPart } from '../components/lazy-part.tsx';

/** Loaded on first use. */
export const LazyViewDialog = lazyPart(async () => (await import('./view-dialog.tsx')).ViewDialog);
