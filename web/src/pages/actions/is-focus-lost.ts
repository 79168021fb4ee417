/** Whether what had the focus is gone, or hidden as the list is on a phone. */
export function isFocusLost(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body || !focused.checkVisibility();
}
