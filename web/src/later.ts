/** Every page uses these parts after it was drawn; they are in one file of their own. */
export const loadLater = () => import('./later-parts.ts');
