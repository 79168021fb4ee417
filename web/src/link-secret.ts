import { useRouterState } from '@tanstack/react-router';

/** What a link of a mail carries behind its #; null where it was cut off. */
export function useLinkSecret(): string | null {
  const hash = useRouterState({ select: ({ location }) => location.hash });
  return hash.replace(/^#/, '').slice(0, 200) || null;
}
