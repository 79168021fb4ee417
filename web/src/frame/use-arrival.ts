import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * After going to another page the focus is on its heading, as after loading one. Where the heading is still to come the
 * focus waits on the page itself; what is returned, its title, is told in its place.
 */
export function useArrival(): string {
  const router = useRouter();
  const [told, setTold] = useState('');
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (!fromLocation || !pathChanged) return;
        const main = document.getElementById('main');
        const heading = main?.querySelector('h1') ?? null;
        heading?.setAttribute('tabindex', '-1');
        (heading ?? main)?.focus({ preventScroll: true });
        setTold(heading ? '' : document.title);
      }),
    [router],
  );
  return told;
}
