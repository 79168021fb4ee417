import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef, type RefObject } from 'react';

/** Scrolls to an element that is the target of the address, when it is drawn after its data. */
export function useHashTarget(name: string): RefObject<HTMLDivElement | null> {
  const target = useRef<HTMLDivElement>(null);
  const isTarget = useRouterState({ select: ({ location }) => location.hash === name });
  useEffect(() => {
    if (isTarget) target.current?.scrollIntoView({ block: 'start' });
  }, [isTarget]);
  return target;
}
