import { useEffect, useRef } from 'react';
import { registerKeys, type KeyCommand } from './registry.ts';

/** Registers shortcuts while the component is mounted. The list may change on every render. */
export function useKeys(commands: readonly KeyCommand[], isForEveryPage = false): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  const signature = commands.map(({ keys, label }) => `${keys} ${label}`).join('\n');
  useEffect(() => {
    const lasting = latest.current.map((command, index) => ({
      ...command,
      run: () => latest.current[index]?.run(),
    }));
    return registerKeys(lasting, isForEveryPage);
  }, [signature, isForEveryPage]);
}
