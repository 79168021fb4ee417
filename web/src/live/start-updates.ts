import type { QueryClient } from '@tanstack/react-query';
import { keepLastState } from '../offline/keep-last-state.ts';
import { connectLive } from './connect-live.ts';
import { keepListFocus } from './keep-list-focus.ts';

/** Returns the function that ends them. */
export function startUpdates(queryClient: QueryClient): () => void {
  const ends = [connectLive(queryClient), keepLastState(queryClient), keepListFocus()];
  return () => ends.forEach((end) => end());
}
