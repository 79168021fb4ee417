import { useDeferredValue, type ReactNode } from 'react';
import { Waiting, type WaitingHeight } from './waiting.tsx';

/** Draws its content after the page above it, in steps between which the page responds. */
export function AfterPaint({ height, children }: { height: WaitingHeight; children: ReactNode }) {
  const isPainted = useDeferredValue(true, false);
  return isPainted ? children : <Waiting height={height} />;
}
