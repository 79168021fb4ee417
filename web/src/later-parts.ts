export { ChartControls } from './components/chart/chart-controls.tsx';
export { closeByEscape } from './components/toasts/close-by-escape.ts';
export { ToastCards } from './components/toasts/toast-cards.tsx';
export { startUpdates } from './live/start-updates.ts';
