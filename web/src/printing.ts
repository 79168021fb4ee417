import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { utcDayOf } from '#lib/dates.ts';
import { formatDay } from './format.ts';

/** Printing uses the light theme, and names the page and the day at its top. */
export function startPrinting(): void {
  const page = document.documentElement;
  const attribute = 'data-mantine-color-scheme';
  const setLight = () =>
    page.getAttribute(attribute) !== 'light' && page.setAttribute(attribute, 'light');
  // Browsers report printing as a change of the colour scheme, so the scheme is set again
  // afterwards.
  const others = new MutationObserver(setLight);
  let before: string | null = null;
  addEventListener('beforeprint', () => {
    before = page.getAttribute(attribute);
    setLight();
    const stamp = [document.title, formatDay(utcDayOf(new Date()), true)].join(' · ');
    document.getElementById('main')?.setAttribute('data-printed', stamp);
    others.observe(page, { attributeFilter: [attribute] });
  });
  addEventListener('afterprint', () => {
    others.disconnect();
    if (before) page.setAttribute(attribute, before);
  });
}

/** True while the page is printed, so that virtual lists render more rows. */
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
