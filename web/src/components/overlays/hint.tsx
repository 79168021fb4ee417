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
  const [phase, setPhase] = useState<'closed' | 'waiting' | 'open'>('closed');
  const opened = phase === 'open' && overlays !== null && !disabled;
  useEffect(() => {
    if (phase === 'closed') return;
    const timer = setTimeout(() => setPhase('open'), openDelayMs);
    const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && setPhase('closed');
    document.addEventListener('keydown', closeOnEscape);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('keydown', closeOnEscape);
    };
  }, [phase]);
  const close = () => setPhase('closed');
  const open = (next: 'waiting' | 'open') => {
    if (disabled) return;
    setPhase(next);
    // The element works without its tooltip.
    request().catch(() => undefined);
  };
  return (
    <>
      {children({
        ref: setTarget,
        'aria-describedby': opened ? id : undefined,
        onMouseEnter: () => open('waiting'),
        onMouseLeave: close,
        onFocus: ({ currentTarget }) => currentTarget.matches(':focus-visible') && open('open'),
        onBlur: close,
      })}
      {overlays && target && (
        <overlays.Tooltip target={target} opened={opened} label={<span id={id}>{label}</span>} />
      )}
    </>
  );
}
