import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../api.ts';

const hintKey = 'toprung.signed-in';

/**
 * Whether a session is likely. Asking without one would log a 401 in the console of every visitor.
 */
export function hasSessionHint(): boolean {
  try {
    return localStorage.getItem(hintKey) === '1';
  } catch {
    return false;
  }
}

export function saveSignedInHint(signedIn: boolean): void {
  try {
    if (signedIn) localStorage.setItem(hintKey, '1');
    else localStorage.removeItem(hintKey);
  } catch {
    // Blocked storage only costs one more question.
  }
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => call('GET /auth/session', {}, signal),
  staleTime: 5 * 60_000,
  retry: false,
});

/** True when this user may open the API reference. */
export const useHasDocs = (): boolean => useQuery(sessionQuery).data?.docs === true;

export const authStateQuery = queryOptions({
  queryKey: ['auth-state'],
  queryFn: ({ signal }) => call('GET /auth/state', {}, signal),
  staleTime: 0,
  retry: 1,
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => call('GET /auth/sessions', {}, signal),
});
