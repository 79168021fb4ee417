import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** Paper is white: what is printed wears the light colours, whatever the screen shows. */
export function startPrinting(): void {
  const page = document.documentElement;
  const attribute = 'data-mantine-color-scheme';
  const setLight = () =>
    page.getAttribute(attribute) !== 'light' && page.setAttribute(attribute, 'light');
  // The change to paper is told as a change of the system's colours too, upon which the screen's are set again.
  const others = new MutationObserver(setLight);
  let before: string | null = null;
  addEventListener('beforeprint', () => {
    before = page.getAttribute(attribute);
    setLight();
    others.observe(page, { attributeFilter: [attribute] });
  });
  addEventListener('afterprint', () => {
    others.disconnect();
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
