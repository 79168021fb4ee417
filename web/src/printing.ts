import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Paper is white: what is printed wears the light colours, whatever the screen shows. */
export function startPrinting(): void {
  const page = document.documentElement;
  const attribute = 'data-mantine-color-scheme';
  let before: string | null = null;
  addEventListener('beforeprint', () => {
    before = page.getAttribute(attribute);
    page.setAttribute(attribute, 'light');
  });
  addEventListener('afterprint', () => {
    if (before) page.setAttribute(attribute, before);
  });
}

/** True while the page is being printed: lists that draw only what is in view draw more of themselves. */
export function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const begin = () => flushSync(() => setPrinting(true));
    const end = () => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}
