import { useId, useRef, useState, type RefObject } from 'react';
import { showError } from '../toasts/toasts.tsx';
import { useOverlays, type LoadOverlays, type Overlays } from './use-overlays.ts';

/** Props of a button that opens an overlay. */
export interface OpenerProps {
  ref: RefObject<HTMLButtonElement | null>;
  id: string;
  'aria-haspopup': 'menu' | 'dialog';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  'data-expanded': true | undefined;
  onPointerEnter: () => void;
  onFocus: () => void;
  onClick: () => void;
}

interface Opener<Loaded> {
  props: OpenerProps;
  overlays: Loaded | null;
  opened: boolean;
  setOpened: (opened: boolean) => void;
}

export function useOpener<Loaded extends Overlays>(
  popup: OpenerProps['aria-haspopup'],
  load: LoadOverlays<Loaded>,
): Opener<Loaded> {
  const ref = useRef<HTMLButtonElement>(null);
  const id = useId();
  const [isRequested, setOpened] = useState(false);
  const { overlays, prepare, request } = useOverlays(load);
  const opened = isRequested && overlays !== null;
  const toggle = () => {
    setOpened(!isRequested);
    request().catch((error: unknown) => {
      setOpened(false);
      showError(error);
    });
  };
  const props: OpenerProps = {
    ref,
    id,
    'aria-haspopup': popup,
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    'data-expanded': opened || undefined,
    onPointerEnter: prepare,
    onFocus: prepare,
    onClick: toggle,
  };
  return { props, overlays, opened, setOpened };
}
