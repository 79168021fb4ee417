/** The overlays with the menus and forms of the frame. */
export const loadFrameOverlays = () => import('./overlays.ts');
