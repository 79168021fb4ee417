import { CloseButton, Loader } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hideToast, type Toast } from './toast-store.ts';
import styles from './toast-cards.module.css';
import { useReturnFocus } from './use-return-focus.ts';
import { useSwipe } from './use-swipe.ts';

export const ToastCards = ({ toasts }: { toasts: readonly Toast[] }) =>
  toasts.map((toast) => <ToastCard key={toast.id} toast={toast} />);

/** Stays while somebody points at it or has the focus in it, and leaves with a swipe. */
function ToastCard({ toast }: { toast: Toast }) {
  const { t } = useTranslation();
  const { id, title, message, tone, isLoading = false, closesAfterMs } = toast;
  const [isPointedAt, setPointedAt] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const swipe = useSwipe(() => hideToast(id));
  const { card, remember } = useReturnFocus();
  const isPaused = isPointedAt || isFocused || swipe.isHeld;
  useEffect(() => {
    if (closesAfterMs === null || isPaused) return;
    const timer = setTimeout(() => hideToast(id), closesAfterMs);
    return () => clearTimeout(timer);
  }, [id, title, message, closesAfterMs, isPaused]);
  return (
    <div
      className={styles.card}
      data-tone={tone}
      data-toast={id}
      ref={card}
      {...swipe.handlers}
      onPointerEnter={({ pointerType }) => setPointedAt(pointerType === 'mouse')}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={(event) => {
        setFocused(true);
        remember(event.relatedTarget);
      }}
      onBlur={() => setFocused(false)}
    >
      {isLoading ? <Loader size={20} aria-hidden /> : <span className={styles.bar} aria-hidden />}
      <div className={styles.body}>
        {title && <p className={styles.title}>{title}</p>}
        <div className={title ? 'muted' : undefined}>{message}</div>
      </div>
      <CloseButton
        className="touch"
        iconSize={18}
        aria-label={t('common.close')}
        onClick={() => hideToast(id)}
      />
    </div>
  );
}
