/** What every page uses after it was drawn, in one file of its own. */
export const loadLater = () => import('./later-parts.ts');
