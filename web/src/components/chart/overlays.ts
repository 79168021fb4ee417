export * from '../overlays/library.tsx';
export { SaveItems } from './save-items.tsx';
