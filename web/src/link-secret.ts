import { useRouterState } from '@tanstack/react-router';

/** The secret of an email link, which follows its #. Null if it was cut off. */
export function useLinkSecret(): string | null {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  return hash.replace(/^#/, '').slice(0, 200) || null;
}
