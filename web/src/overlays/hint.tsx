import { useEffect, useId, useState, type FocusEvent, type ReactElement } from 'react';
import { useOverlays } from './use-overlays.ts';

const openDelayMs = 250;

interface HintedProps {
  ref: (node: HTMLElement | null) => void;
  'aria-describedby': string | undefined;
  onMouseEnter: () => void;
  onMouseLeave: () => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
  onBlur: () => void;
}

interface Props {
  label: string | undefined;
  disabled?: boolean;
  children: (props: HintedProps) => ReactElement;
}

/** A tooltip, whose code loads when its element is hovered or focused for the first time. */
export function Hint({ label, disabled = false, children }: Props) {
  const id = useId();
  const { overlays, request } = useOverlays();
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [wanted, setWanted] = useState<'no' | 'soon' | 'now'>('no');
  const opened = wanted === 'now' && overlays !== null && !disabled;
  useEffect(() => {
    if (wanted === 'no') return;
    const timer = setTimeout(() => setWanted('now'), openDelayMs);
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && setWanted('no');
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [wanted]);
  const close = () => setWanted('no');
  const open = (when: 'soon' | 'now') => {
    if (disabled) return;
    setWanted(when);
    // The element works without its tooltip.
    request().catch(() => undefined);
  };
  return (
    <>
      {children({
        ref: setTarget,
        'aria-describedby': opened ? id : undefined,
        onMouseEnter: () => open('soon'),
        onMouseLeave: close,
        onFocus: ({ currentTarget }) => currentTarget.matches(':focus-visible') && open('now'),
        onBlur: close,
      })}
      {overlays && target && (
        <overlays.Tooltip target={target} opened={opened} label={<span id={id}>{label}</span>} />
      )}
    </>
  );
}
