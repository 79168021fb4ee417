import { useFrameDialog } from './frame-dialog.ts';

/** Whether a dialog of the frame is above this one: Escape closes only the upper one. */
export const useIsCovered = (): boolean => useFrameDialog() !== null;
