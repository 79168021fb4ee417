export * from '../components/overlays/library.tsx';
export { ViewItems } from './view-items.tsx';
