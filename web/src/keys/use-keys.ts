import { useLayoutEffect, useRef } from 'react';
import { registerKeys, type KeyCommand } from './registry.ts';

/**
 * Registers shortcuts from the moment when the component is drawn until it is unmounted. The list
 * may change on every render.
 */
export function useKeys(commands: readonly KeyCommand[], isForEveryPage = false): void {
  const latest = useRef(commands);
  useLayoutEffect(() => {
    latest.current = commands;
  });
  const signature = commands.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  useLayoutEffect(() => {
    const lasting = latest.current.map((command, index) => ({
      ...command,
      run: () => latest.current[index]?.run(),
    }));
    return registerKeys(lasting, isForEveryPage);
  }, [signature, isForEveryPage]);
}
