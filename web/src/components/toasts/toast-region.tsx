import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadLater } from '#web/later.ts';
import type * as later from '#web/later-parts.ts';
import { isUrgent, useToasts, type Toast } from './toast-store.ts';

const gapPx = 16;
/** The corner of the toasts, with the rows next to them. */
const corner = { widthPx: 480, heightPx: 240 };

/**
 * Toasts at the foot of the window, on the side where the pointer is not. Pages and dialogs end
 * above them, so that they cover no button for good. The regions are always in the document: a
 * screen reader announces what is added to them, once.
 */
export function ToastRegion() {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const shown = useToasts();
  const loaded = useLaterParts(shown);
  useEffect(() => {
    // A toast may say that the server is away, and then it is too late to load its code.
    const timer = setTimeout(() => void loadLater().catch(() => undefined), 2_000);
    const observer = new ResizeObserver(() => makeSpace(box.current!));
    observer.observe(box.current!);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, []);
  useEffect(() => loaded?.closeByEscape(), [loaded]);
  const side = useFreeSide(shown.length > 0);
  return (
    <section
      ref={box}
      className="toasts"
      data-side={side}
      aria-label={shown.length > 0 ? t('common.notifications') : undefined}
    >
      <div aria-live="polite">
        {loaded && <loaded.ToastCards toasts={shown.filter((toast) => !isUrgent(toast))} />}
      </div>
      <div aria-live="assertive">
        {loaded && <loaded.ToastCards toasts={shown.filter(isUrgent)} />}
      </div>
    </section>
  );
}

/** The code of the cards: each change of the toasts tries to load it until it is there. */
function useLaterParts(shown: readonly Toast[]): typeof later | null {
  const [loaded, setLoaded] = useState<typeof later | null>(null);
  useEffect(() => {
    if (shown.length > 0) loadLater().then(setLoaded, () => undefined);
  }, [shown]);
  return loaded;
}

/** Reserves the height of the toasts, and scrolls the focus out from below them. */
function makeSpace(box: HTMLElement): void {
  const { height, top, left } = box.getBoundingClientRect();
  const space = height > 0 ? height + gapPx : 0;
  document.documentElement.style.setProperty('--tr-toasts', `${space}px`);
  const focused = document.activeElement;
  if (space === 0 || !focused || focused === document.body || box.contains(focused)) return;
  const { bottom, right } = focused.getBoundingClientRect();
  if (bottom > top && right > left) focused.scrollIntoView({ block: 'nearest' });
}

/** The side of the first toast, where the others stay. */
function useFreeSide(isShown: boolean): 'start' | 'end' {
  const pointer = useRef({ x: 0, y: 0 });
  useEffect(() => {
    const follow = ({ clientX, clientY }: PointerEvent) => {
      pointer.current = { x: clientX, y: clientY };
    };
    addEventListener('pointermove', follow, { passive: true });
    addEventListener('pointerdown', follow, { passive: true });
    return () => {
      removeEventListener('pointermove', follow);
      removeEventListener('pointerdown', follow);
    };
  }, []);
  const [side, setSide] = useState<'start' | 'end'>('end');
  useLayoutEffect(() => {
    if (!isShown) return;
    const { x, y } = pointer.current;
    const isThere = x > innerWidth - corner.widthPx && y > innerHeight - corner.heightPx;
    setSide(isThere ? 'start' : 'end');
  }, [isShown]);
  return side;
}
